// SPDX-License-Identifier: MIT

#include "Compiled.h"

// Sums, products and square roots of IEEE numbers are the same everywhere, unless operations are fused.
#pragma clang fp contract(off)

typedef float eight_floats __attribute__((vector_size(32)));
typedef int32_t eight_numbers __attribute__((vector_size(32)));

INLINE void colors_at(
    struct pixels_gradient gradient, float square, int32_t x, uint32_t *pixels, size_t count) {
  const eight_numbers steps = {0, 1, 2, 3, 4, 5, 6, 7};
  eight_floats across = __builtin_convertvector(steps + x, eight_floats) - gradient.x;
  eight_floats distance = __builtin_elementwise_sqrt(across * across + square);
  // Rounded to the nearest colour.
  eight_floats place = (distance - gradient.start) * gradient.scale + 0.5f;
  const eight_floats first = {0}, last = first + (PIXELS_GRADIENT_COLORS - 1);
  place = __builtin_elementwise_min(__builtin_elementwise_max(place, first), last);
  eight_numbers numbers = __builtin_convertvector(place, eight_numbers);
  for (size_t index = 0; index < count; index++) pixels[index] = gradient.colors[numbers[index]];
}

INLINE void radial(
    struct pixels_gradient gradient, int32_t x, int32_t y, uint32_t *pixels, size_t count) {
  const float down = (float)y - gradient.y, square = down * down;
  size_t index = 0;
  for (; index + 8 <= count; index += 8)
    colors_at(gradient, square, x + (int32_t)index, pixels + index, 8);
  if (index < count) colors_at(gradient, square, x + (int32_t)index, pixels + index, count - index);
}

FAST(void, radial, (struct pixels_gradient gradient, int32_t x, int32_t y, uint32_t *pixels, size_t count),
     (gradient, x, y, pixels, count))
