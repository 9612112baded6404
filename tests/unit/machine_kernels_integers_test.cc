// SPDX-License-Identifier: Apache-2.0
// References of the kernels that time one instruction on whole numbers and bits, and across the
// lanes of a warp, after PTX ISA 9.0.
#include <bit>

#include "tests/unit/machine/step_registration.hpp"

namespace ptxlab::machine {
namespace {

using u32 = std::uint32_t;
using s32 = std::int32_t;
using u64 = std::uint64_t;
using s64 = std::int64_t;

// --- bits ----------------------------------------------------------------------------------------

u32 reversed(u32 x) {
  u32 out = 0;
  for (int i = 0; i < 32; ++i) out |= (x >> i & 1) << (31 - i);
  return out;
}
u32 extracted(u32 x, u32 at, u32 length) {
  u32 out = 0;
  for (u32 i = 0; i < length && at + i < 32; ++i) out |= (x >> (at + i) & 1) << i;
  return out;
}
u32 inserted(u32 a, u32 b, u32 at, u32 length) {
  for (u32 i = 0; i < length && at + i < 32; ++i)
    b = (b & ~(1U << (at + i))) | (a >> i & 1) << (at + i);
  return b;
}
u32 permuted(u32 a, u32 b, u32 selector) {
  const u64 bytes = u64{b} << 32 | a;
  u32 out = 0;
  for (int i = 0; i < 4; ++i) {
    const u32 s = selector >> 4 * i & 15;
    u32 byte = static_cast<u32>(bytes >> 8 * (s & 7) & 0xff);
    if ((s & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
    out |= byte << 8 * i;
  }
  return out;
}
u32 by_table(u32 a, u32 b, u32 c, u32 table) {
  u32 out = 0;
  for (int i = 0; i < 32; ++i)
    out |= (table >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i;
  return out;
}

const step_registration bits[] = {
    {"bits/and_b32", each<u32>([](u32 x, u32 a, u32 b) { return (x & a) + b; })},
    {"bits/bfe_u32", each<u32>([](u32 x, u32 a, u32 b) { return extracted(x, a & 255, b & 255); })},
    {"bits/bfi_b32",
     each<u32>([](u32 x, u32 a, u32 b) { return inserted(x, a, b & 255, b & 255); })},
    {"bits/bfind_u32", each<u32>([](u32 x, u32, u32) { return std::bit_width(x) - 1; })},
    {"bits/brev_b32", each<u32>([](u32 x, u32, u32) { return reversed(x); })},
    {"bits/clz_b32", each<u32>([](u32 x, u32, u32) { return std::countl_zero(x); })},
    {"bits/lop3_b32", each<u32>([](u32 x, u32 a, u32 b) { return by_table(x, a, b, 0x6a); })},
    {"bits/or_b32", each<u32>([](u32 x, u32 a, u32 b) { return (x | a) + b; })},
    {"bits/popc_b32", each<u32>([](u32 x, u32, u32) { return std::popcount(x); })},
    {"bits/prmt_b32", each<u32>([](u32 x, u32 a, u32 b) { return permuted(x, a, b); })},
    {"bits/shf_l_wrap_b32", each<u32>([](u32 x, u32 a, u32 b) {
       return static_cast<u32>((u64{a} << 32 | x) << (b & 31) >> 32);
     })},
    {"bits/shf_r_clamp_b32", each<u32>([](u32 x, u32 a, u32 b) {
       return static_cast<u32>((u64{a} << 32 | x) >> std::min(b, 32U));
     })},
    {"bits/shl_b32", each<u32>([](u32 x, u32 a, u32) { return a > 31 ? 0 : x << a; })},
    {"bits/shr_s32", each<s32>([](s32 x, s32 a, s32) { return x >> std::min(a, 31); })},
    {"bits/xor_b32", each<u32>([](u32 x, u32 a, u32 b) { return (x ^ a) + b; })},
};

// --- whole numbers -------------------------------------------------------------------------------

s64 low24(s32 x) {
  return static_cast<s32>(static_cast<u32>(x) << 8) >> 8;
}
template <class T>
s32 dot(s32 x, s32 a, s32 c, int parts, unsigned bits_of_x) {
  u32 sum = static_cast<u32>(c);
  for (int i = 0; i < parts; ++i) {
    const s32 left =
        static_cast<s32>(static_cast<u32>(x) << (32 - bits_of_x * (unsigned(i) + 1))) >>
        (32 - bits_of_x);
    sum += static_cast<u32>(left) * static_cast<u32>(static_cast<T>(static_cast<u32>(a) >> 8 * i));
  }
  return static_cast<s32>(sum);
}

const step_registration whole[] = {
    {"int32/abs_s32",
     each<u32>([](u32 x, u32 a, u32) { return (static_cast<s32>(x) < 0 ? 0 - x : x) - a; })},
    {"int32/add_cc_addc_u32", each<u64>([](u64 x, u64 a, u64) { return x + a; })},
    {"int32/add_s32", each<u32>([](u32 x, u32 a, u32 b) { return x + a + b; })},
    {"int32/mad24_lo_s32", each<s32>([](s32 x, s32, s32 b) {
       return static_cast<u32>(low24(x) * low24(x)) + static_cast<u32>(b);
     })},
    {"int32/mad_lo_s32", each<u32>([](u32 x, u32 a, u32 b) { return x * a + b; })},
    {"int32/mad_wide_u32",
     each<u64>([](u64 x, u64, u64 b) { return (x & 0xffffffff) * (x >> 32) + b; })},
    {"int32/max_s32_xor", each<s32>([](s32 x, s32 a, s32 b) { return std::max(x, a) ^ b; })},
    {"int32/min_max_s32",
     each<s32>([](s32 x, s32 a, s32 b) { return std::max(std::min(x, a), b); })},
    {"int32/min_s32_xor", each<s32>([](s32 x, s32 a, s32 b) { return std::min(x, a) ^ b; })},
    {"int32/mul24_lo_s32",
     each<s32>([](s32 x, s32, s32) { return static_cast<u32>(low24(x) * low24(x)); })},
    {"int32/mul_hi_u32", each<u32>([](u32 x, u32 a, u32) { return u64{x} * a >> 32; })},
    {"int32/mul_lo_s32", each<u32>([](u32 x, u32 a, u32) { return x * a; })},
    {"int32/mul_wide_u32", each<u64>([](u64 x, u64, u64) { return (x & 0xffffffff) * (x >> 32); })},
    {"int32/sad_u32", each<u32>([](u32 x, u32 a, u32 b) { return (x < a ? a - x : x - a) + b; })},
    {"int32/sub_s32", each<u32>([](u32 x, u32 a, u32 b) { return x - a - b; })},
    {"int64/add_s64", each<u64>([](u64 x, u64 a, u64 b) { return x + a + b; })},
    {"int64/mad_lo_s64", each<u64>([](u64 x, u64 a, u64 b) { return x * a + b; })},
    {"int64/mad_lo_s64_addend", each<u64>([](u64 x, u64 a, u64 b) { return a * b + x; }), true,
     false},
    {"int64/min_s64", each<s64>([](s64 x, s64 a, s64) { return std::min(x, a); })},
    {"int64/mul_lo_s64", each<u64>([](u64 x, u64 a, u64) { return x * a; })},
    {"int64/popc_b64",
     each<u64>([](u64 x, u64 a, u64) { return static_cast<u64>(std::popcount(x)) + a; })},
    {"int64/shl_b64", each<u64>([](u64 x, u64 a, u64) { return x << a; })},
    {"division/div_s32", each<s32>([](s32 x, s32 a, s32) { return a / x; })},
    {"division/div_u32", each<u32>([](u32 x, u32 a, u32) { return a / x; })},
    {"division/div_u64", each<u64>([](u64 x, u64 a, u64) { return a / x; })},
    {"division/rem_s32", each<s32>([](s32 x, s32 a, s32 b) { return a % x + b; })},
    {"division/rem_u32", each<u32>([](u32 x, u32 a, u32 b) { return a % x + b; })},
    {"division/rem_u32_64", each<u32>([](u32 x, u32 a, u32) { return x % 64 + a; })},
    {"division/rem_u32_64_in_asm", each<u32>([](u32 x, u32 a, u32) { return x % 64 + a; })},
    {"division/rem_u32_same", each<u32>([](u32 x, u32 a, u32 b) { return x % a + b; })},
    {"division/rem_u64", each<u64>([](u64 x, u64 a, u64 b) { return a % x + b; })},
    {"dot/dp2a_lo_s32_s32",
     each<s32>([](s32 x, s32 a, s32 b) { return dot<std::int8_t>(x, a, b, 2, 16); })},
    {"dot/dp4a_s32_s32",
     each<s32>([](s32 x, s32 a, s32 b) { return dot<std::int8_t>(x, a, b, 4, 8); })},
    {"compare/setp_and_selp_s32",
     each<s32>([](s32 x, s32 a, s32 b) { return x < a && b < x ? b : x; })},
    {"compare/setp_selp_f32", each<float>([](float x, float a, float b) { return x < a ? b : x; })},
    {"compare/setp_selp_s32", each<s32>([](s32 x, s32 a, s32 b) { return x < a ? b : x; })},
    {"compare/slct_s32_s32", each<s32>([](s32 x, s32 a, s32 b) { return x >= 0 ? a : b; })},
};

// --- across the lanes of a warp ------------------------------------------------------------------

u32 lanes_that(const lane_words& x, const std::function<bool(u32)>& p) {
  u32 mask = 0;
  for (unsigned i = 0; i < warp_lanes; ++i)
    if (p(as<u32>(x[i]))) mask |= 1U << i;
  return mask;
}
u32 folded(const lane_words& x, const std::function<u32(u32, u32)>& f) {
  u32 out = as<u32>(x[0]);
  for (unsigned i = 1; i < warp_lanes; ++i) out = f(out, as<u32>(x[i]));
  return out;
}

const step_registration warp[] = {
    {"warp/match_all_sync_b32", across([](const lane_words& x, unsigned i, u32, u32) {
       const u32 same = lanes_that(x, [&](u32 v) { return v == as<u32>(x[i]); });
       return same == ~0U ? same : 0;
     })},
    {"warp/match_any_sync_b32", across([](const lane_words& x, unsigned i, u32, u32) {
       return lanes_that(x, [&](u32 v) { return v == as<u32>(x[i]); });
     })},
    {"warp/redux_sync_add_u32", across([](const lane_words& x, unsigned, u32, u32) {
       return folded(x, [](u32 a, u32 b) { return a + b; });
     })},
    {"warp/redux_sync_min_u32", across([](const lane_words& x, unsigned, u32, u32) {
       return folded(x, [](u32 a, u32 b) { return std::min(a, b); });
     })},
    {"warp/redux_sync_or_b32", across([](const lane_words& x, unsigned, u32, u32) {
       return folded(x, [](u32 a, u32 b) { return a | b; });
     })},
    {"warp/shfl_sync_bfly_b32",
     across([](const lane_words& x, unsigned i, u32 a, u32) { return x[i ^ a]; })},
    {"warp/shfl_sync_idx_b32",
     across([](const lane_words& x, unsigned i, u32, u32) { return x[x[i] & 31]; })},
    {"warp/shfl_sync_up_b32",
     across([](const lane_words& x, unsigned i, u32 a, u32) { return x[i < a ? i : i - a]; })},
    {"warp/vote_sync_all", across([](const lane_words& x, unsigned i, u32 a, u32 b) {
       return lanes_that(x, [&](u32 v) { return v != a; }) == ~0U ? b : x[i];
     })},
    {"warp/vote_sync_ballot_b32", across([](const lane_words& x, unsigned, u32 a, u32) {
       return lanes_that(x, [&](u32 v) { return v < a; });
     })},
};

}  // namespace
}  // namespace ptxlab::machine
