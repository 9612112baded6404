// SPDX-License-Identifier: Apache-2.0
// EXPECT lines of all four outcomes but "not trustworthy".
// EXPECT(counts): loop exit counter
// EXPECT(counts): registers <= 2
// EXPECT[sm_75](counts): no loop
extern "C" __global__ void counts(int* out, int n) {
#pragma unroll 1  // one loop at both stages
  for (int i = 0; i < n; ++i) out[i] += 1;
}
