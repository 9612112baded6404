// SPDX-License-Identifier: Apache-2.0
// Vector operations are compiled twice: for any processor, and (operations/avx2) for those with
// AVX2 and FMA. This is the last header that such a file includes: what follows is compiled for the
// clone, what was included before for any processor, so that no inline function of a library needs
// AVX2.
#pragma once

#ifndef PTXLAB_CLONE
#define PTXLAB_CLONE baseline
#elif defined(__x86_64__) && !defined(__clang__)
#pragma GCC target("avx2,fma,bmi,bmi2,lzcnt,popcnt")
// g++ 12 does not define __AVX2__ for a target that a pragma names.
#define PTXLAB_HAS_AVX2
#endif
