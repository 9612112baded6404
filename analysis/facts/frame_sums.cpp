// SPDX-License-Identifier: Apache-2.0
// With CUDA 13.0 a whole-program build prints a callee's block anew behind each entry that uses it;
// a relocatable or -G build prints it once, with a "Compile time" line of its own.
#include "analysis/facts/frame_sums.hpp"

#include <fmt/format.h>

#include <set>

namespace ptxlab::facts {
namespace {

std::string frame_text(const ptxas_block& b) {
  const auto text = [](count value) { return value ? fmt::format("{}", *value) : "?"; };
  return fmt::format("'{}' (frame {}, spill stores {}, spill loads {} bytes)", b.function,
                     text(b.stack_bytes), text(b.spill_store_bytes), text(b.spill_load_bytes));
}

bool idle(const ptxas_block& b) {
  return b.stack_bytes == 0 && b.spill_store_bytes == 0 && b.spill_load_bytes == 0;
}

/// Names without nvdisasm's "$entry$" in front.
std::set<std::string> callee_names(const std::optional<call_targets>& calls) {
  std::set<std::string> names;
  if (!calls) return names;
  for (const std::string& callee : calls->callees) {
    const auto second = callee.starts_with('$') ? callee.find('$', 1) : std::string::npos;
    names.insert(second == std::string::npos ? callee : callee.substr(second + 1));
  }
  return names;
}

class summer {
 public:
  summer(const ptxas_log& log, const ptxas_block& entry, const std::optional<call_targets>& calls)
      : log_(log), entry_(entry), calls_(calls), names_(callee_names(calls)) {}

  frame_sums run();

 private:
  bool add_callees();
  bool nothing_loose();
  const ptxas_block* block_of(const std::string& name);
  bool may_belong(const ptxas_block& block) const;

  const ptxas_log& log_;
  const ptxas_block& entry_;
  const std::optional<call_targets>& calls_;
  std::set<std::string> names_;
  frame_sums out_;
};

/// The block of a callee as compiled for this entry; null, with a note, if that is not clear.
const ptxas_block* summer::block_of(const std::string& name) {
  const ptxas_block* mine = nullptr;
  const ptxas_block* any = nullptr;
  bool differ = false;
  for (const ptxas_block* block : log_.blocks_of(name, entry_.arch)) {
    if (block->tool != "ptxas" || block == &entry_) continue;
    if (block->section == entry_.section && block->after_entry == entry_.function) mine = block;
    if (any != nullptr && !same_numbers(*any, *block)) differ = true;
    any = block;
  }
  if (mine != nullptr) return mine;
  if (any == nullptr) {
    out_.notes.push_back(fmt::format(
        "callee '{}' has no block in the log: inlined, or the log is not complete", name));
  } else if (differ) {
    out_.notes.push_back(fmt::format(
        "callee '{}' has several blocks with different numbers, none of them printed for '{}'",
        name, entry_.function));
  }
  return differ ? nullptr : any;
}

bool summer::add_callees() {
  bool known = true;
  for (const std::string& name : names_) {
    const ptxas_block* block = block_of(name);
    if (block == nullptr || !block->stack_bytes) {
      if (block != nullptr) {
        out_.notes.push_back(fmt::format("callee '{}' has no frame line in the log", name));
      }
      known = false;
      continue;
    }
    *out_.stack_bytes += *block->stack_bytes;
    *out_.spill_store_bytes += *block->spill_store_bytes;
    *out_.spill_load_bytes += *block->spill_load_bytes;
    if (*block->stack_bytes > out_.largest_frame) {
      out_.largest_frame = *block->stack_bytes;
      out_.largest_frame_of = name;
    }
  }
  return known;
}

/// Whether a callee's block may count for this entry although no known call reaches it.
bool summer::may_belong(const ptxas_block& block) const {
  if (block.entry || block.tool != "ptxas" || names_.contains(block.function)) return false;
  if ((block.arch != entry_.arch && !block.arch.empty()) || idle(block)) return false;
  if (!calls_ || calls_->indirect) return true;
  // With complete calls only a block printed for this very entry contradicts them. The position can
  // be trusted where the log has "Compile time" lines (13.0) and this block has none.
  return entry_.compile_ms && !block.compile_ms && block.section == entry_.section &&
         block.after_entry == entry_.function;
}

bool summer::nothing_loose() {
  std::set<std::string> seen;
  for (const ptxas_block& block : log_.blocks) {
    if (!may_belong(block)) continue;
    const std::string text = frame_text(block);
    if (!seen.insert(text).second) continue;
    out_.notes.push_back(
        fmt::format("listed separately, {}: {}",
                    calls_ ? "no known call reaches it" : "the calls are not known", text));
  }
  return seen.empty();
}

frame_sums summer::run() {
  if (!entry_.stack_bytes) {
    out_.notes.push_back(fmt::format("the log has no frame line for '{}'", entry_.function));
    return out_;
  }
  out_.stack_bytes = entry_.stack_bytes;
  out_.spill_store_bytes = entry_.spill_store_bytes;
  out_.spill_load_bytes = entry_.spill_load_bytes;
  out_.largest_frame = *entry_.stack_bytes;
  out_.largest_frame_of = entry_.function;
  bool known = add_callees();
  known = nothing_loose() && known;
  if (calls_ && calls_->external) {
    out_.notes.push_back(
        "calls functions of another file: their frames and spills are not in this log");
    known = false;
  }
  if (known) return out_;
  out_.stack_bytes = out_.spill_store_bytes = out_.spill_load_bytes = std::nullopt;
  out_.notes.push_back("of the entry alone: " + frame_text(entry_));
  return out_;
}

}  // namespace

bool same_numbers(const ptxas_block& a, const ptxas_block& b) {
  return a.registers == b.registers && a.barriers == b.barriers && a.stack_bytes == b.stack_bytes &&
         a.spill_store_bytes == b.spill_store_bytes && a.spill_load_bytes == b.spill_load_bytes &&
         a.cumulative_stack_bytes == b.cumulative_stack_bytes && a.shared_bytes == b.shared_bytes &&
         a.local_bytes == b.local_bytes && a.constant_bytes == b.constant_bytes &&
         a.textures == b.textures && a.surfaces == b.surfaces && a.samplers == b.samplers;
}

frame_sums sum_frames(const ptxas_log& log, const ptxas_block& entry,
                      const std::optional<call_targets>& calls) {
  return summer(log, entry, calls).run();
}

}  // namespace ptxlab::facts
