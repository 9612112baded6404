// SPDX-License-Identifier: Apache-2.0
// Rules of the merge. Each was checked against CUDA 13.0.88 (tests/unit/logs).
#include "analysis/facts/resources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace ptxlab::facts {
namespace {

constexpr std::int64_t reserved_shared_bytes = 1024;  ///< by the system, per block, from sm_90 on

class merger {
 public:
  explicit merger(const resource_sources& sources) : in_(sources) {}
  resources run();

 private:
  void find_blocks();
  void find_record();
  void merge_counts();
  void merge_shared();
  void merge_frames();
  void merge_cumulative_stack();
  void take_spill_warnings();
  void say_what_is_missing();

  count agreed(std::string_view what, count linked, count compiled, count recorded);
  /// The entry is known to call nothing.
  bool leaf() const {
    return in_.calls && in_.calls->callees.empty() && !in_.calls->indirect &&
           !in_.calls->external && !in_.calls->recursive;
  }
  bool reserves_shared() const { return sm_number(in_.arch).value_or(0) >= 90; }

  template <typename... Args>
  void note(fmt::format_string<Args...> format, Args&&... args) {
    out_.notes.push_back(fmt::format(format, std::forward<Args>(args)...));
  }

  const resource_sources& in_;
  resources out_;
  const ptxas_block* own_ = nullptr;     ///< ptxas: before linking
  const ptxas_block* linked_ = nullptr;  ///< nvlink: after it
  const res_usage_function* record_ = nullptr;
  std::int64_t largest_frame_ = 0;  ///< of the entry and its callees
  std::string largest_frame_of_;
};

void merger::find_blocks() {
  if (in_.log == nullptr) return;
  if (!in_.log->reason.empty()) {
    note("ptxas log: {}", in_.log->reason);
    return;
  }
  for (const std::string_view tool : {"ptxas", "nvlink"}) {
    const ptxas_block*& slot = tool == "ptxas" ? own_ : linked_;
    bool conflict = false;
    for (const ptxas_block* block : in_.log->blocks_of(in_.function, in_.arch)) {
      if (block->tool != tool) continue;
      if (slot != nullptr && !same_numbers(*slot, *block)) conflict = true;
      if (slot == nullptr) slot = block;
    }
    if (!conflict) continue;
    note("the {} log has several blocks for '{}' on {} with different numbers", tool, in_.function,
         in_.arch);
    slot = nullptr;
  }
  if (own_ == nullptr) note("the log has no ptxas block for '{}' on {}", in_.function, in_.arch);
}

void merger::find_record() {
  if (in_.usage == nullptr) return;
  if (!in_.usage->reason.empty()) {
    note("res-usage: {}", in_.usage->reason);
    return;
  }
  const auto records = in_.usage->records_of(in_.function, in_.arch);
  if (records.empty()) {
    note("cuobjdump -res-usage has no '{}' on {}", in_.function, in_.arch);
    return;
  }
  if (records.size() > 1) {
    note("cuobjdump -res-usage has '{}' on {} {} times; none is taken", in_.function, in_.arch,
         records.size());
    return;
  }
  if (!records[0]->entry) {
    note("cuobjdump -res-usage reports no resources of '{}': it is no kernel", in_.function);
    return;
  }
  record_ = records[0];
}

/// The number that the tools agree on. Linking can change what ptxas said, so nvlink's goes first.
count merger::agreed(std::string_view what, count linked, count compiled, count recorded) {
  const count logged = linked ? linked : compiled;
  if (!logged || !recorded) return logged ? logged : recorded;
  if (*logged == *recorded) return logged;
  note("{}: {} says {}, cuobjdump -res-usage says {}: not of one build?", what,
       linked ? "nvlink" : "ptxas", *logged, *recorded);
  return {};
}

void merger::merge_counts() {
  static const ptxas_block no_block;
  static const res_usage_function no_record;
  const ptxas_block& l = linked_ != nullptr ? *linked_ : no_block;
  const ptxas_block& c = own_ != nullptr ? *own_ : no_block;
  const res_usage_function& r = record_ != nullptr ? *record_ : no_record;
  const auto bank0 = [](const std::map<int, std::int64_t>& banks) {
    const auto at = banks.find(0);
    return at == banks.end() ? count{} : count{at->second};
  };
  out_.registers = agreed("registers", l.registers, c.registers, r.registers);
  out_.barriers = l.barriers ? l.barriers : c.barriers;
  out_.local_bytes = agreed("local_bytes", l.local_bytes, c.local_bytes, r.local_bytes);
  out_.constant_bytes = agreed("constant_bytes", bank0(l.constant_bytes), bank0(c.constant_bytes),
                               bank0(r.constant_bytes));
  out_.textures = agreed("textures", l.textures, c.textures, r.textures);
  out_.surfaces = agreed("surfaces", l.surfaces, c.surfaces, r.surfaces);
  out_.samplers = agreed("samplers", l.samplers, c.samplers, r.samplers);
}

void merger::merge_shared() {
  const count recorded = record_ != nullptr ? record_->shared_bytes : count{};
  const bool reserves = reserves_shared();
  if (own_ != nullptr && own_->registers) {
    const std::int64_t stated = own_->shared_bytes.value_or(0);  // ptxas leaves out a zero
    if (!recorded) {
      out_.shared_bytes = own_->shared_bytes;
      if (!out_.shared_bytes) note("shared_bytes: ptxas names none, and it leaves out a zero");
    } else if (*recorded == stated || (reserves && *recorded == stated + reserved_shared_bytes)) {
      out_.shared_bytes = stated;
    } else {
      note("shared_bytes: ptxas says {}, cuobjdump -res-usage says {}: not of one build?", stated,
           *recorded);
    }
    return;
  }
  const count total =
      linked_ != nullptr && linked_->shared_bytes ? linked_->shared_bytes : recorded;
  if (!total) return;
  if (!reserves || *total == 0 || (linked_ == nullptr && in_.relocatable == true)) {
    out_.shared_bytes = total;
  } else if ((linked_ != nullptr || in_.relocatable == false) && *total >= reserved_shared_bytes) {
    out_.shared_bytes = *total - reserved_shared_bytes;
  } else {
    note("shared_bytes: {} may include the {} that the system reserves; need ptxas -v", *total,
         reserved_shared_bytes);
  }
}

void merger::merge_frames() {
  if (own_ == nullptr) return;
  frame_sums sums = sum_frames(*in_.log, *own_, in_.calls);
  out_.stack_bytes = sums.stack_bytes;
  out_.spill_store_bytes = sums.spill_store_bytes;
  out_.spill_load_bytes = sums.spill_load_bytes;
  largest_frame_ = sums.largest_frame;
  largest_frame_of_ = std::move(sums.largest_frame_of);
  out_.notes.insert(out_.notes.end(), std::make_move_iterator(sums.notes.begin()),
                    std::make_move_iterator(sums.notes.end()));
}

void merger::merge_cumulative_stack() {
  out_.recursive = (in_.calls && in_.calls->recursive) ||
                   (own_ != nullptr && own_->unbounded_stack) ||
                   (linked_ != nullptr && linked_->unbounded_stack) ||
                   (record_ != nullptr && record_->unbounded_stack);
  if (out_.recursive) {
    note("recursion: the stack size cannot be statically determined");
    return;
  }
  const count linked = linked_ != nullptr ? linked_->cumulative_stack_bytes : count{};
  const count compiled = own_ != nullptr ? own_->cumulative_stack_bytes : count{};
  // Of a relocatable object cuobjdump cannot know the callees' part.
  const bool final = leaf() || in_.relocatable != true;
  const count recorded = record_ != nullptr && final ? record_->stack_bytes : count{};
  out_.cumulative_stack_bytes = agreed("cumulative_stack_bytes", linked, compiled, recorded);
  if (out_.cumulative_stack_bytes && *out_.cumulative_stack_bytes < largest_frame_) {
    note("cumulative_stack_bytes: {} is reported, yet the frame of '{}' has {}: recursion?",
         *out_.cumulative_stack_bytes, largest_frame_of_, largest_frame_);
    out_.cumulative_stack_bytes = std::nullopt;
  }
}

/// -warn-spills and -warn-lmem-usage: a source where the log has no block, else a check of it.
void merger::take_spill_warnings() {
  if (in_.log == nullptr) return;
  for (const spill_warning& warning : in_.log->spill_warnings) {
    if (warning.function != in_.function) continue;
    const bool of_frame = warning.stack_bytes.has_value();
    const bool matches =
        std::any_of(in_.log->blocks.begin(), in_.log->blocks.end(), [&](const ptxas_block& block) {
          if (block.function != warning.function) return false;
          return of_frame ? block.stack_bytes == warning.stack_bytes
                          : block.spill_store_bytes == warning.spill_store_bytes &&
                                block.spill_load_bytes == warning.spill_load_bytes;
        });
    if (matches) continue;
    if (of_frame) {
      out_.stack_bytes = std::nullopt;
    } else {
      out_.spill_store_bytes = out_.spill_load_bytes = std::nullopt;
    }
    note("{} (no block of the log has these numbers)", warning.line.text);
  }
}

void merger::say_what_is_missing() {
  if (in_.relocatable == true && linked_ == nullptr) {
    note("a relocatable object: linking can raise registers, stack and shared memory");
  }
  if (own_ != nullptr && !own_->stack_bytes && own_->local_bytes.value_or(0) > 0) {
    note("lmem of {} bytes: spill or array, cannot tell", *own_->local_bytes);
  }
  if (own_ != nullptr || record_ == nullptr) return;
  const std::int64_t frame = record_->stack_bytes.value_or(0);
  if (frame > 0) {
    note("frame of {} bytes: spill or array, cannot tell; need ptxas -v", frame);
  } else {
    note("spills are not reported; need ptxas -v");
  }
  if (leaf()) out_.stack_bytes = record_->stack_bytes;  // nothing but its own frame to cumulate
}

resources merger::run() {
  find_blocks();
  find_record();
  merge_counts();
  merge_shared();
  merge_frames();
  merge_cumulative_stack();
  take_spill_warnings();
  say_what_is_missing();
  return std::move(out_);
}

}  // namespace

resources merge_resources(const resource_sources& sources) {
  return merger(sources).run();
}

}  // namespace ptxlab::facts
