// SPDX-License-Identifier: Apache-2.0
// Counts, for each memory instruction of a launch, what its accesses cost under the models of
// coalescing.hpp and banks.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ptx/machine/observer.hpp"
#include "ptx/machine/observers/banks.hpp"
#include "ptx/machine/observers/coalescing.hpp"
#include "ptx/machine/observers/site_name.hpp"

namespace ptxlab::machine {

/// Sums of bank_passes over accesses; the largest degree.
struct bank_totals {
  std::uint64_t requests = 0, passes = 0;
  std::uint32_t degree = 0;
};

/// What the accesses of one site to one space add up to.
struct traffic_counts {
  std::uint64_t requests = 0;  ///< warp instructions
  std::uint64_t lanes = 0;     ///< active in them
  std::uint64_t bytes = 0;     ///< asked for by all lanes together
  /// Warp instructions that a model cannot tell about (width, alignment): in no count below.
  std::uint64_t not_modelled = 0;

  // Global memory. The rules of 1.0 and 1.2 speak of loads and stores: of atomic operations and
  // reductions only what today's rule gives is counted.
  std::uint64_t cc10 = 0, cc10_bytes = 0, cc12 = 0, cc12_bytes = 0;
  std::uint64_t sectors = 0, lines = 0, ideal_sectors = 0;

  // Shared memory. Atomic operations are counted like loads: the passes to reach the banks, without
  // those for lanes on the same word.
  bank_totals banks16, banks32;

  // Atomic operations and reductions of any space, and constant memory, which serves one address at
  // a time (CUDA C Programming Guide, "Constant Memory").
  std::uint64_t addresses = 0;     ///< different ones, summed over the requests
  std::uint32_t same_address = 0;  ///< lanes on one address, the most in one request
};

struct traffic_row {
  site_name where;
  flow::space space = flow::space::global;
  flow::kind what = flow::kind::load;
  traffic_counts counts;

  bool is_atomic() const { return what == flow::kind::atomic || what == flow::kind::reduction; }
};

struct traffic_report {
  launch_name launch;
  std::vector<traffic_row> rows;  ///< by file, line, PTX line, space
};

/// The observer. It keeps the last pattern of each site, and an access that only shifts it by whole
/// lines costs a comparison; nothing is allocated but at the first access of a site.
class traffic : public observer {
 public:
  void begin(const launch_info& l, const place_names& names) override;
  /// Throws ptxlab::error for a site that the launch does not have.
  void accessed(const access& a) override;
  void end() override;

  /// Of the last launch that ended; empty before the first.
  const traffic_report& report() const { return report_; }

 private:
  /// What one access adds; depends on the pattern of addresses up to a shift by whole lines.
  struct cost {
    warp_transactions global;
    bank_passes banks16, banks32;
    address_sharing shared_by;
    bool told = true;
  };
  struct tally {
    std::uint32_t site = 0;
    flow::space space = flow::space::global;
    flow::kind what = flow::kind::load;
    traffic_counts counts;
    // The last pattern and its cost.
    lane_mask mask = 0;
    std::uint32_t bytes = 0;
    std::array<address, warp_lanes> at{};
    cost last;

    bool is_atomic() const { return what == flow::kind::atomic || what == flow::kind::reduction; }
    bool repeats(const access& a) const;
    void remember(const access& a);
    void add();
  };
  static constexpr std::size_t spaces = 8;  ///< enumerators of flow::space

  tally& tally_of(const access& a);

  std::span<const site> sites_;
  std::vector<std::uint32_t> where_;  ///< index into tallies_ of [site * spaces + space]
  std::vector<tally> tallies_;
  traffic_report report_;
  launch_name launch_;
};

}  // namespace ptxlab::machine
