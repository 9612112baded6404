// SPDX-License-Identifier: Apache-2.0
#include "driver/backend/cpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ptx/machine/explain.hpp"
#include "ptx/text/error.hpp"
#include "ptx/text/parser.hpp"

namespace ptxlab::harness {

cpu_backend::cpu_backend(machine::launch how, std::uint64_t memory_bytes)
    : how_(std::move(how)), machine_(memory_bytes) {
  // What is allocated from now on has to know which of its bytes were written.
  machine_.device().track_writes(how_.check_uninitialised);
}

std::optional<std::uint64_t> cpu_backend::attribute(device_attribute a) const {
  switch (a) {
    case device_attribute::multiprocessors:
      return how_.resident.multiprocessors;
    case device_attribute::memory_bytes:
      return const_cast<cpu_backend*>(this)->memory().capacity();
  }
  return std::nullopt;
}

std::optional<std::uint64_t> cpu_backend::attribute(function_handle f, function_attribute a) const {
  const machine::program& p = *code(f).code;
  switch (a) {
    case function_attribute::max_threads:
      return p.max_threads == 0 ? 1024 : p.max_threads;
    case function_attribute::static_shared:
      return p.shared_bytes;
    case function_attribute::local:
      return p.routines.empty() ? 0 : p.routines[0].local_bytes;
    case function_attribute::registers:
      return std::nullopt;
  }
  return std::nullopt;
}

module_handle cpu_backend::load(const module_code& code) {
  if (code.ptx.empty())
    throw error(fmt::format("{}: there is no PTX in it, and the machine runs PTX", code.name));
  modules_.push_back(&machine_.load(ptx::parse(code.ptx, code.name)));
  return static_cast<module_handle>(modules_.size() - 1);
}

function_handle cpu_backend::function(module_handle m, const std::string& name) {
  machine::loaded_module& in = *modules_.at(static_cast<std::size_t>(m));
  const machine::decoded& d = in.kernel(name);
  if (!d.missing.empty())
    throw error(fmt::format("{}: {}", in.text().name, machine::missing_text(d.missing)));
  functions_.push_back(&d);
  return static_cast<function_handle>(functions_.size() - 1);
}

std::pair<device_address, std::uint64_t> cpu_backend::variable(module_handle m,
                                                               const std::string& name) {
  return modules_.at(static_cast<std::size_t>(m))->variable(name);
}

device_address cpu_backend::allocate(std::uint64_t bytes, const std::string& name) {
  return memory().allocate(bytes, name);
}

void cpu_backend::release(device_address begin) {
  memory().release(begin);
}

void cpu_backend::copy_to(device_address to, std::span<const std::byte> from) {
  memory().write(to, from);
}

void cpu_backend::copy_from(std::span<std::byte> to, device_address from) {
  memory().read(to, from);
}

void cpu_backend::launch(function_handle f, const launch_shape& shape,
                         std::span<const std::byte> parameters) {
  last_ = how_;
  std::copy_n(shape.grid, 3, last_.grid);
  std::copy_n(shape.block, 3, last_.block);
  std::copy_n(shape.cluster, 3, last_.cluster);
  last_.dynamic_shared = shape.dynamic_shared;
  last_.cooperative = shape.cooperative;
  last_.parameters.assign(parameters.begin(), parameters.end());
  report_ = machine_.run(code(f), last_);
  if (report_.how == machine::ending::refused) throw error(report_.reason);
}

void cpu_backend::synchronise() {
  if (report_.how != machine::ending::finished)
    throw error(fmt::format("{}: {}", machine::name(report_.how), report_.reason));
}

const machine::decoded& cpu_backend::code(function_handle f) const {
  return *functions_.at(static_cast<std::size_t>(f));
}

}  // namespace ptxlab::harness
