// SPDX-License-Identifier: Apache-2.0
// narrow-access: neighbouring bytes; not a vector, not bytes far apart, and not words.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t

// CHECK-LABEL: kernel bytes_apart{{$}}
// CHECK: ptx opcode ld.global.u8 4{{$}}
// CHECK-NOT: finding
extern "C" __global__ void bytes_apart(int* out, const unsigned char* a) {
  out[0] = a[0] + a[64] + a[128] + a[192];
}

// CHECK-LABEL: kernel bytes_beside{{$}}
// CHECK: finding narrow-access note ptx line [[#@LINE+2]]: 4 loads of 8 bits side by side: 4 bytes
extern "C" __global__ void bytes_beside(int* out, const unsigned char* a) {
  out[0] = a[0] + a[1] + a[2] + a[3];
}

// CHECK-LABEL: kernel bytes_vector{{$}}
// CHECK: sass instructions
// CHECK-NOT: finding
extern "C" __global__ void bytes_vector(int* out, const uchar4* a) {
  uchar4 const v = a[0];
  out[0] = v.x + v.y + v.z + v.w;
}

// CHECK-LABEL: kernel halves_stored{{$}}
// CHECK: finding narrow-access note ptx line {{[0-9]+}}: 2 stores of 16 bits side by side: 4 bytes
extern "C" __global__ void halves_stored(short* out, short a, short b) {
  out[0] = a;
  out[1] = b;
}

// CHECK-LABEL: kernel words{{$}}
// CHECK: ptx opcode ld.global.u32 2{{$}}
// CHECK-NOT: finding
extern "C" __global__ void words(int* out, const int* a) { out[0] = a[0] + a[1]; }
