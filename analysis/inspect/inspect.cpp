// SPDX-License-Identifier: Apache-2.0
#include "analysis/inspect/inspect.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>

#include "analysis/facts/loop_verdicts.hpp"
#include "analysis/facts/occupancy.hpp"
#include "analysis/facts/resources.hpp"
#include "analysis/facts/rules.hpp"
#include "analysis/facts/stage_code.hpp"
#include "analysis/sass/cubin.hpp"
#include "analysis/sass/lower.hpp"
#include "analysis/sass/reader.hpp"
#include "analysis/toolchain/files.hpp"
#include "ptx/text/error.hpp"
#include "ptx/text/parser.hpp"

namespace ptxlab::inspect {
namespace {

using facts::kernel;
using facts::stage_code;

std::string demangle(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? std::string(text.get()) : name;
}

/// Functions of the device runtime: no log speaks of them, and none of them is the user's.
bool is_system_function(std::string_view name) {
  constexpr std::array names = {"vprintf",           "malloc",        "free",
                                "__assertfail",      "__assert_fail", "cudaGetParameterBufferV2",
                                "cudaLaunchDeviceV2"};
  return std::find(names.begin(), names.end(), name) != names.end() ||
         name.substr(0, 7) == "__cuda_" || name.substr(0, 5) == "__nv_";
}

/// Headers of the toolkit lie below the folder of cuda_runtime.h.
bool is_of_toolkit(const std::filesystem::path& file) {
  std::error_code ignored;
  for (auto p = file.parent_path(); p != p.parent_path(); p = p.parent_path())
    if (std::filesystem::exists(p / "cuda_runtime.h", ignored)) return true;
  return false;
}

class inspection {
 public:
  inspection(const toolchain::build& b, const toolchain::toolset& tools,
             const std::vector<std::string>& flags)
      : build_(b), flags_(flags) {
    report_.arch = b.arch;
    report_.input = b.input.filename().string();
    report_.notes = b.notes;
    for (const toolchain::tool* t : {&tools.nvcc, &tools.ptxas, &tools.nvdisasm, &tools.cuobjdump})
      if (t->usable()) report_.toolkit[t->name] = t->version;
  }

  facts::report run() {
    read_ptx();
    read_sass();
    read_asm_statements();
    if (build_.ptxas_log.text) log_ = facts::read_ptxas_log(*build_.ptxas_log.text, build_.arch);
    if (build_.resource_usage.text)
      usage_ = facts::read_res_usage(*build_.resource_usage.text, build_.arch);
    for (const std::string& name : kernel_names()) report_.kernels.push_back(one(name));
    return std::move(report_);
  }

 private:
  void read_ptx() {
    const std::string name = build_.input.filename().string();
    const bool given = build_.kind == toolchain::input_kind::ptx;
    if (build_.ptx.text) ptx_ = ptx::parse(*build_.ptx.text, given ? name : name + " (PTX)");
    if (build_.unoptimised_ptx.text)
      source_ = ptx::parse(*build_.unoptimised_ptx.text, name + " (unoptimised PTX)");
    if (build_.kind == toolchain::input_kind::cuda && !source_)
      report_.notes.push_back(
          fmt::format("no unoptimised build, so a loop that nvcc deleted cannot be named: {}",
                      build_.unoptimised_ptx.problem));
  }

  void read_sass() {
    try {
      if (build_.sass_json.text) {
        sass_ = sass::read_json(*build_.sass_json.text);
      } else if (build_.sass_text.text) {
        sass_ = sass::read_text(*build_.sass_text.text);
      } else {
        no_sass_ = build_.sass_json.problem.empty() ? "no disassembly" : build_.sass_json.problem;
      }
    } catch (const error& e) {
      no_sass_ = e.what();
    }
    if (sass_ && !sass_->trustworthy()) {
      no_sass_ = sass_->doubt;
      sass_.reset();
    }
    if (sass_ && build_.cubin.text) sass::add_symbols(*sass_, *build_.cubin.text);
    if (!sass_ || !build_.sass_json.text) return;
    if (!build_.sass_text.text) {
      report_.notes.push_back("SASS has no source lines: " + build_.sass_text.problem);
      return;
    }
    try {
      sass::annotate(*sass_, *build_.sass_text.text);
    } catch (const error& e) {
      report_.notes.push_back(fmt::format("SASS has no source lines: {}", e.what()));
    }
  }

  /// The asm statements of every file that inline asm in the PTX comes from.
  void read_asm_statements() {
    if (build_.kind != toolchain::input_kind::cuda) return;
    std::set<std::string_view> files;
    for (const auto* m : {&source_, &ptx_}) {
      if (!*m) continue;
      for (const ptx::function& f : (*m)->functions)
        for (const ptx::instruction& i : f.instructions)
          if (i.in_asm && i.location != ptx::nothing)
            files.insert((*m)->file(f.locations[i.location].file));
    }
    for (const std::string_view file : files) {
      if (is_of_toolkit(file)) continue;
      try {
        for (facts::asm_statement& a : facts::read_asm_statements(toolchain::read_file(file))) {
          a.file = file;
          asm_statements_.push_back(std::move(a));
        }
      } catch (const error& e) {
        report_.notes.push_back(fmt::format("asm statements not examined: {}", e.what()));
      }
    }
  }

  std::vector<std::string> kernel_names() const {
    std::set<std::string> names;
    if (ptx_) {
      for (const ptx::function& f : ptx_->functions)
        if (f.entry && f.has_body) names.emplace(f.name);
    } else if (sass_) {
      for (const sass::function& f : sass_->functions)
        if (f.entry.value_or(f.name[0] != '$')) names.insert(f.name);
    }
    return {names.begin(), names.end()};
  }

