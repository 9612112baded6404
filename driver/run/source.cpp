// SPDX-License-Identifier: Apache-2.0
#include "driver/run/source.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <utility>

#include "analysis/facts/occupancy.hpp"
#include "analysis/facts/ptxas_log.hpp"
#include "analysis/facts/res_usage.hpp"
#include "analysis/facts/resources.hpp"
#include "analysis/toolchain/files.hpp"
#include "analysis/toolchain/image.hpp"
#include "analysis/toolchain/message.hpp"
#include "analysis/verdict/nearest.hpp"
#include "driver/session.hpp"
#include "ptx/text/error.hpp"
#include "ptx/text/parser.hpp"

namespace ptxlab::run {
namespace {

namespace fs = std::filesystem;
using toolchain::input_kind;

/// "inner::twice<int>" of "void inner::twice<int>(int*)".
std::string without_parameters(std::string_view name) {
  // The demangler writes the return type of a template, and a kernel's is always void.
  if (name.starts_with("void ")) name.remove_prefix(5);
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 0 && name.back() == ')';) {
    if (name[i] == ')') ++depth;
    if (name[i] == '(' && --depth == 0) return std::string(name.substr(0, i));
  }
  return std::string(name);
}

/// "twice" of "inner::twice<int>".
std::string base_name(std::string_view name) {
  int depth = 0;
  std::string out;
  for (const char c : name) {
    if (c == '<' || c == '(') ++depth;
    if (depth == 0) out += c;
    if (c == '>' || c == ')') --depth;
  }
  const std::size_t scope = out.rfind("::");
  return scope == out.npos ? out : out.substr(scope + 2);
}

/// What a build by `inspect`'s way gives of one input.
void take_build(source& s, const source_options& how) {
  driver::build_options o;
  o.files = {s.path};
  if (!how.arch.empty()) o.archs = {how.arch};
  o.nvcc_flags = how.nvcc_flags;
  o.no_cache = how.no_cache;
  o.unoptimised = false;
  std::vector<driver::built> builds = driver::session(o).build_all();
  if (builds.size() != 1) throw error(fmt::format("{}: one architecture at a time", s.path));
  toolchain::build& b = builds[0].build;
  s.arch = b.arch;
  if (b.ptx.text) s.code.ptx = *b.ptx.text;
  if (b.cubin.text) s.code.cubin = *b.cubin.text;
  s.no_cubin = b.cubin.problem;
  s.log = b.ptxas_log.text.value_or("");
  s.usage = b.resource_usage.text.value_or("");
  if (how.needs_ptx && s.code.ptx.empty() && b.kind == input_kind::cuda)
    throw error(fmt::format("{}: {}", s.path, b.ptx.problem));
}

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

}  // namespace

std::pair<std::string, std::string> split_target(const std::string& text) {
  std::error_code ignored;
  const std::size_t colon = text.rfind(':');
  if (colon == text.npos || fs::exists(text, ignored)) return {text, ""};
  // A demangled name may hold "::"; the file's name ends at the first ':' behind its extension.
  for (const std::string_view extension : {".cu:", ".ptx:", ".cubin:"})
    if (const std::size_t at = text.find(extension); at != text.npos) {
      const std::size_t end = at + extension.size();
      return {text.substr(0, end - 1), text.substr(end)};
    }
  return {text.substr(0, colon), text.substr(colon + 1)};
}

source open_source(const std::string& path, const source_options& how) {
  source s;
  s.path = path;
  s.code.name = path;
  const std::string content = toolchain::read_file(path);
  const input_kind kind = toolchain::classify(path, content);
  if (kind == input_kind::container)
    throw error(fmt::format("{}: run takes a .cu, a .ptx or a .cubin", path));
  if (kind == input_kind::cubin && how.needs_ptx)
    throw error(
        fmt::format("{}: a cubin holds no PTX, and the machine runs PTX (--device cuda)", path));
  if (kind == input_kind::cuda) {
    take_build(s, how);
  } else if (kind == input_kind::cubin) {
    s.code.cubin = content;
    return s;
  } else {
    s.code.ptx = content;
    s.arch = toolchain::ptx_target(content);
    if (how.needs_cubin) {
      try {
        take_build(s, how);
      } catch (const error& e) {
        s.no_cubin = first_line(e.what());
      }
    }
  }
  s.ptx = ptx::parse(s.code.ptx, path);
  return s;
}

