// SPDX-License-Identifier: Apache-2.0
// The input of the tests of the command line: a wait that both compilers keep, and one that is lost.
extern "C" __global__ void waits(volatile int* flag, int* out) {
  while (*flag == 0) {  // volatile: another thread sets the flag
  }
  out[0] = 1;
}
extern "C" __global__ void waits_not(int* flag, int* out) {
  while (*flag == 0) {
  }
  out[0] = 1;
}
