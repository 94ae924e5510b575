// SPDX-License-Identifier: MIT
#pragma once

#include "CPixels.h"

// Functions with vector parameters are inlined, so their calling convention doesn't matter.
#pragma clang diagnostic ignored "-Wpsabi"

#define INLINE static inline __attribute__((always_inline))

// Defines `pixels_NAME` as `NAME`, compiled twice on x86-64: for all processors, and for AVX2. Integer arithmetic
// gives the same bytes on both.
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
