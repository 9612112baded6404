// SPDX-License-Identifier: Apache-2.0
// What a sorting kernel says of its work to the host: shared by both, so it is plain C++.
#pragma once

namespace ptxlab::device {

/// Zeroed by the host before the first launch of a sort.
struct sort_counts {
  unsigned long long cycles;     ///< of all passes of a block, by %clock64
  unsigned long long exchanges;  ///< of a kernel that counts them
  unsigned passes;               ///< of a kernel that does more than one
  /// The last pass that changed anything, from 1; of kernels that look only now and then, the last
  /// look that found a change. 0: none did.
  unsigned last_change;
  unsigned zero_orders;  ///< elements of order 0, of a sort by three keys
  unsigned spare;
};

}  // namespace ptxlab::device
