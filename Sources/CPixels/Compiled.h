// SPDX-License-Identifier: MIT
#pragma once

#include "CPixels.h"

#define INLINE static inline __attribute__((always_inline))

// Defines `pixels_NAME` as `NAME`, which is compiled twice on x86-64: for any processor and for those
// with AVX2. All arithmetic is in whole numbers, so both give the same bytes.
#if defined(__x86_64__)
#define FAST(NAME, PARAMETERS, ARGUMENTS) \
  __attribute__((target("avx2"))) static void NAME##_avx2 PARAMETERS { NAME ARGUMENTS; } \
  void pixels_##NAME PARAMETERS { \
    if (__builtin_cpu_supports("avx2")) NAME##_avx2 ARGUMENTS; \
    else NAME ARGUMENTS; \
  }
#else
#define FAST(NAME, PARAMETERS, ARGUMENTS) void pixels_##NAME PARAMETERS { NAME ARGUMENTS; }
#endif
