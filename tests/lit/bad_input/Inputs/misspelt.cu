// SPDX-License-Identifier: Apache-2.0
// EXPCT(waits): loop polls
extern "C" __global__ void waits(volatile int* flag) {
  while (*flag == 0) {  // volatile: another thread sets the flag
  }
}
