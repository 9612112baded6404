// SPDX-License-Identifier: Apache-2.0
// Question: which machine instruction does each fence become, and what else comes with it?
//
// Method: each kernel stores, fences, and loads another word: the pair that only a fence keeps in
// order. All CUDA C++ fences, all fence.{acq_rel,sc}.{cta,cluster,gpu,sys}, all membar levels; and
// the pair with nothing between as the control.
//
// Expectation: membar and __threadfence are fence.sc of the matching scope; acq_rel becomes
// MEMBAR.ALL and sc MEMBAR.SC; a fence wider than the block also invalidates L1 (CCTL.IVALL).
//
// Threats: a cluster fence is the GPU's on these machines, which says nothing of its cost. Before
// sm_90 the cluster kernels hold the block's fence. What an opcode orders is not visible here.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/fence.cuh"

using namespace ptxlab::device;

// EXPECT[sm>=90](around_fence_acq_rel_cluster): opcode(fence.acq_rel.cluster) == 1; ptx
// EXPECT[sm>=90](around_fence_acq_rel_cluster): opcode(MEMBAR.ALL.GPU) == 1
// EXPECT[sm>=90](around_fence_acq_rel_cluster): opcode(CCTL.IVALL) == 1
// CHECK-LABEL: kernel around_fence_acq_rel_cluster{{$}}
// CHECK-DAG: ptx opcode fence.acq_rel.cluster 1{{$}}
// CHECK-DAG: sass opcode CCTL.IVALL 1{{$}}
// CHECK-DAG: sass opcode MEMBAR.ALL.GPU 1{{$}}
extern "C" __global__ void around_fence_acq_rel_cluster(unsigned* data, unsigned* flag) {
  data[threadIdx.x] = 1;
  fence_acq_rel_cluster();
  data[threadIdx.x + blockDim.x] = flag[threadIdx.x];
}

// CHECK-LABEL: kernel around_fence_acq_rel_cta{{$}}
// CHECK-DAG: ptx opcode fence.acq_rel.cta 1{{$}}
// CHECK-NOT: sass opcode CCTL
// CHECK: sass opcode MEMBAR.ALL.CTA 1{{$}}
extern "C" __global__ void around_fence_acq_rel_cta(unsigned* data, unsigned* flag) {
  data[threadIdx.x] = 1;
  fence_acq_rel_cta();
  data[threadIdx.x + blockDim.x] = flag[threadIdx.x];
}

// CHECK-LABEL: kernel around_fence_acq_rel_gpu{{$}}
// CHECK-DAG: ptx opcode fence.acq_rel.gpu 1{{$}}
// CHECK-DAG: sass opcode CCTL.IVALL 1{{$}}
// CHECK-DAG: sass opcode MEMBAR.ALL.GPU 1{{$}}
extern "C" __global__ void around_fence_acq_rel_gpu(unsigned* data, unsigned* flag) {
  data[threadIdx.x] = 1;
  fence_acq_rel_gpu();
  data[threadIdx.x + blockDim.x] = flag[threadIdx.x];
}

// CHECK-LABEL: kernel around_fence_acq_rel_sys{{$}}
// CHECK-DAG: ptx opcode fence.acq_rel.sys 1{{$}}
// CHECK-DAG: sass opcode CCTL.IVALL 1{{$}}
// CHECK-DAG: sass opcode MEMBAR.ALL.SYS 1{{$}}
extern "C" __global__ void around_fence_acq_rel_sys(unsigned* data, unsigned* flag) {
  data[threadIdx.x] = 1;
  fence_acq_rel_sys();
  data[threadIdx.x + blockDim.x] = flag[threadIdx.x];
}

// EXPECT[sm>=90](around_fence_sc_cluster): opcode(fence.sc.cluster) == 1; ptx
// EXPECT[sm>=90](around_fence_sc_cluster): opcode(MEMBAR.SC.GPU) == 1
// EXPECT[sm>=90](around_fence_sc_cluster): opcode(CCTL.IVALL) == 1
// CHECK-LABEL: kernel around_fence_sc_cluster{{$}}
// CHECK-DAG: ptx opcode fence.sc.cluster 1{{$}}
// CHECK-DAG: sass opcode CCTL.IVALL 1{{$}}
// CHECK-DAG: sass opcode MEMBAR.SC.GPU 1{{$}}
extern "C" __global__ void around_fence_sc_cluster(unsigned* data, unsigned* flag) {
  data[threadIdx.x] = 1;
  fence_sc_cluster();
  data[threadIdx.x + blockDim.x] = flag[threadIdx.x];
}

// CHECK-LABEL: kernel around_fence_sc_cta{{$}}
// CHECK-DAG: ptx opcode fence.sc.cta 1{{$}}
// CHECK-NOT: sass opcode CCTL
// CHECK: sass opcode MEMBAR.SC.CTA 1{{$}}
extern "C" __global__ void around_fence_sc_cta(unsigned* data, unsigned* flag) {
  data[threadIdx.x] = 1;
  fence_sc_cta();
  data[threadIdx.x + blockDim.x] = flag[threadIdx.x];
}

