// SPDX-License-Identifier: Apache-2.0
// From an address operand to bytes on the host: what loads, stores and atomics have in common.
#pragma once

#include <cstddef>

#include "ptx/machine/builder.hpp"
#include "ptx/machine/context.hpp"
#include "ptx/machine/program.hpp"
#include "ptx/machine/warp.hpp"

namespace ptxlab::machine {

/// The lanes of one memory instruction, resolved.
struct resolved {
  const access_form* form = nullptr;
  address at[warp_lanes];       ///< as the instruction gives them
  std::byte* host[warp_lanes];  ///< of active lanes
};

/// The space that a generic address lies in, and the address there.
struct window_access {
  flow::space in;
  address offset;
};
inline window_access window_of(address at) {
  if (at - shared_base < window_bytes) return {flow::space::shared, at - shared_base};
  if (at - local_base < window_bytes) return {flow::space::local, at - local_base};
  return {flow::space::global, at};
}

/// Resolves the addresses of a step: bounds, alignment, life of the allocation, and (when asked
/// for) whether a load's bytes were ever written. Throws fault with the first lane that is wrong.
void resolve(const step& s, const context& c, resolved& r);
/// Its two halves, for who changes the addresses between them: r.form and r.at, then r.host.
void find_addresses(const step& s, const context& c, resolved& r);
void find_bytes(const step& s, const context& c, resolved& r);

/// What else is told of an access: as access::failed and access::by_copy say.
struct access_remarks {
  lane_mask failed = 0;
  bool by_copy = false;
};
/// Tells observers, if any, that the access was performed; `data` as access::data says.
void tell(const step& s, const context& c, const resolved& r, const std::byte* data,
          access_remarks also = {});

/// The flow::space, order and scope that an opcode's choice names: groups `space`, `sem`, `scope`.
access_form form_of(const choice& c, flow::kind what);
/// Adds a step with the form and address of operand `i`.
step& add_access(instruction_builder& b, run_function run, access_form f, std::size_t i);

/// Whether all 32 lanes access one place after the other: then host[0] is where they begin.
inline bool in_a_row(const context& c, const resolved& r) {
  if (c.mask != all_lanes || r.form->elements != 1 || r.form->space == flow::space::local ||
      r.form->space == flow::space::generic)
    return false;
  address differs = 0, next = r.at[0];
  for (unsigned i = 0; i < warp_lanes; ++i) {
    differs |= r.at[i] ^ next;
    next += r.form->bytes;
  }
  return differs == 0;
}

template <class F>
void each_active(const context& c, F f) {
  if (c.mask == all_lanes) {
    for (unsigned i = 0; i < warp_lanes; ++i) f(i);
    return;
  }
  for (lane_mask m = c.mask; m != 0; m &= m - 1) f(static_cast<unsigned>(__builtin_ctz(m)));
}

}  // namespace ptxlab::machine
