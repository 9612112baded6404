// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <optional>
#include <thread>

#include "ptx/machine/cluster_shape.hpp"
#include "ptx/machine/explain.hpp"
#include "ptx/machine/scheduler.hpp"
#include "ptx/text/error.hpp"
#include "ptx/text/variable.hpp"

namespace ptxlab::machine {

std::string_view name(ending e) {
  switch (e) {
    case ending::finished:
      return "finished";
    case ending::fault:
      return "fault";
    case ending::residency_deadlock:
      return "residency deadlock";
    case ending::simt_deadlock:
      return "SIMT deadlock";
    case ending::barrier_divergence:
      return "barrier divergence";
    case ending::nobody_left_to_write:
      return "nobody left to write";
    case ending::step_budget:
      return "step budget";
    case ending::time_budget:
      return "time budget";
    case ending::refused:
      return "refused";
  }
  return "?";
}

std::string token_of(const launch& l) {
  switch (l.by) {
    case policy::its:
      return "its";
    case policy::lockstep:
      return "lockstep";
    case policy::random:
      return fmt::format("random:{}", l.seed);
    case policy::adversarial:
      return fmt::format("adversarial:{}", l.seed);
    case policy::trace:
      return "trace";
  }
  return "?";
}

void read_token(std::string_view token, launch& l) {
  const std::size_t colon = std::min(token.find(':'), token.size());
  const std::string_view word = token.substr(0, colon);
  l.seed = 1;
  const bool seeded = word == "random" || word == "adversarial";
  if (word == "its")
    l.by = policy::its;
  else if (word == "lockstep")
    l.by = policy::lockstep;
  else if (seeded)
    l.by = word == "random" ? policy::random : policy::adversarial;
  else
    throw error(
        fmt::format("'{}' is no policy: its, lockstep, random:SEED, adversarial:SEED,"
                    " trace:FILE",
                    token));
  if (colon == token.size()) return;
  const char* const end = token.data() + token.size();
  const auto [rest, ec] = std::from_chars(token.data() + colon + 1, end, l.seed);
  if (!seeded || ec != std::errc() || rest != end)
    throw error(fmt::format("'{}' is no policy with a seed", token));
}

// --- modules -------------------------------------------------------------------------------------

std::vector<std::string_view> loaded_module::kernels() const {
  std::vector<std::string_view> out;
  for (const ptx::function& f : text_.functions)
    if (f.entry && f.has_body) out.push_back(f.name);
  return out;
}

const decoded& loaded_module::kernel(std::string_view name) {
  if (const auto it = kernels_.find(name); it != kernels_.end()) return it->second;
  const symbol_address addresses = [this](std::string_view v) -> std::optional<address> {
    const auto it = variables_.find(v);
    if (it == variables_.end()) return std::nullopt;
    return it->second.first;
  };
  return kernels_.emplace(std::string(name), decode(text_, name, addresses)).first->second;
}

std::pair<address, std::uint64_t> loaded_module::variable(std::string_view name) const {
  const auto it = variables_.find(name);
  if (it == variables_.end()) throw error(fmt::format("{} has no variable '{}'", text_.name, name));
  return it->second;
}

void emulator::place(loaded_module& m, const ptx::variable& v) {
  if (v.space != "global" && v.space != "const") return;
  if (v.type.ends_with("ref"))
    throw error(
        fmt::format("{}: '{}': textures by reference are not supported", m.text_.name, v.name));
  if (v.external) return;  // found missing when a kernel names it
  const address at = memory_.allocate(v.bytes, std::string(v.name), v.space == "const");
  m.variables_.emplace(std::string(v.name), std::pair{at, v.bytes});
}

loaded_module& emulator::load(ptx::module text) {
  auto fresh = std::make_unique<loaded_module>();
  loaded_module& m = *fresh;
  m.text_ = std::move(text);
  std::vector<ptx::variable> all;
  for (const std::string_view t : m.text_.texts) {
    if (t.starts_with(".address_size") && t.find("32") != t.npos)
      throw error(fmt::format("{}: a module for addresses of 32 bits", m.text_.name));
    for (ptx::variable& v : ptx::read_variables(t, m.text_.name)) all.push_back(std::move(v));
  }
  for (const ptx::variable& v : all) place(m, v);
  // Values when all have addresses: they may name each other.
  for (const ptx::variable& v : all) {
    const auto it = m.variables_.find(v.name);
    if (it == m.variables_.end() || v.bytes == 0) continue;
    std::vector<std::byte> bytes(v.bytes);
    std::size_t at = 0;
    for (const ptx::initial_value& x : v.initial) {
      std::uint64_t bits = static_cast<std::uint64_t>(x.value);
      if (!x.symbol.empty()) {
        if (const auto s = m.variables_.find(x.symbol); s != m.variables_.end()) {
          bits += s->second.first;
        } else {
          std::uint64_t number = 0;
          for (const ptx::function& f : m.text_.functions) {
            if (f.name == x.symbol) break;
            ++number;
          }
          if (number == m.text_.functions.size())
            throw error(fmt::format("{}: '{}' begins with the address of '{}', which is not there",
                                    m.text_.name, v.name, x.symbol));
          bits += function_base + 16 * number;
        }
      } else if (x.floating && v.type == "f32" && !x.single) {
        bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
      } else if (x.floating && v.type == "f64" && x.single) {
        bits = std::bit_cast<std::uint64_t>(
            static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))));
      }
      std::memcpy(bytes.data() + at, &bits, std::min<std::size_t>(v.element_bytes, 8));
      at += v.element_bytes;
    }
    memory_.write(it->second.first, bytes);
  }
  modules_.push_back(std::move(fresh));
  return m;
}