// CHECK-LABEL: kernel around_fence_sc_gpu{{$}}
// CHECK-DAG: ptx opcode fence.sc.gpu 1{{$}}
// CHECK-DAG: sass opcode CCTL.IVALL 1{{$}}
// CHECK-DAG: sass opcode MEMBAR.SC.GPU 1{{$}}
extern "C" __global__ void around_fence_sc_gpu(unsigned* data, unsigned* flag) {
  data[threadIdx.x] = 1;
  fence_sc_gpu();
  data[threadIdx.x + blockDim.x] = flag[threadIdx.x];
}

// CHECK-LABEL: kernel around_fence_sc_sys{{$}}
// CHECK-DAG: ptx opcode fence.sc.sys 1{{$}}
// CHECK-DAG: sass opcode CCTL.IVALL 1{{$}}
// CHECK-DAG: sass opcode MEMBAR.SC.SYS 1{{$}}
extern "C" __global__ void around_fence_sc_sys(unsigned* data, unsigned* flag) {
  data[threadIdx.x] = 1;
  fence_sc_sys();
  data[threadIdx.x + blockDim.x] = flag[threadIdx.x];
}

// CHECK-LABEL: kernel around_membar_cta{{$}}
// CHECK-DAG: ptx opcode membar.cta 1{{$}}
// CHECK-NOT: sass opcode CCTL
// CHECK: sass opcode MEMBAR.SC.CTA 1{{$}}
extern "C" __global__ void around_membar_cta(unsigned* data, unsigned* flag) {
  data[threadIdx.x] = 1;
  membar_cta();
  data[threadIdx.x + blockDim.x] = flag[threadIdx.x];
}

// CHECK-LABEL: kernel around_membar_gl{{$}}
// CHECK-DAG: ptx opcode membar.gl 1{{$}}
// CHECK-DAG: sass opcode CCTL.IVALL 1{{$}}
// CHECK-DAG: sass opcode MEMBAR.SC.GPU 1{{$}}
extern "C" __global__ void around_membar_gl(unsigned* data, unsigned* flag) {
  data[threadIdx.x] = 1;
  membar_gl();
  data[threadIdx.x + blockDim.x] = flag[threadIdx.x];
}

// CHECK-LABEL: kernel around_membar_sys{{$}}
// CHECK-DAG: ptx opcode membar.sys 1{{$}}
// CHECK-DAG: sass opcode CCTL.IVALL 1{{$}}
// CHECK-DAG: sass opcode MEMBAR.SC.SYS 1{{$}}
extern "C" __global__ void around_membar_sys(unsigned* data, unsigned* flag) {
  data[threadIdx.x] = 1;
  membar_sys();
  data[threadIdx.x + blockDim.x] = flag[threadIdx.x];
}

// CHECK-LABEL: kernel around_threadfence_block{{$}}
// CHECK-DAG: ptx opcode membar.cta 1{{$}}
// CHECK-NOT: sass opcode CCTL
// CHECK: sass opcode MEMBAR.SC.CTA 1{{$}}
extern "C" __global__ void around_threadfence_block(unsigned* data, unsigned* flag) {
  data[threadIdx.x] = 1;
  __threadfence_block();
  data[threadIdx.x + blockDim.x] = flag[threadIdx.x];
}

// CHECK-LABEL: kernel around_threadfence_device{{$}}
// CHECK-DAG: ptx opcode membar.gl 1{{$}}
// CHECK-DAG: sass opcode CCTL.IVALL 1{{$}}
// CHECK-DAG: sass opcode MEMBAR.SC.GPU 1{{$}}
extern "C" __global__ void around_threadfence_device(unsigned* data, unsigned* flag) {
  data[threadIdx.x] = 1;
  __threadfence();
  data[threadIdx.x + blockDim.x] = flag[threadIdx.x];
}

// CHECK-LABEL: kernel around_threadfence_system{{$}}
// CHECK-DAG: ptx opcode membar.sys 1{{$}}
// CHECK-DAG: sass opcode CCTL.IVALL 1{{$}}
// CHECK-DAG: sass opcode MEMBAR.SC.SYS 1{{$}}
extern "C" __global__ void around_threadfence_system(unsigned* data, unsigned* flag) {
  data[threadIdx.x] = 1;
  __threadfence_system();
  data[threadIdx.x + blockDim.x] = flag[threadIdx.x];
}

