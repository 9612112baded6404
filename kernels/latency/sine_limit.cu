// SPDX-License-Identifier: Apache-2.0
// Question: from which argument on does sinf become dear, then (48039) and now (105615)?
//
// Method: a chain of sinf and an addition that brings the argument back to where it was, on either
// side of both limits and far beyond; the slope over the number of copies is the latency.
//
// Expectation: the same up to 105615, where Payne and Hanek's reduction begins, with its loop
// through local memory; the same again from there on, however large. Nothing is left of 48039.
//
// Threats: all lanes of the warp are on one side; where they are not, the warp pays for both.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

static __device__ __forceinline__ void chain(sample* out, const word* in) {
  time_chain<4, float>(out, in, [](float x, float a, float) { return __fadd_rn(sinf(x), a); });
}

extern "C" __global__ void above_limit(sample* out, const word* in) {
  chain(out, in);
}

extern "C" __global__ void below_2009(sample* out, const word* in) {
  chain(out, in);
}

extern "C" __global__ void below_limit(sample* out, const word* in) {
  chain(out, in);
}

extern "C" __global__ void far(sample* out, const word* in) {
  chain(out, in);
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;
using ptxlab::kernels::bits;

PTXLAB_KERNEL({
    .question = "From which argument on does sinf become dear?",
    .variants =
        {
            {.symbol = "above_limit",
             .says = "sinf and an addition, arguments above 105615",
             .measure = {.how = latency,
                         .sass = {"F2I.NTZ"},
                         .copies = 4,
                         .expands = true,
                         .operands = {bits(105630.0F), bits(105630.0F)}}},
            {.symbol = "below_2009",
             .says = "sinf and an addition, arguments below 48039",
             .measure = {.how = latency,
                         .sass = {"F2I.NTZ"},
                         .copies = 4,
                         .expands = true,
                         .operands = {bits(48000.0F), bits(48000.0F)}}},
            {.symbol = "below_limit",
             .says = "sinf and an addition, arguments below 105615 and above 48039",
             .measure = {.how = latency,
                         .sass = {"F2I.NTZ"},
                         .copies = 4,
                         .expands = true,
                         .operands = {bits(105600.0F), bits(105600.0F)}}},
            {.symbol = "far",
             .says = "sinf and an addition, arguments about 2^100",
             .measure = {.how = latency,
                         .sass = {"F2I.NTZ"},
                         .copies = 4,
                         .expands = true,
                         .operands = {bits(0x1p100F), bits(0x1p100F)}}},
        },
});
#endif
