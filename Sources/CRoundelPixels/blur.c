// SPDX-License-Identifier: MIT

#include "Compiled.h"

#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

// Sums are stored in the order of addition, which needs no shuffling: blue and red of eight pixels,
// then green and alpha, 16 bits each, or blue, green and red, 32 bits each.
typedef uint16_t lanes __attribute__((vector_size(32)));
typedef uint32_t wide_lanes __attribute__((vector_size(32)));
typedef uint16_t half_lanes __attribute__((vector_size(16)));
typedef uint32_t products __attribute__((vector_size(32)));

// The upper halves of 16-bit products. Processors have an instruction for this, which the compiler
// recognises in 128-bit halves without AVX2.
typedef void multiply(lanes *lanes, const struct pixels_mean *mean);

static inline void multiply_portably(lanes *factors, const struct pixels_mean *mean) {
  half_lanes halves[2];
  memcpy(halves, factors, sizeof halves);
  for (int half = 0; half < 2; half++) {
    products product = __builtin_convertvector(halves[half], products) * mean->reciprocal;
    halves[half] = __builtin_convertvector(product >> 16, half_lanes);
  }
  memcpy(factors, halves, sizeof halves);
}

struct step {
  lanes in;
  lanes out;
  lanes means;
};

INLINE void slide_16(
    const struct pixels_mean *mean, struct step *step, uint8_t *place, multiply *multiply) {
  lanes sums[2];
  memcpy(sums, place, sizeof sums);
  sums[0] += step->in & 0xff;
  sums[1] += step->in >> 8;
  lanes low = sums[0], high = sums[1];
  multiply(&low, mean);
  multiply(&high, mean);
  step->means = low >> mean->shift | high >> mean->shift << 8;
  sums[0] -= step->out & 0xff;
  sums[1] -= step->out >> 8;
  memcpy(place, sums, sizeof sums);
}

INLINE void slide_32(
    const struct pixels_mean *mean, struct step *step, uint8_t *place, multiply *multiply) {
  wide_lanes sums[3];
  memcpy(sums, place, sizeof sums);
  wide_lanes means = (wide_lanes){} + 0xff000000;
  for (int channel = 0; channel < 3; channel++) {
    sums[channel] += (wide_lanes)step->in >> 8 * channel & 0xff;
    // A narrowed sum fits into 16 bits, and the upper half of its lane remains 0.
    lanes narrow = (lanes)(sums[channel] >> mean->narrowing);
    multiply(&narrow, mean);
    means |= (wide_lanes)(narrow >> mean->shift) << 8 * channel;
    sums[channel] -= (wide_lanes)step->out >> 8 * channel & 0xff;
  }
  step->means = (lanes)means;
  memcpy(place, sums, sizeof sums);
}

INLINE void slide_eight(
    const struct pixels_mean *mean, struct step *step, uint8_t *place, multiply *multiply) {
  if (mean->narrowing == 0) slide_16(mean, step, place, multiply);
  else slide_32(mean, step, place, multiply);
}

INLINE void slide(
    const struct pixels_mean *mean, const uint32_t *in, const uint32_t *out, void *sums,
    uint32_t *means, size_t count, multiply *multiply) {
  uint8_t *place = sums;
  for (; count >= 8; count -= 8, in += 8, out += 8, means += 8, place += 8 * PIXELS_SUM_BYTES) {
    struct step step;
    memcpy(&step.in, in, sizeof step.in);
    memcpy(&step.out, out, sizeof step.out);
    slide_eight(mean, &step, place, multiply);
    memcpy(means, &step.means, sizeof step.means);
  }
  if (count == 0) return;
  // The pixels after the last must not be accessed, but their sums may be.
  struct step last = {};
  memcpy(&last.in, in, count * 4);
  memcpy(&last.out, out, count * 4);
  slide_eight(mean, &last, place, multiply);
  memcpy(means, &last.means, count * 4);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static inline void multiply_avx2(
    lanes *factors, const struct pixels_mean *mean) {
  *factors = (lanes)_mm256_mulhi_epu16(
      (__m256i)*factors, _mm256_set1_epi16((short)mean->reciprocal));
}

__attribute__((target("avx2"))) static void slide_avx2(
    const struct pixels_mean *mean, const uint32_t *in, const uint32_t *out, void *sums,
    uint32_t *means, size_t count) {
  slide(mean, in, out, sums, means, count, multiply_avx2);
}
#endif

void pixels_slide(
    struct pixels_mean mean, const uint32_t *in, const uint32_t *out, void *sums, uint32_t *means,
    size_t count) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) {
    slide_avx2(&mean, in, out, sums, means, count);
    return;
  }
#endif
  slide(&mean, in, out, sums, means, count, multiply_portably);
}

INLINE void add_eight(struct pixels_mean mean, const lanes *in, uint8_t *place) {
  if (mean.narrowing == 0) {
    lanes sums[2];
    memcpy(sums, place, sizeof sums);
    sums[0] += *in & 0xff;
    sums[1] += *in >> 8;
    memcpy(place, sums, sizeof sums);
  } else {
    wide_lanes sums[3];
    memcpy(sums, place, sizeof sums);
    for (int channel = 0; channel < 3; channel++)
      sums[channel] += (wide_lanes)*in >> 8 * channel & 0xff;
    memcpy(place, sums, sizeof sums);
  }
}

INLINE void add(struct pixels_mean mean, const uint32_t *line, void *sums, size_t count) {
  uint8_t *place = sums;
  for (; count >= 8; count -= 8, line += 8, place += 8 * PIXELS_SUM_BYTES) {
    lanes in;
    memcpy(&in, line, sizeof in);
    add_eight(mean, &in, place);
  }
  if (count == 0) return;
  lanes last = {};
  memcpy(&last, line, count * 4);
  add_eight(mean, &last, place);
}

FAST(void, add, (struct pixels_mean mean, const uint32_t *line, void *sums, size_t count),
     (mean, line, sums, count))

void pixels_begin(struct pixels_mean mean, void *sums, size_t count) {
  uint8_t *place = sums;
  // Adding half of the length makes the division round to the nearest.
  uint32_t half = mean.length / 2;
  if (mean.narrowing == 0) half |= half << 16;
  const wide_lanes all = (wide_lanes){} + half;
  for (size_t index = 0; index < (count + 7) / 8 * 8 * PIXELS_SUM_BYTES; index += sizeof all)
    memcpy(place + index, &all, sizeof all);
}