// --- runs ----------------------------------------------------------------------------------------

namespace {

std::string refusal(const program& p, const launch& l) {
  const auto threads = std::uint64_t{l.block[0]} * l.block[1] * l.block[2];
  const auto blocks = std::uint64_t{l.grid[0]} * l.grid[1] * l.grid[2];
  if (threads == 0 || l.block[0] > 1024 || l.block[1] > 1024 || l.block[2] > 64 || threads > 1024)
    return fmt::format(
        "blocks of {} x {} x {} threads: 1 to 1024 threads, at most 1024 x 1024 x 64", l.block[0],
        l.block[1], l.block[2]);
  if (p.exact_threads && threads != p.max_threads)
    return fmt::format("blocks of {} threads, the kernel was compiled for {}", threads,
                       p.max_threads);
  if (p.max_threads != 0 && threads > p.max_threads)
    return fmt::format("blocks of {} threads, the kernel was compiled for {} at most", threads,
                       p.max_threads);
  if (blocks == 0 || l.grid[0] > 0x7fffffff || l.grid[1] > 65535 || l.grid[2] > 65535 ||
      blocks > 0xffffffff)
    return fmt::format(
        "a grid of {} x {} x {} blocks: at least 1, at most 2147483647 x 65535 x 65535"
        " and 4294967295 in all",
        l.grid[0], l.grid[1], l.grid[2]);
  if (p.shared_bytes + std::uint64_t{l.dynamic_shared} > 232448)
    return fmt::format("{} bytes of shared memory for a block, 232448 at most",
                       p.shared_bytes + std::uint64_t{l.dynamic_shared});
  if (l.parameters.size() != p.parameter_bytes)
    return fmt::format("{} bytes of parameters, {} takes {}", l.parameters.size(), p.name,
                       p.parameter_bytes);
  return cluster_refusal(p, l);
}

/// Clusters that do not communicate, on several threads of the host, each with a part of them.
void run_in_parallel(const program& p, memory& m, const texture_table& textures, const launch& l,
                     run_report& out) {
  const std::uint32_t each = cluster_of(p, l).blocks();
  const std::uint32_t clusters = l.grid[0] * l.grid[1] * l.grid[2] / each;
  const unsigned parts = std::min(l.threads, clusters);
  std::vector<std::unique_ptr<grid>> grids;
  std::vector<run_report> reports(parts);
  for (unsigned k = 0; k < parts; ++k) grids.push_back(std::make_unique<grid>(p, m, textures, l));
  std::vector<std::thread> threads;
  for (unsigned k = 0; k < parts; ++k)
    threads.emplace_back([&, k] {
      const auto from = each * static_cast<std::uint32_t>(std::uint64_t{clusters} * k / parts);
      const auto to = each * static_cast<std::uint32_t>(std::uint64_t{clusters} * (k + 1) / parts);
      run_part(*grids[k], from, to, reports[k]);
    });
  for (std::thread& t : threads) t.join();
  for (unsigned k = 0; k < parts; ++k) merge(out, std::move(reports[k]));
}

}  // namespace

run_report emulator::run(const decoded& kernel, const launch& l) {
  if (!kernel.missing.empty()) throw error(missing_text(kernel.missing));
  const program& p = *kernel.code;
  run_report out;
  out.token = token_of(l);
  out.reason = refusal(p, l);
  if (!out.reason.empty()) {
    out.how = ending::refused;
    return out;
  }
  memory_.track_writes(l.check_uninitialised);
  if (l.threads > 1 && l.observers.empty() && l.record == nullptr && !p.communicates &&
      l.by == policy::its && !l.cooperative && !l.check_uninitialised && !p.calls_machine) {
    run_in_parallel(p, memory_, textures_, l, out);
    return out;
  }
  grid g(p, memory_, textures_, l);
  const places names(memory_, p);
  for (observer* const o : l.observers) o->begin(g.info(), names);
  run_part(g, 0, g.blocks(), out);
  for (observer* const o : l.observers) o->end();
  return out;
}

}  // namespace ptxlab::machine
