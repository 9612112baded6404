// SPDX-License-Identifier: Apache-2.0
// The order of steps. Of a source: {nvcc -ptx, nvcc -G -ptx} at once, then ptxas, then {nvdisasm
// -json, nvdisasm -g, cuobjdump -res-usage} at once; other inputs join where they fit.
#include "analysis/toolchain/build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "analysis/toolchain/builder.hpp"
#include "analysis/toolchain/flags.hpp"
#include "analysis/toolchain/message.hpp"
#include "analysis/toolchain/process.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::toolchain {
namespace {

namespace fs = std::filesystem;

void set(product& into, const step& done) {
  if (done.ok) {
    into.text = done.output;
  } else {
    into.problem = done.failure;
  }
}

void set_all(std::initializer_list<product*> products, const std::string& problem) {
  for (product* one : products) {
    if (!one->text) one->problem = problem;
  }
}

bool plausible_architecture(std::string_view arch) {
  if (!arch.starts_with("sm_")) return false;
  arch.remove_prefix(3);
  if (arch.ends_with('a') || arch.ends_with('f')) arch.remove_suffix(1);
  return (arch.size() == 2 || arch.size() == 3) &&
         arch.find_first_not_of("0123456789") == std::string_view::npos;
}

// The first "sm_NN" behind `mark`; empty if there is none.
std::string architecture_behind(std::string_view text, std::string_view mark) {
  const auto at = text.find(mark);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + mark.size());
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  text = text.substr(0, text.find_first_not_of("sm_0123456789af"));
  return plausible_architecture(text) ? std::string(text) : "";
}

}  // namespace

int architecture_number(const std::string& arch) {
  return arch.starts_with("sm_") ? std::atoi(arch.c_str() + 3) : 0;
}

void builder::add(order& whole, std::function<void()> job, bool urgent) {
  ++known_;
  pool_.add(
      [this, &whole, job = std::move(job)] {
        try {
          job();
        } catch (const error& problem) {
          if (interrupt_scope::interrupted()) throw;
          whole.fail(problem.what());
        }
        if (!how_.progress) return;
        const std::scoped_lock lock(progress_mutex_);
        how_.progress(++done_, known_);
      },
      urgent);
}

item& builder::new_item(order& whole) const {
  whole.items.push_back(std::make_unique<item>());
  item& one = *whole.items.back();
  one.made.input = whole.asked->file;
  one.made.folder = std::make_shared<temporary_folder>();
  return one;
}

void builder::note_time(item& one, const step& done) {
  if (done.seconds == 0 && !done.cached) return;  // it was not run
  const std::scoped_lock lock(one.mutex);
  one.made.timings.push_back({done.name, done.seconds, done.cached});
}

source builder::source_of(const order& whole) const {
  return {whole.asked->file, whole.content, whole.asked->arch, whole.asked->nvcc_flags};
}

void builder::begin(order& whole) {
  const request& asked = *whole.asked;
  if (!asked.arch.empty() && !plausible_architecture(asked.arch)) {
    throw error(unknown_architecture(asked.arch, shop_.tools.nvcc));
  }
  whole.content = read_file(asked.file);
  switch (classify(asked.file, whole.content)) {
    case input_kind::cuda:
      return begin_source(whole);
    case input_kind::ptx:
      return begin_ptx(whole);
    case input_kind::cubin:
      return begin_cubin(whole);
    case input_kind::container:
      return begin_container(whole);
  }
}

void builder::begin_source(order& whole) {
  const request& asked = *whole.asked;
  check_flags(asked.nvcc_flags);
  if (!shop_.tools.nvcc.usable()) {
    throw error(fmt::format("{}: CUDA source needs nvcc: {} (see: ptxlab doctor)",
                            asked.file.string(), shop_.tools.nvcc.problem));
  }
  item& one = new_item(whole);
  one.made.kind = input_kind::cuda;
  one.made.arch = asked.arch;
  if (asked.unoptimised) {
    add(whole, [this, &whole, &one] { compile_for_comparison(whole, one, front_end::debug); });
  } else {
    one.made.unoptimised_ptx.problem = "not asked for";
  }
  compile(whole, one);
}

