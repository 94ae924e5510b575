// SPDX-License-Identifier: MIT
#pragma once

#include "CPixels.h"

// Functions that take vectors are inlined, so the way in which vectors are passed does not matter.
#pragma clang diagnostic ignored "-Wpsabi"

#define INLINE static inline __attribute__((always_inline))

// Defines `pixels_NAME` as `NAME`, which is compiled twice on x86-64: for any processor and for those
// with AVX2. All arithmetic is in whole numbers, so both give the same bytes.
#if defined(__x86_64__)
#define FAST(RESULT, NAME, PARAMETERS, ARGUMENTS) \
  __attribute__((target("avx2"))) static RESULT NAME##_avx2 PARAMETERS { return NAME ARGUMENTS; } \
  RESULT pixels_##NAME PARAMETERS { \
    return __builtin_cpu_supports("avx2") ? NAME##_avx2 ARGUMENTS : NAME ARGUMENTS; \
  }
#else
#define FAST(RESULT, NAME, PARAMETERS, ARGUMENTS) \
  RESULT pixels_##NAME PARAMETERS { return NAME ARGUMENTS; }
#endif
