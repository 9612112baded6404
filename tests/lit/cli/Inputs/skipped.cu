// SPDX-License-Identifier: Apache-2.0
// Every expectation is for another architecture.
// EXPECT[sm_75](nothing): no loop
// EXPECT[sm>=100](nothing): no loop
extern "C" __global__ void nothing() {}