void builder::compile(order& whole, item& one) {
  const source what = source_of(whole);
  const step done = compile_ptx(shop_, what, front_end::optimised, one.made.folder->path());
  note_time(one, done);
  if (!done.ok) throw error(done.failure);
  set(one.made.ptx, done);
  one.made.compiler_log = done.log;
  {
    const std::scoped_lock lock(one.mutex);
    one.optimised_ok = true;
  }
  fall_back_if_needed(whole, one);
  if (one.made.arch.empty()) one.made.arch = ptx_target(done.output);

  std::vector<std::string> flags;
  const char* prepended = std::getenv("NVCC_PREPEND_FLAGS");
  const char* appended = std::getenv("NVCC_APPEND_FLAGS");
  if (!what.flags.empty() || prepended != nullptr || appended != nullptr) {
    const step found = find_ptxas_flags(shop_, what);
    note_time(one, found);
    if (!found.ok) throw error(found.failure);
    flags = split_flags(found.output);
  }
  assemble_ptx(whole, one, flags);
}

void builder::compile_for_comparison(order& whole, item& one, front_end how) {
  const step done = compile_ptx(shop_, source_of(whole), how, one.made.folder->path());
  note_time(one, done);
  if (done.ok) {
    set(one.made.unoptimised_ptx, done);
    one.made.unoptimised_ptx.problem.clear();
    return;
  }
  if (how != front_end::debug) {
    one.made.unoptimised_ptx.problem += "; without optimisation: " + done.failure;
    return;
  }
  one.made.unoptimised_ptx.problem = "with -G: " + done.failure;
  {
    const std::scoped_lock lock(one.mutex);
    one.debug_failed = true;
  }
  fall_back_if_needed(whole, one);
}

// Whichever of the two compilations ends last gets here with both flags set; only it goes on. A
// source that does not compile at all is not compiled a third time.
void builder::fall_back_if_needed(order& whole, item& one) {
  {
    const std::scoped_lock lock(one.mutex);
    if (!one.optimised_ok || !one.debug_failed) return;
    one.debug_failed = false;
  }
  add(whole, [this, &whole, &one] { compile_for_comparison(whole, one, front_end::unoptimised); });
}

void builder::begin_ptx(order& whole) {
  item& one = new_item(whole);
  one.made.kind = input_kind::ptx;
  one.made.unoptimised_ptx.problem = "the input is PTX: its source is not known";
  one.made.ptx.text = whole.content;
  const std::string target = ptx_target(whole.content);
  one.made.arch = whole.asked->arch.empty() ? target : whole.asked->arch;
  const auto known =
      whole.asked->arch.empty() ? architectures(shop_.tools.nvcc) : std::vector<std::string>{};
  if (!known.empty() && architecture_number(target) < architecture_number(known.front())) {
    one.made.arch = known.front();
    one.made.notes.push_back(
        fmt::format("the PTX is for {}, which ptxas {} does not know any more: assembled for {}",
                    target, shop_.tools.ptxas.version, one.made.arch));
  }
  assemble_ptx(whole, one, {});
}

void builder::assemble_ptx(order& whole, item& one, std::vector<std::string> flags) {
  build& made = one.made;
  if (!shop_.tools.ptxas.usable()) {
    set_all({&made.cubin, &made.ptxas_log, &made.sass_json, &made.sass_text, &made.resource_usage},
            "no machine code: " + shop_.tools.ptxas.problem);
    return;
  }
  const std::string name = made.input.string() + (made.member.empty() ? "" : ":" + made.member);
  const step done = assemble(shop_,
                             {.ptx = *made.ptx.text,
                              .name = name,
                              .generated = made.kind == input_kind::cuda,
                              .arch = made.arch,
                              .flags = std::move(flags)},
                             made.folder->path());
  note_time(one, done);
  if (!done.ok) throw error(done.failure);
  set(made.cubin, done);
  made.ptxas_log.text = done.log;
  inspect(whole, one);
}

