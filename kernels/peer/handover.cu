// SPDX-License-Identifier: Apache-2.0
// Question: how long does a word take from one GPU to another of the same host and back, and from a
// GPU to the host and back?
//
// Method: one warp of each GPU, or a warp and a thread of the host, wait until the other's word has
// the value of this round; then one lane writes their own, as in handover/pair. The two words lie in the
// memory of one GPU, of the other, of the host, or each where it is polled. R and 2R rounds; the slope
// on the first GPU's clock is a round trip.
//
// Expectation: best where each polls its own memory: then a hand-over is one store through NVLink and
// the poll that sees it. Where a side polls the other's memory, every failed poll is a round trip.
// Release adds what it costs to wait until the store before has arrived, here the one of the last
// round.
//
// Threats: a block waits alone on its GPU, so nothing competes for the link. The host's answer depends
// on its core's clock and on what else runs there.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/atomic.cuh"
#include "ptx/device/exchange.cuh"
#include "ptx/device/system.cuh"
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

// The word of this side, the other's, and whether this side begins. A second block of the same launch
// is the other side, so that one GPU (or the PTX machine) can play both.
struct places {
  word mine, theirs;
  unsigned lead;
};

static __device__ __forceinline__ places places_of(const word* in) {
  auto const mine = operand<word>(in, peer_operand::mine);
  auto const theirs = operand<word>(in, peer_operand::theirs);
  auto const lead = operand<unsigned>(in, peer_operand::leads);
  if (blockIdx.x == 0) return {mine, theirs, lead};
  return {theirs, mine, 1 - lead};
}

extern "C" __global__ void acquire_release(sample* out, const word* in) {
  places const p = places_of(in);
  time_exchange(out, in, [=](unsigned round) {
    while (ld_acquire_sys_global_u32(p.theirs) != round - p.lead) {
    }
    if (threadIdx.x == 0) st_release_sys_global_u32(p.mine, round);
  });
}

extern "C" __global__ void acquire_red(sample* out, const word* in) {
  places const p = places_of(in);
  time_exchange(out, in, [=](unsigned round) {
    while (ld_acquire_sys_global_u32(p.theirs) != round - p.lead) {
    }
    if (threadIdx.x == 0) red_release_sys_global_add_u32(p.mine, 1);
  });
}

extern "C" __global__ void relaxed(sample* out, const word* in) {
  places const p = places_of(in);
  time_exchange(out, in, [=](unsigned round) {
    while (ld_relaxed_sys_global_u32(p.theirs) != round - p.lead) {
    }
    if (threadIdx.x == 0) st_relaxed_sys_global_u32(p.mine, round);
  });
}

extern "C" __global__ void relaxed_red(sample* out, const word* in) {
  places const p = places_of(in);
  time_exchange(out, in, [=](unsigned round) {
    while (ld_relaxed_sys_global_u32(p.theirs) != round - p.lead) {
    }
    if (threadIdx.x == 0) red_relaxed_sys_global_add_u32(p.mine, 1);
  });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;
using ptxlab::kernels::meeting;

PTXLAB_KERNEL({
    .question = "How long does a word take from one GPU to another of the same host and back, and from a GPU to the host and back?",
    .variants =
        {
            {.symbol = "acquire_red",
             .says = "ld.acquire.sys and red.release.sys.add",
             .must = {"loop polls; strength >= acquire"},
             .measure = {.how = peer,
                         .sass = {"LDG*.STRONG.SYS", "REDG*.STRONG.SYS", "MEMBAR*", "ERRBAR",
                                  "CGAERRBAR", "CCTL.IVALL"},
                         .expands = true,
                         .meets = meeting::hand_over}},
            {.symbol = "acquire_release",
             .says = "ld.acquire.sys and st.release.sys",
             .must = {"loop polls; strength >= acquire"},
             .measure = {.how = peer,
                         .sass = {"LDG*.STRONG.SYS", "STG*.STRONG.SYS", "MEMBAR*", "ERRBAR",
                                  "CGAERRBAR", "CCTL.IVALL"},
                         .meets = meeting::hand_over}},
            {.symbol = "relaxed",
             .says = "ld.relaxed.sys and st.relaxed.sys",
             .must = {"loop polls; strength >= relaxed"},
             .measure = {.how = peer,
                         .sass = {"LDG*.STRONG.SYS", "STG*.STRONG.SYS"},
                         .meets = meeting::hand_over}},
            {.symbol = "relaxed_red",
             .says = "ld.relaxed.sys and red.relaxed.sys.add",
             .must = {"loop polls; strength >= relaxed"},
             .measure = {.how = peer,
                         .sass = {"LDG*.STRONG.SYS", "REDG*.STRONG.SYS"},
                         .expands = true,
                         .meets = meeting::hand_over}},
        },
});
#endif
