// SPDX-License-Identifier: Apache-2.0
// Question: how many warp-wide results does one SM deliver per cycle, and what does it take to get
// there?
//
// Method: 1, 2, 4 and 8 independent streams of copies in 1 to 32 warps of one SM; from the first
// warp's start to the last one's end, at two lengths; the slope gives copies per cycle.
//
// Expectation: the width of the unit that the counted instruction runs on, or of the narrowest one
// that its copy needs.
//
// Threats: all operands of a stream but one are shared, so the operand reuse cache helps.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/streams.cuh"
#include "ptx/device/warp.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

extern "C" __global__ void __launch_bounds__(1024) match_all_sync_b32(sample* out, const word* in) {
  time_streams<64, unsigned>(out, in,
                             [](unsigned x, unsigned, unsigned) { return match_all_sync_b32(x); });
}

extern "C" __global__ void __launch_bounds__(1024) match_any_sync_b32(sample* out, const word* in) {
  time_streams<64, unsigned>(out, in,
                             [](unsigned x, unsigned, unsigned) { return match_any_sync_b32(x); });
}

extern "C" __global__ void __launch_bounds__(1024) redux_sync_add_u32(sample* out, const word* in) {
  time_streams<64, unsigned>(out, in,
                             [](unsigned x, unsigned, unsigned) { return redux_sync_add_u32(x); });
}

extern "C" __global__ void __launch_bounds__(1024) redux_sync_min_u32(sample* out, const word* in) {
  time_streams<64, unsigned>(out, in,
                             [](unsigned x, unsigned, unsigned) { return redux_sync_min_u32(x); });
}

extern "C" __global__ void __launch_bounds__(1024) redux_sync_or_b32(sample* out, const word* in) {
  time_streams<64, unsigned>(out, in,
                             [](unsigned x, unsigned, unsigned) { return redux_sync_or_b32(x); });
}

extern "C" __global__ void __launch_bounds__(1024) shfl_sync_bfly_b32(sample* out, const word* in) {
  time_streams<64, unsigned>(
      out, in, [](unsigned x, unsigned a, unsigned) { return shfl_sync_bfly_b32(x, a); });
}

extern "C" __global__ void __launch_bounds__(1024) shfl_sync_idx_b32(sample* out, const word* in) {
  time_streams<64, unsigned>(
      out, in, [](unsigned x, unsigned, unsigned) { return shfl_sync_idx_b32(x, x); });
}

extern "C" __global__ void __launch_bounds__(1024) shfl_sync_up_b32(sample* out, const word* in) {
  time_streams<64, unsigned>(
      out, in, [](unsigned x, unsigned a, unsigned) { return shfl_sync_up_b32(x, a); });
}

extern "C" __global__ void __launch_bounds__(1024) vote_sync_all(sample* out, const word* in) {
  time_streams<64, unsigned>(
      out, in, [](unsigned x, unsigned a, unsigned b) { return vote_sync_all_selp(x, a, b, x); });
}

extern "C" __global__ void __launch_bounds__(1024)
    vote_sync_ballot_b32(sample* out, const word* in) {
  time_streams<64, unsigned>(
      out, in, [](unsigned x, unsigned a, unsigned) { return vote_sync_ballot_b32(x, a); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;

PTXLAB_KERNEL({
    .question = "How many warp-wide results does one SM deliver per cycle?",
    .variants =
        {
            {.symbol = "match_all_sync_b32",
             .says = "match.all.sync.b32, all lanes alike",
             .measure = {.how = throughput, .sass = {"MATCH.ALL"}, .copies = 64, .operands = {1}}},
            {.symbol = "match_any_sync_b32",
             .says = "match.any.sync.b32, all lanes alike",
             .measure = {.how = throughput, .sass = {"MATCH.ANY"}, .copies = 64, .operands = {1}}},
            {.symbol = "redux_sync_add_u32",
             .says = "redux.sync.add.u32 and a move out of the uniform register; the sum is 0 "
                     "after 7 copies",
             .measure = {.how = throughput,
                         .sass = {"REDUX.SUM", "MOV", "IMAD.U32"},
                         .copies = 64,
                         .operands = {1}}},
            {.symbol = "redux_sync_min_u32",
             .says = "redux.sync.min.u32 and a move out of the uniform register",
             .measure = {.how = throughput,
                         .sass = {"REDUX.MIN*", "MOV", "IMAD.U32"},
                         .copies = 64,
                         .operands = {1}}},
            {.symbol = "redux_sync_or_b32",
             .says = "redux.sync.or.b32 and a move out of the uniform register",
             .measure = {.how = throughput,
                         .sass = {"REDUX.OR", "MOV", "IMAD.U32"},
                         .copies = 64,
                         .operands = {1}}},
            {.symbol = "shfl_sync_bfly_b32",
             .says = "shfl.sync.bfly.b32",
             .measure = {.how = throughput,
                         .sass = {"SHFL.BFLY"},
                         .copies = 64,
                         .operands = {1, 1},
                         .published = "warp shuffle throughput nominal"}},
            {.symbol = "shfl_sync_idx_b32",
             .says = "shfl.sync.idx.b32 from the lane that the value names",
             .measure = {.how = throughput, .sass = {"SHFL.IDX"}, .copies = 64, .operands = {1}}},
            {.symbol = "shfl_sync_up_b32",
             .says = "shfl.sync.up.b32",
             .measure = {.how = throughput, .sass = {"SHFL.UP"}, .copies = 64, .operands = {1, 1}}},
            {.symbol = "vote_sync_all",
             .says = "setp.ne.u32, vote.sync.all.pred and selp.u32; one copy is the three",
             .measure = {.how = throughput,
                         .sass = {"VOTE*", "ISETP*", "SEL"},
                         .copies = 64,
                         .operands = {1, 3, 5}}},
            {.symbol = "vote_sync_ballot_b32",
             .says = "setp.lt.u32 and vote.sync.ballot.b32; one copy is the pair",
             .measure = {.how = throughput,
                         .sass = {"VOTE*", "ISETP*"},
                         .copies = 64,
                         .operands = {1, 3}}},
        },
});
#endif
