// SPDX-License-Identifier: Apache-2.0
// Question: what does a fence of the system cost behind a store to the memory of this GPU, of another
// one and of the host, does it cost more while another GPU or the host polls there, and does it do what
// it says for such an observer?
//
// Method: N, 2N and 4N fences in a row in one warp, with nothing to wait for, or each behind a store of
// 4 bytes; alone, and while a warp of the other GPU (poll_until_stopped) or the host polls the word. For
// what a fence does: 32 lanes store a word in a line of their own each, then a flag; who polled the flag
// counts the words that are not yet of this round. Data and flag lie in the memory of the writer, of the
// reader and of the host, in all combinations. The kernels that leave an order out are mutants, and
// may show stale words.
//
// Expectation: a fence waits until the store has arrived where it belongs: behind one to the other GPU
// it costs a round trip through NVLink, behind one to the host one through PCIe. With the GPU's
// scope only, or with no fence, the flag may overtake the data wherever the two take different ways.
//
// Threats: that a mutant shows nothing proves nothing; it shows only that the count is alive where it is
// not 0. One store in flight is little: a kernel that writes more waits longer. membar.sys is what
// __threadfence_system becomes.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/exchange.cuh"
#include "ptx/device/fence.cuh"
#include "ptx/device/memory.cuh"
#include "ptx/device/system.cuh"
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

// --- what it costs

template <typename Fence>
static __device__ __forceinline__ void time_behind_store(sample* out, const word* in,
                                                         const Fence& fence) {
  word const at = operand<word>(in, peer_operand::mine);
  time_chain<16, unsigned>(out, in, [=](unsigned x, unsigned, unsigned) {
    st_global_u32(at, x);
    fence();
    return x;
  });
}

template <typename Fence>
static __device__ __forceinline__ void time_idle(sample* out, const word* in, const Fence& fence) {
  time_chain<16, unsigned>(out, in, [=](unsigned x, unsigned, unsigned) {
    fence();
    return x;
  });
}

extern "C" __global__ void fence_acq_rel_gpu_after_store(sample* out, const word* in) {
  time_behind_store(out, in, [] { fence_acq_rel_gpu(); });
}

extern "C" __global__ void fence_acq_rel_sys_after_store(sample* out, const word* in) {
  time_behind_store(out, in, [] { fence_acq_rel_sys(); });
}

extern "C" __global__ void fence_acq_rel_sys_idle(sample* out, const word* in) {
  time_idle(out, in, [] { fence_acq_rel_sys(); });
}

extern "C" __global__ void fence_sc_sys_after_store(sample* out, const word* in) {
  time_behind_store(out, in, [] { fence_sc_sys(); });
}

extern "C" __global__ void fence_sc_sys_idle(sample* out, const word* in) {
  time_idle(out, in, [] { fence_sc_sys(); });
}

extern "C" __global__ void threadfence_system_after_store(sample* out, const word* in) {
  time_behind_store(out, in, [] { __threadfence_system(); });
}

extern "C" __global__ void threadfence_system_idle(sample* out, const word* in) {
  time_idle(out, in, [] { __threadfence_system(); });
}

// The other GPU's part meanwhile: polls the word at `theirs` until the one at `mine` is not 0, three
// seconds at most, and says how often.
extern "C" __global__ void poll_until_stopped(sample* out, const word* in) {
  word const at = operand<word>(in, peer_operand::theirs);
  word const stop = operand<word>(in, peer_operand::mine);
  word const begin = globaltimer_now();
  word polls = 0;
  do {
    for (int i = 0; i < 16; ++i) ld_relaxed_sys_global_u32(at);
    polls += 16;
  } while (ld_relaxed_sys_global_u32(stop) == 0 && globaltimer_now() - begin < 3000000000ULL);
  if (threadIdx.x == 0) out[0] = {0, polls, begin, smid_now(), 0};
}

// --- what it does

// One message a round. `poll` loads the flag, `order` stands before each write of a flag, on the side
// that says so. The other side's flag comes back as the receipt; it depends on what was read, so that
// the data is not overwritten before, even by the mutants. A second block of the same launch is the
// other side.
template <typename Poll, typename Order>
static __device__ __forceinline__ void time_messages(sample* out, const word* in, const Poll& poll,
                                                     const Order& order) {
  bool const first = blockIdx.x == 0;
  word const mine = operand<word>(in, first ? peer_operand::mine : peer_operand::theirs);
  word const theirs = operand<word>(in, first ? peer_operand::theirs : peer_operand::mine);
  unsigned const lead = first ? operand<unsigned>(in, peer_operand::leads)
                              : 1 - operand<unsigned>(in, peer_operand::leads);
  word const data = operand<word>(in, peer_operand::data) + 128 * (threadIdx.x % 32);
  unsigned stale = 0, read = 0;
  time_exchange(out, in, [&](unsigned round) {
    while (poll(theirs) != round - lead) {
    }
    if (lead != 0) {
      st_global_u32(data, round);
      __syncwarp();
    } else {
      stale += __popc(__ballot_sync(0xffffffff, ld_global_u32_at(data) != round));
      read += 32;
    }
    order(lead != 0);
    if (threadIdx.x == 0) st_relaxed_sys_global_u32(mine, round + (stale >> 31));
    __syncwarp();
  });
  if (lead == 0 && threadIdx.x == 0) {
    word const log = operand<word>(in, peer_operand::log);
    st_global_u32(log, stale);
    st_global_u32(log + 4, read);
  }
}

extern "C" __global__ void message_gpu_fence(sample* out, const word* in) {
  time_messages(
      out, in, [](word at) { return ld_acquire_sys_global_u32(at); },
      [](bool) { fence_acq_rel_gpu(); });
}

