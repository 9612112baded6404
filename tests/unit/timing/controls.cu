// SPDX-License-Identifier: Apache-2.0
// Timed kernels, right and wrong, for timing_gate_test.cc. A wrong one differs from a right one by
// just what its name says.
#include "ptx/device/streams.cuh"
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

#define KERNEL extern "C" __global__ void

namespace {

constexpr unsigned n = 32;

/// A timed region with any body, which gives back the one value that is stored at its end.
template <unsigned Region, typename T, typename Body>
__device__ __forceinline__ T region_of(unsigned at, unsigned sink, T x, const Body& body) {
  sample s;
  s.time_ns = globaltimer_now();
  s.begin = clock64_now();
  x = body(x);
  consume(sink, x);
  s.end = clock64_now();
  s.sm = smid_now();
  s.region = Region;
  put(at + Region * sizeof(sample), s);
  return x;
}

struct places {
  unsigned base, sink;
};

/// Where samples and results go, in shared memory.
__device__ __forceinline__ places places_of(const word* in) {
  __shared__ sample_store<8> store;
  unsigned const base = address_of(store, in);
  return {base, base + static_cast<unsigned>(sizeof store.held)};
}

/// Two chains of half of the copies each, joined at the end.
template <unsigned Copies, typename Step>
__device__ __forceinline__ float halves(float x, float y, const Step& step) {
#pragma unroll  // a straight line
  for (unsigned i = 0; i < Copies / 2; ++i) {
    x = step(x);
    y = step(y);
  }
  return x + y;
}

}  // namespace

// ---- chains

KERNEL chain(sample* out, const word* in) {
  time_chain<n, float>(out, in, [](float x, float a, float b) { return __fmaf_rn(x, a, b); });
}

KERNEL load_chain(sample* out, const word* in) {
  time_chain<n, word>(out, in, [](word x, word, word) {
    word y;
    asm volatile("ld.global.u64 %0, [%1];" : "=l"(y) : "l"(x) : "memory");
    return y;
  });
}

/// x + 1 + 1 + ... of integers is one addition.
KERNEL folded(sample* out, const word* in) {
  time_chain<n, unsigned>(out, in, [](unsigned x, unsigned, unsigned) { return x + 1; });
}

/// The same product in every copy: computed once.
KERNEL hoisted(sample* out, const word* in) {
  time_chain<n, float>(out, in, [](float, float a, float b) { return __fmul_rn(a, b); });
}

/// Nobody wants the result.
KERNEL dead(sample* out, const word* in) {
  time_chain<n, float>(out, in, [](float x, float a, float b) {
    float const y = __fmaf_rn(x, a, b);
    (void)y;
    return x;
  });
}

/// Nothing waits for the last load.
KERNEL unconsumed(sample* out, const word* in) {
  time_chain<n, word>(out, in, [](word x, word, word) {
    asm volatile("{ .reg .u64 y; ld.volatile.global.u64 y, [%0]; }" ::"l"(x) : "memory");
    return x;
  });
}

KERNEL wrong_opcode(sample* out, const word* in) {
  time_chain<n, float>(out, in, [](float x, float a, float) { return __fadd_rn(x, a); });
}

template <unsigned Copies>
__device__ __forceinline__ float turning(float x, float a, float b) {
#pragma unroll 1  // the loop is the mistake
  for (unsigned i = 0; i < Copies / n; ++i)
#pragma unroll
    for (unsigned k = 0; k < n; ++k) x = __fmaf_rn(x, a, b);
  return x;
}

KERNEL looping(sample* out, const word* in) {
  places const p = places_of(in);
  float x = operand<float>(in, 0), a = operand<float>(in, 1), b = operand<float>(in, 2);
  x = region_of<0>(p.base, p.sink, x, [=](float v) { return turning<4 * n>(v, a, b); });
  x = region_of<1>(p.base, p.sink, x, [=](float v) { return turning<8 * n>(v, a, b); });
  region_of<2>(p.base, p.sink, x, [=](float v) { return turning<16 * n>(v, a, b); });
}

/// One branch around half of the copies.
KERNEL branching(sample* out, const word* in) {
  bool const more = operand<unsigned>(in, 4) != 0;
  word const at = scratch(in);
  time_chain<n, float>(out, in, [=](float x, float a, float b) {
    if (more) asm volatile("st.volatile.global.f32 [%0], %1;" ::"l"(at), "f"(x) : "memory");
    return __fmaf_rn(x, a, b);
  });
}

