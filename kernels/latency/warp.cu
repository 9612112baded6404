// SPDX-License-Identifier: Apache-2.0
// Question: after how many cycles can the next instruction use a warp-wide result?
//
// Method: N, 2N and 4N copies, each fed by the one before, in one warp; the slope is the latency.
//
// Expectation: a shuffle takes over 20 cycles; what writes a uniform register takes longer still.
// activemask, elect and bar.warp.sync are in controls/folded.cu: nothing of them is left to time.
//
// Threats: all lanes hold the same value: match and redux may take longer where they differ.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/timing.cuh"
#include "ptx/device/warp.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

extern "C" __global__ void match_all_sync_b32(sample* out, const word* in) {
  time_chain<32, unsigned>(out, in,
                           [](unsigned x, unsigned, unsigned) { return match_all_sync_b32(x); });
}

extern "C" __global__ void match_any_sync_b32(sample* out, const word* in) {
  time_chain<32, unsigned>(out, in,
                           [](unsigned x, unsigned, unsigned) { return match_any_sync_b32(x); });
}

extern "C" __global__ void redux_sync_add_u32(sample* out, const word* in) {
  time_chain<32, unsigned>(out, in,
                           [](unsigned x, unsigned, unsigned) { return redux_sync_add_u32(x); });
}

extern "C" __global__ void redux_sync_min_u32(sample* out, const word* in) {
  time_chain<32, unsigned>(out, in,
                           [](unsigned x, unsigned, unsigned) { return redux_sync_min_u32(x); });
}

extern "C" __global__ void redux_sync_or_b32(sample* out, const word* in) {
  time_chain<32, unsigned>(out, in,
                           [](unsigned x, unsigned, unsigned) { return redux_sync_or_b32(x); });
}

extern "C" __global__ void shfl_sync_bfly_b32(sample* out, const word* in) {
  time_chain<32, unsigned>(
      out, in, [](unsigned x, unsigned a, unsigned) { return shfl_sync_bfly_b32(x, a); });
}

extern "C" __global__ void shfl_sync_idx_b32(sample* out, const word* in) {
  time_chain<32, unsigned>(out, in,
                           [](unsigned x, unsigned, unsigned) { return shfl_sync_idx_b32(x, x); });
}

extern "C" __global__ void shfl_sync_up_b32(sample* out, const word* in) {
  time_chain<32, unsigned>(out, in,
                           [](unsigned x, unsigned a, unsigned) { return shfl_sync_up_b32(x, a); });
}

extern "C" __global__ void vote_sync_all(sample* out, const word* in) {
  time_chain<32, unsigned>(
      out, in, [](unsigned x, unsigned a, unsigned b) { return vote_sync_all_selp(x, a, b, x); });
}

extern "C" __global__ void vote_sync_ballot_b32(sample* out, const word* in) {
  time_chain<32, unsigned>(
      out, in, [](unsigned x, unsigned a, unsigned) { return vote_sync_ballot_b32(x, a); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;

PTXLAB_KERNEL({
    .question = "After how many cycles can the next instruction use a warp-wide result?",
    .variants =
        {
            {.symbol = "match_all_sync_b32",
             .says = "match.all.sync.b32, all lanes alike",
             .measure = {.how = latency, .sass = {"MATCH.ALL"}, .operands = {1}}},
            {.symbol = "match_any_sync_b32",
             .says = "match.any.sync.b32, all lanes alike",
             .measure = {.how = latency, .sass = {"MATCH.ANY"}, .operands = {1}}},
            {.symbol = "redux_sync_add_u32",
             .says = "redux.sync.add.u32 and a move out of the uniform register; the sum is 0 "
                     "after 7 copies",
             .measure = {.how = latency,
                         .sass = {"REDUX.SUM", "MOV", "IMAD.U32"},
                         .operands = {1}}},
            {.symbol = "redux_sync_min_u32",
             .says = "redux.sync.min.u32 and a move out of the uniform register",
             .measure = {.how = latency,
                         .sass = {"REDUX.MIN*", "MOV", "IMAD.U32"},
                         .operands = {1}}},
            {.symbol = "redux_sync_or_b32",
             .says = "redux.sync.or.b32 and a move out of the uniform register",
             .measure = {.how = latency, .sass = {"REDUX.OR", "MOV", "IMAD.U32"}, .operands = {1}}},
            {.symbol = "shfl_sync_bfly_b32",
             .says = "shfl.sync.bfly.b32",
             .measure = {.how = latency, .sass = {"SHFL.BFLY"}, .operands = {1, 1}}},
            {.symbol = "shfl_sync_idx_b32",
             .says = "shfl.sync.idx.b32 from the lane that the value names",
             .measure = {.how = latency, .sass = {"SHFL.IDX"}, .operands = {1}}},
            {.symbol = "shfl_sync_up_b32",
             .says = "shfl.sync.up.b32",
             .measure = {.how = latency, .sass = {"SHFL.UP"}, .operands = {1, 1}}},
            {.symbol = "vote_sync_all",
             .says = "setp.ne.u32, vote.sync.all.pred and selp.u32; one copy is the three",
             .measure = {.how = latency,
                         .sass = {"VOTE*", "ISETP*", "SEL"},
                         .operands = {1, 3, 5}}},
            {.symbol = "vote_sync_ballot_b32",
             .says = "setp.lt.u32 and vote.sync.ballot.b32; one copy is the pair",
             .measure = {.how = latency, .sass = {"VOTE*", "ISETP*"}, .operands = {1, 3}}},
        },
});
#endif
