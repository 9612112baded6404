// SPDX-License-Identifier: Apache-2.0
// The good input that the tests of bad input spoil.
extern "C" __global__ void waits(volatile int* flag) {
  while (*flag == 0) {  // volatile: another thread sets the flag
  }
}