std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? std::string(text.get()) : symbol;
}

std::string shown_name(const std::string& symbol) {
  return without_parameters(demangled(symbol));
}

std::string choose_kernel(const source& from, const std::string& wanted) {
  if (from.code.ptx.empty()) {  // a cubin: the driver knows its kernels
    if (wanted.empty()) throw error(fmt::format("{}: name a kernel: FILE:KERNEL", from.path));
    return wanted;
  }
  std::vector<std::string> symbols, names, fits;
  for (const ptx::function& f : from.ptx.functions)
    if (f.entry && f.has_body) symbols.emplace_back(f.name);
  if (symbols.empty()) throw error(fmt::format("{}: no kernel in it", from.path));
  for (const std::string& s : symbols) {
    const std::string full = demangled(s), plain = without_parameters(full);
    if (s == wanted || full == wanted || plain == wanted) return s;
    names.push_back(base_name(plain));
    if (names.back() == wanted || full == "void " + wanted) fits.push_back(s);
  }
  if (wanted.empty() && symbols.size() == 1) return symbols[0];
  if (fits.size() == 1) return fits[0];
  if (wanted.empty()) {
    names.erase(std::unique(names.begin(), names.end()), names.end());
    throw error(fmt::format("{}: it has {} kernels, name one: {}", from.path, symbols.size(),
                            fmt::join(names, ", ")));
  }
  if (fits.empty())
    throw error(
        fmt::format("{}: no kernel '{}'{}", from.path, wanted, verdict::suggestion(wanted, names)));
  std::vector<std::string> all;
  for (const std::string& s : fits) all.push_back(demangled(s));
  throw error(fmt::format("{}: '{}' may be each of: {}", from.path, wanted, fmt::join(all, "; ")));
}

machine::residency residency_of(const source& from, const std::string& kernel,
                                const harness::launch_shape& shape) {
  machine::residency out;
  const auto none = [&](std::string why) {
    out.model = "no limit: " + std::move(why);
    return out;
  };
  if (!from.no_cubin.empty()) return none(from.no_cubin);
  const auto threads = std::uint64_t{shape.block[0]} * shape.block[1] * shape.block[2];
  if (threads == 0 || threads > 1024) return none("no such block");
  const facts::ptxas_log log = facts::read_ptxas_log(from.log, from.arch);
  const facts::res_usage usage = facts::read_res_usage(from.usage, from.arch);
  facts::resource_sources sources;
  sources.function = kernel;
  sources.arch = from.arch;
  if (log.reason.empty()) sources.log = &log;
  if (usage.reason.empty()) sources.usage = &usage;
  facts::resources res = facts::merge_resources(sources);
  // ptxas leaves out a zero (facts::ptxas_block).
  if (!res.shared_bytes && sources.log != nullptr) res.shared_bytes = 0;
  const ptx::function* const f = from.ptx.find(kernel);
  std::optional<int> most;
  if (f != nullptr && f->max_threads) most = static_cast<int>(*f->max_threads);
  const auto table = facts::compute_occupancy(res, from.arch, most, shape.dynamic_shared,
                                              {static_cast<int>(threads)});
  if (table.rows.empty())
    return none(table.notes.empty() ? "the occupancy cannot be told" : table.notes[0]);
  const facts::occupancy& row = table.rows[0];
  if (row.blocks_per_sm == 0) return none("not one block fits a multiprocessor");
  out.blocks = static_cast<std::uint32_t>(row.blocks_per_sm) * out.multiprocessors;
  out.model = fmt::format("{}: {} SMs x {} blocks of {} threads, limited by {}",
                          from.arch.starts_with("sm_90") ? "H200" : from.arch, out.multiprocessors,
                          row.blocks_per_sm, threads, row.limiter);
  return out;
}

}  // namespace ptxlab::run
