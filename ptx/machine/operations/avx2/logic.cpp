// SPDX-License-Identifier: Apache-2.0
// operations/logic.cpp for processors with AVX2 and FMA.
#define PTXLAB_CLONE avx2
#include "ptx/machine/operations/logic.cpp"