// CHECK-LABEL: kernel no_fence{{$}}
// CHECK: sass instructions
// CHECK-NOT: sass opcode {{MEMBAR|CCTL}}
extern "C" __global__ void no_fence(unsigned* data, unsigned* flag) {
  data[threadIdx.x] = 1;
  data[threadIdx.x + blockDim.x] = flag[threadIdx.x];
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::param;

PTXLAB_KERNEL({
    .question = "Which machine instruction does each fence become, and what else comes with it?",
    .variants =
        {
            {.symbol = "around_fence_acq_rel_cluster",
             .says = "fence.acq_rel.cluster between a store and a load",
             .params = {pointer, pointer},
             .must = {"opcode(MEMBAR*) == 1"}},
            {.symbol = "around_fence_acq_rel_cta",
             .says = "fence.acq_rel.cta between a store and a load",
             .params = {pointer, pointer},
             .must = {"opcode(fence.acq_rel.cta) == 1; ptx", "opcode(MEMBAR.ALL.CTA) == 1",
                      "opcode(CCTL*) == 0"}},
            {.symbol = "around_fence_acq_rel_gpu",
             .says = "fence.acq_rel.gpu between a store and a load",
             .params = {pointer, pointer},
             .must = {"opcode(fence.acq_rel.gpu) == 1; ptx", "opcode(MEMBAR.ALL.GPU) == 1",
                      "opcode(CCTL.IVALL) == 1"}},
            {.symbol = "around_fence_acq_rel_sys",
             .says = "fence.acq_rel.sys between a store and a load",
             .params = {pointer, pointer},
             .must = {"opcode(fence.acq_rel.sys) == 1; ptx", "opcode(MEMBAR.ALL.SYS) == 1",
                      "opcode(CCTL.IVALL) == 1"}},
            {.symbol = "around_fence_sc_cluster",
             .says = "fence.sc.cluster between a store and a load",
             .params = {pointer, pointer},
             .must = {"opcode(MEMBAR*) == 1"}},
            {.symbol = "around_fence_sc_cta",
             .says = "fence.sc.cta between a store and a load",
             .params = {pointer, pointer},
             .must = {"opcode(fence.sc.cta) == 1; ptx", "opcode(MEMBAR.SC.CTA) == 1",
                      "opcode(CCTL*) == 0"}},
            {.symbol = "around_fence_sc_gpu",
             .says = "fence.sc.gpu between a store and a load",
             .params = {pointer, pointer},
             .must = {"opcode(fence.sc.gpu) == 1; ptx", "opcode(MEMBAR.SC.GPU) == 1",
                      "opcode(CCTL.IVALL) == 1"}},
            {.symbol = "around_fence_sc_sys",
             .says = "fence.sc.sys between a store and a load",
             .params = {pointer, pointer},
             .must = {"opcode(fence.sc.sys) == 1; ptx", "opcode(MEMBAR.SC.SYS) == 1",
                      "opcode(CCTL.IVALL) == 1"}},
            {.symbol = "around_membar_cta",
             .says = "membar.cta between a store and a load",
             .params = {pointer, pointer},
             .must = {"opcode(membar.cta) == 1; ptx", "opcode(MEMBAR.SC.CTA) == 1",
                      "opcode(CCTL*) == 0"}},
            {.symbol = "around_membar_gl",
             .says = "membar.gl between a store and a load",
             .params = {pointer, pointer},
             .must = {"opcode(membar.gl) == 1; ptx", "opcode(MEMBAR.SC.GPU) == 1",
                      "opcode(CCTL.IVALL) == 1"}},
            {.symbol = "around_membar_sys",
             .says = "membar.sys between a store and a load",
             .params = {pointer, pointer},
             .must = {"opcode(membar.sys) == 1; ptx", "opcode(MEMBAR.SC.SYS) == 1",
                      "opcode(CCTL.IVALL) == 1"}},
            {.symbol = "around_threadfence_block",
             .says = "__threadfence_block between a store and a load",
             .params = {pointer, pointer},
             .must = {"opcode(membar.cta) == 1; ptx", "opcode(MEMBAR.SC.CTA) == 1",
                      "opcode(CCTL*) == 0"}},
            {.symbol = "around_threadfence_device",
             .says = "__threadfence between a store and a load",
             .params = {pointer, pointer},
             .must = {"opcode(membar.gl) == 1; ptx", "opcode(MEMBAR.SC.GPU) == 1",
                      "opcode(CCTL.IVALL) == 1"}},
            {.symbol = "around_threadfence_system",
             .says = "__threadfence_system between a store and a load",
             .params = {pointer, pointer},
             .must = {"opcode(membar.sys) == 1; ptx", "opcode(MEMBAR.SC.SYS) == 1",
                      "opcode(CCTL.IVALL) == 1"}},
            {.symbol = "no_fence",
             .says = "a store and a load with nothing between",
             .params = {pointer, pointer},
             .must = {"opcode(MEMBAR*) == 0", "opcode(CCTL*) == 0", "opcode(membar*) == 0; ptx"}},
        },
});
#endif