KERNEL two_chains(sample* out, const word* in) {
  places const p = places_of(in);
  float x = operand<float>(in, 0), a = operand<float>(in, 1), b = operand<float>(in, 2);
  // ptxas takes what one region has computed from another, so each starts elsewhere.
  float const y0 = operand<float>(in, 3), y1 = operand<float>(in, 4), y2 = operand<float>(in, 5);
  auto const step = [=](float v) { return __fmaf_rn(v, a, b); };
  x = region_of<0>(p.base, p.sink, x, [=](float v) { return halves<n>(v, y0, step); });
  x = region_of<1>(p.base, p.sink, x, [=](float v) { return halves<2 * n>(v, y1, step); });
  region_of<2>(p.base, p.sink, x, [=](float v) { return halves<4 * n>(v, y2, step); });
}

// ---- what else stands in the region

/// An integer multiplication beside every copy.
KERNEL foreign(sample* out, const word* in) {
  unsigned const m = operand<unsigned>(in, 3);
  unsigned k = operand<unsigned>(in, 4);
  time_chain<n, float>(out, in, [&](float x, float a, float b) {
    asm volatile("mad.lo.u32 %0, %0, %1, %1;" : "+r"(k) : "r"(m));
    return __fmaf_rn(x, a, b);
  });
  if (k == 12345) out[0].sm = k;
}

/// Barriers in the region.
KERNEL barrier_inside(sample* out, const word* in) {
  places const p = places_of(in);
  float x = operand<float>(in, 0), a = operand<float>(in, 1), b = operand<float>(in, 2);
  auto const all = [=](float v, unsigned copies) {
    asm volatile("bar.sync 0;" ::: "memory");
#pragma unroll
    for (unsigned i = 0; i < copies; ++i) v = __fmaf_rn(v, a, b);
    return v;
  };
  x = region_of<0>(p.base, p.sink, x, [=](float v) { return all(v, n); });
  x = region_of<1>(p.base, p.sink, x, [=](float v) { return all(v, 2 * n); });
  region_of<2>(p.base, p.sink, x, [=](float v) { return all(v, 4 * n); });
}

/// Three multiplications more in the second region.
KERNEL differing(sample* out, const word* in) {
  places const p = places_of(in);
  float x = operand<float>(in, 0), a = operand<float>(in, 1), b = operand<float>(in, 2);
  auto const all = [=](float v, unsigned copies, unsigned more) {
#pragma unroll
    for (unsigned i = 0; i < more; ++i) v = __fmul_rn(v, a);
#pragma unroll
    for (unsigned i = 0; i < copies; ++i) v = __fmaf_rn(v, a, b);
    return v;
  };
  x = region_of<0>(p.base, p.sink, x, [=](float v) { return all(v, n, 0); });
  x = region_of<1>(p.base, p.sink, x, [=](float v) { return all(v, 2 * n, 3); });
  region_of<2>(p.base, p.sink, x, [=](float v) { return all(v, 4 * n, 0); });
}

/// One copy is FFMA and FMUL, but in the last region FFMA and three FMUL.
KERNEL growing_copies(sample* out, const word* in) {
  places const p = places_of(in);
  float x = operand<float>(in, 0), a = operand<float>(in, 1), b = operand<float>(in, 2);
  auto const all = [=](float v, unsigned copies, unsigned each) {
#pragma unroll
    for (unsigned i = 0; i < copies; ++i) {
      v = __fmaf_rn(v, a, b);
#pragma unroll
      for (unsigned k = 0; k < each; ++k) v = __fmul_rn(v, a);
    }
    return v;
  };
  x = region_of<0>(p.base, p.sink, x, [=](float v) { return all(v, n, 1); });
  x = region_of<1>(p.base, p.sink, x, [=](float v) { return all(v, 2 * n, 1); });
  region_of<2>(p.base, p.sink, x, [=](float v) { return all(v, 4 * n, 3); });
}

// ---- copies of several instructions

KERNEL divide(sample* out, const word* in) {
  time_chain<8, float>(out, in, [](float x, float a, float) { return __fdiv_rn(a, x); });
}

/// A copy is two FFMA in a row.
KERNEL pairs(sample* out, const word* in) {
  time_chain<n, float>(out, in, [](float x, float a, float b) {
    return __fmaf_rn(__fmaf_rn(x, a, b), a, b);
  });
}

