// SPDX-License-Identifier: Apache-2.0
// A warp of the machine: 32 lanes, in one or more fragments that run on their own until they meet
// again.
//
// A branch whose lanes part makes a join: the place where they meet, the immediate post-dominator,
// with the lanes that are to come. A fragment that gets there waits for the others. Under the
// policies with independent threads a join is given up when those who are still to come seem to
// wait for those who are here; under lockstep it never is, which is what a stack of reconvergence
// points does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ptx/machine/context.hpp"
#include "ptx/machine/fragment.hpp"
#include "ptx/machine/program.hpp"

namespace ptxlab::machine {

class block;
struct allocation;

class warp {
 public:
  warp(block& in, std::uint32_t number, lane_mask lanes);

  /// Runs one ready fragment for at most `most` steps; returns how many it ran. `carefully`: stops
  /// before a step that publishes, unless it is the first. Throws fault.
  std::uint64_t run(std::size_t fragment, std::uint64_t most, bool carefully = false);
  /// Whether the next step of a fragment publishes.
  bool about_to_publish(const fragment& f) const { return code_->steps[f.pc].publishes; }
  /// Lets fragments go on that wait for what has come meanwhile: lanes of the warp, a change of
  /// memory. Returns whether one is ready.
  bool settle();
  /// Gives up one join, innermost first, whose missing lanes wait or run long; whether there was
  /// one.
  bool give_up_join(bool missing_must_wait);
  /// Ends what a block barrier began: `value` is what its reduction gives.
  void pass_barrier(std::uint32_t barrier, std::uint32_t value);

  /// Lets a spinning fragment go round its loop once more, for those who watch.
  round_trip go_round(std::size_t fragment);
  /// The site of the step that ran last.
  std::uint32_t faulting_site() const { return site_; }

  bool finished() const { return live_ == 0; }
  lane_mask live() const { return live_; }
  lane_mask born() const { return born_; }
  std::uint32_t number() const { return number_; }
  const std::vector<fragment>& fragments() const { return fragments_; }
  const std::vector<join>& joins() const { return joins_; }
  const block& in() const { return in_; }
  block& in() { return in_; }
  std::uint64_t steps() const { return steps_; }
  /// Steps of the run in progress, for the clock.
  std::uint64_t steps_now() const { return now_; }

  // --- for the steps
  // ------------------------------------------------------------------------------
  const program& code() const { return *code_; }
  /// Local memory of one lane: the bytes that its activations have so far.
  std::byte* local_memory(unsigned lane) {
    return local_.data() + std::size_t{lane} * local_bytes_;
  }
  std::uint32_t local_bytes() const { return local_bytes_; }
  std::uint32_t local_offset() const { return frames_[fragments_[running_].frame].local; }
  /// A local store, a clock that was read: a fragment that repeats itself does neither.
  void touch() { ++touched_; }
  /// The allocation that was accessed last, a hint for the next access.
  const allocation* recent = nullptr;
  /// Registers of the running fragment, for reports: the context it would run in.
  context context_of(const fragment& f);

 private:
  void step_over(fragment& f, context& c);
  void handle(context& c);
  void diverge(context& c);
  void enter(context& c);
  void leave(context& c);
  void finish(lane_mask lanes);
  void wait_for_lanes(context& c);
  bool arrive(std::size_t fragment, std::uint32_t join);
  void complete(std::uint32_t join, lane_mask lanes, std::uint32_t keep);
  void do_return(fragment& f, std::uint32_t outer_join);
  bool settle_joins();
  bool settle_lanes();
  std::uint32_t meeting_point(const fragment& f) const {
    if (f.join == no_index || joins_[f.join].frame != f.frame) return no_index - 1;
    return joins_[f.join].pc;
  }
  bool repeats_itself(fragment& f, const context& c);
  std::uint64_t register_hash(const context& c) const;
  std::uint32_t new_frame(const frame& f);
  std::uint32_t new_join(const join& j);
  void make_room(const frame& f);
  void fill_specials();
  void expand(lane_mask mask);

  struct alignas(slot_bytes) slot_block {
    std::byte bytes[slot_bytes];
  };
  static std::byte* bytes_at(std::vector<slot_block>& from, std::size_t index) {
    return reinterpret_cast<std::byte*>(from.data()) + index * slot_bytes;
  }
  block& in_;
  const program* code_;
  std::uint32_t number_;
  lane_mask live_ = 0, born_ = 0;
  std::vector<fragment> fragments_;
  std::vector<join> joins_;
  std::vector<frame> frames_;
  std::vector<std::uint32_t> free_frames_;
  std::vector<slot_block> windows_, specials_;
  std::vector<std::byte> local_;
  std::uint32_t local_bytes_ = 0;
  lane_mask carry_ = 0;
  std::uint64_t steps_ = 0, touched_ = 0, now_ = 0;
  std::uint32_t running_ = 0, site_ = 0;
  lane_mask expanded_ = 0;
  alignas(slot_bytes) std::uint32_t on_[warp_lanes] = {};
};

}  // namespace ptxlab::machine
