// SPDX-License-Identifier: Apache-2.0
// Fuzz target: PTX text on the machine. Whatever it is, it ends: with a report, or refused.
#pragma once

#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

#include "ptx/machine/contract.hpp"
#include "ptx/machine/machine.hpp"
#include "ptx/machine/observers/races.hpp"
#include "ptx/machine/observers/traffic.hpp"
#include "ptx/text/error.hpp"
#include "ptx/text/parser.hpp"

namespace ptxlab::fuzz {

/// What fusing makes of PTX is PTX.
inline void contract_target(const ptx::module& m) {
  for (const auto of_two : {machine::fused_product::first, machine::fused_product::second}) {
    const machine::contraction c = machine::contract(m, of_two);
    try {
      if (c.fused != 0) ptx::parse(c.ptx, "fused");
    } catch (const error& e) {
      throw std::logic_error(e.what());
    }
  }
}

/// Runs every kernel, its parameters being the addresses of small buffers, under each policy.
inline void machine_target(std::string_view input) {
  try {
    machine::emulator e(1 << 22);
    machine::loaded_module& m = e.load(ptx::parse(std::string(input), "input"));
    contract_target(m.text());
    const machine::address buffer = e.device().allocate(4096, "buffer");
    for (const std::string_view name : m.kernels()) {
      const machine::decoded& d = m.kernel(name);
      if (!d.missing.empty()) continue;
      for (const char* token : {"its", "lockstep", "random:3", "adversarial:3"}) {
        machine::traffic traffic;
        machine::race_detector races(1 << 16);
        machine::launch l;
        machine::read_token(token, l);
        l.grid[0] = 3;
        l.block[0] = 40;
        l.resident.blocks = 2;
        l.step_budget = 5000;
        l.count = true;
        l.observers = {&traffic, &races};
        l.parameters.resize(d.code->parameter_bytes);
        for (std::size_t i = 0; i + 8 <= l.parameters.size(); i += 8)
          std::memcpy(l.parameters.data() + i, &buffer, 8);
        const machine::run_report r = e.run(d, l);
        if (r.how != machine::ending::finished && r.reason.empty())
          throw std::logic_error("a run that does not end says why");
      }
    }
  } catch (const error&) {
  }
}

}  // namespace ptxlab::fuzz
