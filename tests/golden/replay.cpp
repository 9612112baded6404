// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/replay.hpp"

#include <fmt/format.h>

#include <cstring>
#include <map>

#include "ptx/machine/explain.hpp"
#include "ptx/machine/machine.hpp"
#include "ptx/text/error.hpp"
#include "ptx/text/parser.hpp"

namespace ptxlab::golden {
namespace {

class replayer {
 public:
  explicit replayer(std::size_t number)
      : module_(emulator_.load(ptx::parse(module_text(number), fmt::format("golden {}", number)))) {
  }

  result_words run(std::size_t index) {
    const golden_case& c = cases()[index];
    const machine::decoded& d = module_.kernel(kernel_name(index));
    if (!d.missing.empty()) throw error(machine::missing_text(d.missing));
    const machine::address in = operands(c.in);
    result_words words(result_count(c));
    const machine::address out = emulator_.device().allocate(words.size() * 8, c.name);
    machine::launch l;
    l.block[0] = tuples;
    l.step_budget = 10'000'000;
    l.parameters.resize(16);
    std::memcpy(l.parameters.data(), &in, 8);
    std::memcpy(l.parameters.data() + 8, &out, 8);
    machine::address texels = 0;
    std::uint64_t handle = 0;
    if (c.texture) {
      machine::texture_description what = c.texture->what;
      const std::vector<std::byte> bytes = texels_of(*c.texture);
      what.at = texels = emulator_.device().allocate(bytes.size(), "texels");
      emulator_.device().write(texels, bytes);
      handle = emulator_.create_texture(what);
      l.parameters.resize(24);
      std::memcpy(l.parameters.data() + 16, &handle, 8);
    }
    const machine::run_report r = emulator_.run(d, l);
    if (r.how != machine::ending::finished)
      throw error(fmt::format("{}: {}", machine::name(r.how), r.reason));
    emulator_.device().read(std::as_writable_bytes(std::span(words)), out);
    emulator_.device().release(out);
    if (handle != 0) {
      emulator_.destroy_texture(handle);
      emulator_.device().release(texels);
    }
    return words;
  }

 private:
  machine::address operands(const std::vector<operand>& in) {
    const auto [it, fresh] = operands_.try_emplace(in);
    if (fresh) {
      const std::vector<std::uint64_t> words = operand_words(in);
      it->second = emulator_.device().allocate(words.size() * 8, "operands");
      emulator_.device().write(it->second, std::as_bytes(std::span(words)));
    }
    return it->second;
  }

  machine::emulator emulator_{std::uint64_t{1} << 30};
  machine::loaded_module& module_;
  std::map<std::vector<operand>, machine::address> operands_;
};

}  // namespace

void replay_module(std::size_t number, const taker& take) {
  replayer machine(number);
  const auto [first, last] = module_range(number);
  for (std::size_t i = first; i < last; ++i) {
    if (cases()[i].only_measured) continue;
    result_words words;
    std::string problem;
    try {
      words = machine.run(i);
    } catch (const error& e) {
      problem = e.what();
    }
    take(cases()[i], words, problem);
  }
}

}  // namespace ptxlab::golden