/// Likewise, but in two chains of half of the copies.
KERNEL pairs_in_halves(sample* out, const word* in) {
  places const p = places_of(in);
  float x = operand<float>(in, 0), a = operand<float>(in, 1), b = operand<float>(in, 2);
  float const y0 = operand<float>(in, 3), y1 = operand<float>(in, 4), y2 = operand<float>(in, 5);
  auto const step = [=](float v) { return __fmaf_rn(__fmaf_rn(v, a, b), a, b); };
  x = region_of<0>(p.base, p.sink, x, [=](float v) { return halves<n>(v, y0, step); });
  x = region_of<1>(p.base, p.sink, x, [=](float v) { return halves<2 * n>(v, y1, step); });
  region_of<2>(p.base, p.sink, x, [=](float v) { return halves<4 * n>(v, y2, step); });
}

// ---- serial

KERNEL barriers(sample* out, const word* in) {
  time_chain<n, unsigned>(out, in, [](unsigned x, unsigned, unsigned) {
    asm volatile("bar.sync 0;" ::: "memory");
    return x;
  });
}

// ---- streams

KERNEL streams(sample* out, const word* in) {
  time_streams<64, float>(out, in, [](float x, float a, float b) { return __fmaf_rn(x, a, b); });
}


/// Four streams of 16 copies that are one chain of 64.
KERNEL dependent_streams(sample* out, const word* in) {
  places const p = places_of(in);
  float const a = operand<float>(in, 1), b = operand<float>(in, 2);
  float x[4];
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) x[k] = operand<float>(in, 3 + k);
  unsigned left = operand<unsigned>(in, rounds_operand);
  sample s;
  s.time_ns = globaltimer_now();
  s.begin = clock64_now();
#pragma unroll 1
  do {
#pragma unroll
    for (unsigned i = 0; i < 64; ++i) x[i % 4] = __fmaf_rn(x[(i + 3) % 4], a, b);
  } while (--left != 0);
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) consume(p.sink + k * 8, x[k]);
  s.end = clock64_now();
  s.sm = smid_now();
  s.region = 0;
  put(p.base, s);
}

/// The rounds are gone: one region of 64 copies.
KERNEL no_rounds(sample* out, const word* in) {
  places const p = places_of(in);
  float const a = operand<float>(in, 1), b = operand<float>(in, 2);
  region_of<0>(p.base, p.sink, operand<float>(in, 3), [=](float v) {
#pragma unroll
    for (unsigned i = 0; i < 64; ++i) v = __fmaf_rn(v, a, b);
    return v;
  });
}

/// 32 of the 64 copies stand before the loop over the rounds.
KERNEL half_in_rounds(sample* out, const word* in) {
  places const p = places_of(in);
  float const a = operand<float>(in, 1), b = operand<float>(in, 2);
  unsigned const rounds = operand<unsigned>(in, rounds_operand);
  region_of<0>(p.base, p.sink, operand<float>(in, 3), [=](float v) {
    unsigned left = rounds;
#pragma unroll
    for (unsigned i = 0; i < 32; ++i) v = __fmaf_rn(v, a, b);
#pragma unroll 1
    do {
#pragma unroll
      for (unsigned i = 0; i < 32; ++i) v = __fmaf_rn(v, a, b);
    } while (--left != 0);
    return v;
  });
}

/// The rounds run, but without the copies where an operand is zero.
KERNEL skipped_rounds(sample* out, const word* in) {
  places const p = places_of(in);
  float const a = operand<float>(in, 1), b = operand<float>(in, 2);
  unsigned const rounds = operand<unsigned>(in, rounds_operand), some = operand<unsigned>(in, 4);
  region_of<0>(p.base, p.sink, operand<float>(in, 3), [=](float v) {
    unsigned left = rounds;
#pragma unroll 1
    do {
      unsigned here = some;
      asm volatile("" : "+r"(here));  // decided in every round
      if (here != 0) {
#pragma unroll
        for (unsigned i = 0; i < 64; ++i) v = __fmaf_rn(v, a, b);
      }
    } while (--left != 0);
    return v;
  });
}

/// Foreign work in every round: five multiplications.
KERNEL foreign_in_rounds(sample* out, const word* in) {
  places const p = places_of(in);
  float const a = operand<float>(in, 1), b = operand<float>(in, 2);
  unsigned const rounds = operand<unsigned>(in, rounds_operand);
  region_of<0>(p.base, p.sink, operand<float>(in, 3), [=](float v) {
    unsigned left = rounds;
#pragma unroll 1
    do {
#pragma unroll
      for (unsigned i = 0; i < 64; ++i) v = __fmaf_rn(v, a, b);
#pragma unroll
      for (unsigned i = 0; i < 5; ++i) v = __fmul_rn(v, a);
    } while (--left != 0);
    return v;
  });
}