extern "C" __global__ void message_no_acquire(sample* out, const word* in) {
  time_messages(
      out, in, [](word at) { return ld_relaxed_sys_global_u32(at); },
      [](bool writes) {
        if (writes) fence_acq_rel_sys();
      });
}

extern "C" __global__ void message_no_fence(sample* out, const word* in) {
  time_messages(
      out, in, [](word at) { return ld_acquire_sys_global_u32(at); }, [](bool) {});
}

extern "C" __global__ void message_sys_fence(sample* out, const word* in) {
  time_messages(
      out, in, [](word at) { return ld_acquire_sys_global_u32(at); },
      [](bool) { fence_acq_rel_sys(); });
}

extern "C" __global__ void message_threadfence_system(sample* out, const word* in) {
  time_messages(
      out, in,
      [](word at) {
        unsigned const flag = ld_relaxed_sys_global_u32(at);
        __threadfence_system();
        return flag;
      },
      [](bool) { __threadfence_system(); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;
using ptxlab::kernels::meeting;
using ptxlab::kernels::param;

#define PTXLAB_ACQ_REL {"MEMBAR.ALL.SYS", "ERRBAR", "CGAERRBAR", "CCTL.IVALL"}
#define PTXLAB_SC {"MEMBAR.SC.SYS", "ERRBAR", "CGAERRBAR", "CCTL.IVALL"}
#define PTXLAB_STORE_AND(fence) {fence, "ERRBAR", "CGAERRBAR", "CCTL.IVALL", "STG*"}

PTXLAB_KERNEL({
    .question = "What does a fence of the system cost behind a store to this GPU's, another's and the host's memory, and does it do what it says for an observer there?",
    .variants =
        {
            {.symbol = "fence_acq_rel_gpu_after_store",
             .says = "fence.acq_rel.gpu behind a store, to compare with",
             .measure = {.how = peer,
                         .sass = PTXLAB_STORE_AND("MEMBAR.ALL.GPU"),
                         .copies = 16,
                         .meets = meeting::order}},
            {.symbol = "fence_acq_rel_sys_after_store",
             .says = "fence.acq_rel.sys behind a store",
             .measure = {.how = peer,
                         .sass = PTXLAB_STORE_AND("MEMBAR.ALL.SYS"),
                         .copies = 16,
                         .meets = meeting::order}},
            {.symbol = "fence_acq_rel_sys_idle",
             .says = "fence.acq_rel.sys, nothing to wait for",
             .measure = {.how = peer,
                         .sass = PTXLAB_ACQ_REL,
                         .copies = 16,
                         .meets = meeting::idle}},
            {.symbol = "fence_sc_sys_after_store",
             .says = "fence.sc.sys behind a store",
             .measure = {.how = peer,
                         .sass = PTXLAB_STORE_AND("MEMBAR.SC.SYS"),
                         .copies = 16,
                         .meets = meeting::order}},
            {.symbol = "fence_sc_sys_idle",
             .says = "fence.sc.sys, nothing to wait for",
             .measure = {.how = peer,
                         .sass = PTXLAB_SC,
                         .copies = 16,
                         .meets = meeting::idle}},
            {.symbol = "message_gpu_fence",
             .says = "data, fence.acq_rel.gpu, flag: too narrow for the reader",
             .must = {"loop polls; strength >= acquire"},
             .measure = {.how = peer,
                         .sass = {"LDG*.STRONG.SYS"},
                         .expands = true,
                         .mutant = true,
                         .meets = meeting::message}},
            {.symbol = "message_no_acquire",
             .says = "data, fence.acq_rel.sys, flag; the reader polls with ld.relaxed.sys",
             .must = {"loop polls; strength >= relaxed"},
             .measure = {.how = peer,
                         .sass = {"LDG*.STRONG.SYS"},
                         .expands = true,
                         .mutant = true,
                         .meets = meeting::message}},
            {.symbol = "message_no_fence",
             .says = "data and flag with nothing between",
             .must = {"loop polls; strength >= acquire"},
             .measure = {.how = peer,
                         .sass = {"LDG*.STRONG.SYS"},
                         .expands = true,
                         .mutant = true,
                         .meets = meeting::message}},
            {.symbol = "message_sys_fence",
             .says = "data, fence.acq_rel.sys, flag; the reader polls with ld.acquire.sys",
             .must = {"loop polls; strength >= acquire"},
             .measure = {.how = peer,
                         .sass = {"LDG*.STRONG.SYS"},
                         .expands = true,
                         .meets = meeting::message}},
            {.symbol = "message_threadfence_system",
             .says = "data, __threadfence_system, flag; __threadfence_system behind each poll",
             .must = {"loop polls; strength >= relaxed"},
             .measure = {.how = peer,
                         .sass = {"LDG*.STRONG.SYS"},
                         .expands = true,
                         .meets = meeting::message}},
            {.symbol = "poll_until_stopped",
             .says = "the other GPU's part: polls a word until told to stop",
             .params = {param::pointer, param::pointer}},
            {.symbol = "threadfence_system_after_store",
             .says = "__threadfence_system behind a store",
             .measure = {.how = peer,
                         .sass = PTXLAB_STORE_AND("MEMBAR.SC.SYS"),
                         .copies = 16,
                         .meets = meeting::order}},
            {.symbol = "threadfence_system_idle",
             .says = "__threadfence_system, nothing to wait for",
             .measure = {.how = peer,
                         .sass = PTXLAB_SC,
                         .copies = 16,
                         .meets = meeting::idle}},
        },
});
#endif
