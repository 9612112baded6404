// SPDX-License-Identifier: Apache-2.0
// The PTX machine as a backend: a launch runs to its end before `launch` returns.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "driver/backend/backend.hpp"
#include "ptx/machine/machine.hpp"

namespace ptxlab::harness {

class cpu_backend : public backend {
 public:
  /// `how` has what only the machine knows: policy, residency, budgets, observers; its geometry and
  /// parameters are those of each launch. `memory_bytes` is what can be allocated in all.
  explicit cpu_backend(machine::launch how = {},
                       std::uint64_t memory_bytes = std::uint64_t{16} << 30);

  std::string identify() const override { return "the PTX machine"; }
  std::optional<std::uint64_t> attribute(device_attribute a) const override;
  std::optional<std::uint64_t> attribute(function_handle f, function_attribute a) const override;
  module_handle load(const module_code& code) override;
  /// Throws ptxlab::error with all instructions that the machine does not run, with their lines.
  function_handle function(module_handle m, const std::string& name) override;
  std::pair<device_address, std::uint64_t> variable(module_handle m,
                                                    const std::string& name) override;
  device_address allocate(std::uint64_t bytes, const std::string& name) override;
  void release(device_address begin) override;
  void copy_to(device_address to, std::span<const std::byte> from) override;
  void copy_from(std::span<std::byte> to, device_address from) override;
  /// Throws ptxlab::error for a geometry or parameters that the machine refuses.
  void launch(function_handle f, const launch_shape& shape,
              std::span<const std::byte> parameters) override;
  void synchronise() override;

  /// What became of the last launch, however it ended.
  const machine::run_report& report() const { return report_; }
  /// The machine's launch with the geometry that was last launched.
  const machine::launch& last() const { return last_; }
  const machine::decoded& code(function_handle f) const;
  machine::memory& memory() { return machine_.device(); }
  /// Who watches the launches from now on; they must outlive them.
  void observe(std::vector<machine::observer*> who) { how_.observers = std::move(who); }

 private:
  machine::launch how_, last_;
  machine::emulator machine_;
  std::vector<machine::loaded_module*> modules_;
  std::vector<const machine::decoded*> functions_;
  machine::run_report report_;
};

}  // namespace ptxlab::harness