  kernel one(const std::string& name) {
    kernel k;
    k.name = name;
    k.demangled = demangle(name);
    facts::site_table sites;
    std::unique_ptr<stage_code> ptx, source, sass;
    const ptx::function* entry = ptx_ ? ptx_->find(name) : nullptr;
    if (entry != nullptr) {
      ptx = std::make_unique<stage_code>(facts::analyse_ptx(*ptx_, *entry, sites));
      k.parameter_bytes.emplace();
      for (const ptx::parameter& p : entry->params)
        k.parameter_bytes->push_back(static_cast<int>(p.bytes));
      if (entry->max_threads) k.max_threads = static_cast<int>(*entry->max_threads);
    }
    if (const ptx::function* f = source_ ? source_->find(name) : nullptr)
      source = std::make_unique<stage_code>(facts::analyse_ptx(*source_, *f, sites));
    if (source && ptx) facts::align_places(*source, *ptx, sites);
    const std::uint32_t found = sass_ ? sass_->find(name) : sass::none;
    if (found != sass::none)
      sass =
          std::make_unique<stage_code>(facts::analyse_sass(*sass_, sass_->functions[found], sites));

    k.ptx = ptx ? facts::summarise(*ptx, sites) : unknown("no PTX at hand");
    k.sass = sass ? facts::summarise(*sass, sites) : unknown(why_no_sass(name));
    k.res = resources_of(name, entry, sass.get());
    auto table = facts::compute_occupancy(k.res, build_.arch, k.max_threads);
    k.occ = std::move(table.rows);
    k.res.notes.insert(k.res.notes.end(), table.notes.begin(), table.notes.end());
    k.loops = facts::judge_loops({source.get(), ptx.get(), sass.get(), k.sass.reason}, sites);
    const facts::subject s{k,
                           build_.arch,
                           sites,
                           source.get(),
                           ptx.get(),
                           sass.get(),
                           log_ ? &*log_ : nullptr,
                           ptx_ ? &*ptx_ : nullptr,
                           entry,
                           flags_,
                           source_ ? &*source_ : nullptr,
                           asm_statements_};
    k.findings = facts::look_for_findings(s);
    return k;
  }

  static facts::stage unknown(std::string reason) {
    facts::stage s;
    s.reason = std::move(reason);
    return s;
  }

  std::string why_no_sass(const std::string& name) const {
    return no_sass_.empty() ? fmt::format("the disassembly has no function {}", name) : no_sass_;
  }

  facts::resources resources_of(const std::string& name, const ptx::function* entry,
                                const stage_code* sass) const {
    facts::resource_sources sources;
    sources.function = name;
    sources.arch = build_.arch;
    sources.log = log_ ? &*log_ : nullptr;
    sources.usage = usage_ ? &*usage_ : nullptr;
    if (sass != nullptr) sources.calls = calls_of(name, entry, *sass);
    return facts::merge_resources(sources);
  }

  facts::call_targets calls_of(const std::string& name, const ptx::function* entry,
                               const stage_code& sass) const {
    facts::call_targets out;
    for (std::size_t i = 1; i < sass.functions.size(); ++i)
      out.callees.push_back(sass.functions[i].name);
    std::set<std::uint32_t> path, done;
    out.recursive = in_cycle(sass_->find(name), path, done);
    if (entry != nullptr) {
      std::set<std::string_view> seen;
      calls_in_ptx(*entry, seen, out);
    } else {
      for (const facts::stage_function& f : sass.functions)
        out.indirect |= sass::calls_unknown(*sass_, sass_->functions[sass_->find(f.name)]);
    }
    return out;
  }

  bool in_cycle(std::uint32_t f, std::set<std::uint32_t>& path,
                std::set<std::uint32_t>& done) const {
    if (path.contains(f)) return true;
    if (!done.insert(f).second) return false;
    path.insert(f);
    bool found = false;
    for (const std::uint32_t c : sass::callees(*sass_, sass_->functions[f]))
      found = found || in_cycle(c, path, done);
    path.erase(f);
    return found;
  }

  /// Calls whose target the PTX does not name, or does not define.
  void calls_in_ptx(const ptx::function& f, std::set<std::string_view>& seen,
                    facts::call_targets& out) const {
    if (!seen.insert(f.name).second) return;
    for (const ptx::instruction& i : f.instructions) {
      if (ptx_->op(i).what != flow::kind::call) continue;
      bool named = false;
      ptx::for_each_operand(f, i, [&](std::uint32_t o) {
        const ptx::operand& x = f.operands[o];
        if (x.kind == ptx::operand_kind::reg) out.indirect = true;
        if (x.kind != ptx::operand_kind::symbol || named) return;
        named = true;
        const ptx::function* callee = ptx_->find(ptx_->text(x));
        if (callee != nullptr && callee->has_body) {
          calls_in_ptx(*callee, seen, out);
        } else if (!is_system_function(ptx_->text(x))) {
          out.external = true;
        }
      });
    }
  }

  const toolchain::build& build_;
  const std::vector<std::string>& flags_;
  facts::report report_;
  std::optional<ptx::module> ptx_, source_;
  std::optional<sass::module> sass_;
  std::vector<facts::asm_statement> asm_statements_;
  std::string no_sass_;
  std::optional<facts::ptxas_log> log_;
  std::optional<facts::res_usage> usage_;
};

}  // namespace

facts::report inspect(const toolchain::build& b, const toolchain::toolset& tools,
                      const std::vector<std::string>& nvcc_flags) {
  return inspection(b, tools, nvcc_flags).run();
}

}  // namespace ptxlab::inspect
