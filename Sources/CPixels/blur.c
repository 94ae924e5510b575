// SPDX-License-Identifier: MIT

#include "CPixels.h"

// Each loop is compiled twice on x86-64, for any processor and for those with AVX2. All of it is whole
// numbers, and so the same bytes come of both.
#define INLINE static inline __attribute__((always_inline))

INLINE void add_16(const uint8_t *restrict line, uint16_t *restrict sums, size_t count) {
  for (size_t index = 0; index < count; index++) sums[index] += line[index];
}

INLINE void add_32(const uint8_t *restrict line, uint32_t *restrict sums, size_t count) {
  for (size_t index = 0; index < count; index++) sums[index] += line[index];
}

INLINE void slide_16(
    struct pixels_mean mean, const uint8_t *in, const uint8_t *out, uint16_t *restrict sums,
    uint8_t *restrict means, size_t count) {
  for (size_t index = 0; index < count; index++) {
    uint16_t sum = sums[index] + in[index];
    uint16_t high = (uint16_t)((uint32_t)sum * mean.reciprocal >> 16);
    means[index] = (uint8_t)(high >> mean.shift);
    sums[index] = sum - out[index];
  }
}

INLINE void slide_32(
    struct pixels_mean mean, const uint8_t *in, const uint8_t *out, uint32_t *restrict sums,
    uint8_t *restrict means, size_t count) {
  for (size_t index = 0; index < count; index++) {
    uint32_t sum = sums[index] + in[index];
    uint16_t narrow = (uint16_t)(sum >> mean.narrowing);
    uint16_t high = (uint16_t)((uint32_t)narrow * mean.reciprocal >> 16);
    means[index] = (uint8_t)(high >> mean.shift);
    sums[index] = sum - out[index];
  }
}

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

FAST(add_16, (const uint8_t *line, uint16_t *sums, size_t count), (line, sums, count))
FAST(add_32, (const uint8_t *line, uint32_t *sums, size_t count), (line, sums, count))
FAST(slide_16,
     (struct pixels_mean mean, const uint8_t *in, const uint8_t *out, uint16_t *sums,
      uint8_t *means, size_t count),
     (mean, in, out, sums, means, count))
FAST(slide_32,
     (struct pixels_mean mean, const uint8_t *in, const uint8_t *out, uint32_t *sums,
      uint8_t *means, size_t count),
     (mean, in, out, sums, means, count))
