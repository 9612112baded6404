// SPDX-License-Identifier: Apache-2.0
// A mistake that only ptxas finds.
extern "C" __global__ void mistaken(int* out) {
  asm volatile("bogus.u32 %0;" : "=r"(*out));  // volatile: or the mistake is dropped unseen
}