void builder::inspect(order& whole, item& one) {
  one.made.cubin_path = one.made.folder->path() / (one.made.input.stem().string() + ".cubin");
  write_file(one.made.cubin_path, *one.made.cubin.text);
  const auto look = [&](const tool& program, std::vector<std::string> how, product& into) {
    add(whole, [this, &one, &program, how = std::move(how), &into] {
      const step done =
          inspect_cubin(shop_, program, how, one.made.cubin_path, *one.made.cubin.text);
      note_time(one, done);
      set(into, done);
    });
  };
  look(shop_.tools.cuobjdump, {"-res-usage"}, one.made.resource_usage);
  look(shop_.tools.nvdisasm, {"-g", "-gp", "-c"}, one.made.sass_text);
  look(shop_.tools.nvdisasm, {"-json"}, one.made.sass_json);
}

void builder::begin_cubin(order& whole) {
  item& one = new_item(whole);
  one.made.kind = input_kind::cubin;
  set_all({&one.made.ptx, &one.made.unoptimised_ptx, &one.made.ptxas_log},
          "the input is a cubin: only machine code is known");
  one.made.cubin.text = whole.content;
  inspect(whole, one);
}

// As the tools tell it; empty if none does.
std::string builder::architecture_of_cubin(item& one) const {
  std::string arch;
  if (one.made.sass_text.text) {
    arch =
        architecture_behind(std::string_view(*one.made.sass_text.text).substr(0, 4096), ".target");
  }
  if (!arch.empty()) return arch;
  const step names = inspect_cubin(shop_, shop_.tools.cuobjdump, {"-lelf"}, one.made.cubin_path,
                                   *one.made.cubin.text);
  note_time(one, names);
  const auto at = names.output.rfind(".sm_");  // "ELF file    1: NAME.sm_90.cubin"
  return at == std::string::npos ? "" : architecture_behind(names.output.substr(at), ".");
}

void builder::finish(order& whole, result& into) const {
  for (const auto& one : whole.items) {
    build& made = one->made;
    if (!whole.failure.empty() || made.kind != input_kind::cubin) continue;
    made.arch = architecture_of_cubin(*one);
    const std::string name = made.input.string();
    if (shop_.tools.nvdisasm.usable() && !made.sass_json.text && !made.sass_text.text) {
      whole.failure = fmt::format("{}: {}", name, made.sass_text.problem);
    } else if (!whole.asked->arch.empty() && !made.arch.empty() && made.arch != whole.asked->arch) {
      whole.failure =
          fmt::format("{}: the cubin is for {}, not for {}", name, made.arch, whole.asked->arch);
    }
  }
  into.failure = whole.failure;
  if (!whole.failure.empty()) return;
  for (const auto& one : whole.items) into.builds.push_back(std::move(one->made));
}

std::vector<result> builder::run(const std::vector<request>& requests) {
  std::vector<std::unique_ptr<order>> orders;
  for (const request& asked : requests) {
    order& whole = *orders.emplace_back(std::make_unique<order>());
    whole.asked = &asked;
    add(
        whole, [this, &whole] { begin(whole); }, false);
  }
  pool_.wait();
  std::vector<result> results(requests.size());
  for (std::size_t i = 0; i < orders.size(); ++i) finish(*orders[i], results[i]);
  return results;
}

std::vector<result> build_all(const toolset& tools, const cache& store,
                              const std::vector<request>& requests, const options& how) {
  const interrupt_scope scope;  // before the builder, so that its temporary folders go first
  return builder(tools, store, how).run(requests);
}

std::vector<build> build_one(const toolset& tools, const cache& store, const request& what,
                             const options& how) {
  auto results = build_all(tools, store, {what}, how);
  if (!results[0].failure.empty()) throw error(results[0].failure);
  return std::move(results[0].builds);
}

}  // namespace ptxlab::toolchain
