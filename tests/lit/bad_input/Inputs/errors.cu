// SPDX-License-Identifier: Apache-2.0
// Two mistakes that nvcc's front end finds.
extern "C" __global__ void mistaken(int* out) {
  *out = undeclared + 1;
  int number = "text";
}
