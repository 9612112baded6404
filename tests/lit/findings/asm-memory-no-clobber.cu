// SPDX-License-Identifier: Apache-2.0
// asm-memory-no-clobber: a store and a fence without "memory"; not with it, and not arithmetic.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t

// CHECK-LABEL: kernel arithmetic{{$}}
// CHECK: ptx opcode brev.b32 1{{$}}
// CHECK-NOT: finding
extern "C" __global__ void arithmetic(int* out, int x) {
  int y;
  asm("brev.b32 %0, %1;" : "=r"(y) : "r"(x));
  *out = y;
}

// CHECK-LABEL: kernel fence_bare{{$}}
// CHECK: finding asm-memory-no-clobber warning source line [[#@LINE+3]]: this asm has fence.acq_rel.gpu
extern "C" __global__ void fence_bare(int* out) {
  out[0] = 1;
  asm volatile("fence.acq_rel.gpu;");
  out[1] = 1;
}

// CHECK-LABEL: kernel read_only{{$}}
// CHECK: ptx opcode ld.global.nc.u32 1{{$}}
// CHECK-NOT: finding
extern "C" __global__ void read_only(int* out, const int* a) {
  int y;
  asm("ld.global.nc.u32 %0, [%1];" : "=r"(y) : "l"(a));
  *out = y;
}

// CHECK-LABEL: kernel store_bare{{$}}
// CHECK: finding asm-memory-no-clobber warning source line [[#@LINE+2]]: this asm has st.global.u32
extern "C" __global__ void store_bare(int* out, int x) {
  asm volatile("st.global.u32 [%0], %1;" : : "l"(out), "r"(x));
}

// CHECK-LABEL: kernel store_clobber{{$}}
// CHECK: ptx opcode st.global.u32 1{{$}}
// CHECK-NOT: finding
extern "C" __global__ void store_clobber(int* out, int x) {
  asm volatile("st.global.u32 [%0], %1;"
               :
               : "l"(out), "r"(x)
               : "memory");
}
