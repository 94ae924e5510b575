// SPDX-License-Identifier: MIT

#include "Compiled.h"

#include <string.h>

// Eight pixels as 32 bytes: blue and green in one lane, red and alpha in the next. A channel times
// a weight, with everything added to it, stays below 2^16. Integer arithmetic gives the same bytes
// on every processor.
typedef uint16_t lanes __attribute__((vector_size(32)));
typedef uint32_t eight_pixels __attribute__((vector_size(32)));

INLINE void fill_line(uint32_t *pixels, eight_pixels eight) {
  memcpy(pixels, &eight, sizeof eight);
  memcpy(pixels + 8, &eight, sizeof eight);
}

// Whole, aligned cache lines, because stores that straddle two of them cost more. The first and the
// last store may overlap others.
INLINE void fill(uint32_t *pixels, uint32_t pixel, size_t count) {
  const eight_pixels eight = (eight_pixels){} + pixel;
  uint32_t *const last = pixels + count - 16;
  fill_line(pixels, eight);
  uint32_t *line = (uint32_t *)(((uintptr_t)pixels + 64) & ~(uintptr_t)63);
  for (; line < last; line += 16) fill_line(line, eight);
  fill_line(last, eight);
}

INLINE void lay(struct pixels_uniform_layer layer, const uint32_t *place, lanes *pixels) {
  lanes below;
  memcpy(&below, place, sizeof below);
  const uint16_t b = layer.blue, g = layer.green, r = layer.red, a = layer.alpha;
  const lanes blue_red = {b, r, b, r, b, r, b, r, b, r, b, r, b, r, b, r};
  const lanes green_alpha = {g, a, g, a, g, a, g, a, g, a, g, a, g, a, g, a};
  lanes low = (below & 0xff) * layer.rest + blue_red;
  lanes high = (below >> 8) * layer.rest + green_alpha;
  *pixels = low >> 8 | (high & 0xff00);
}

INLINE void lay_pixels(const uint32_t *source, const uint32_t *place, lanes *pixels) {
  lanes given, below;
  memcpy(&given, source, sizeof given);
  memcpy(&below, place, sizeof below);
  // 256 minus the weight of the alpha a. The weight is a, plus one if a is at least 128.
  eight_pixels alpha = (eight_pixels)given >> 24;
  lanes rest = (lanes)((256 - alpha - (alpha >> 7)) * 0x10001);
  lanes low = ((given & 0xff) << 8) + (below & 0xff) * rest + 128;
  lanes high = (given & 0xff00) + (below >> 8) * rest + 128;
  const eight_pixels opaque = (eight_pixels){} + 0xff000000;
  *pixels = low >> 8 | (high & 0xff00) | (lanes)opaque;
}

INLINE void uniform_layer(
    struct pixels_uniform_layer layer, const uint32_t *below, uint32_t *pixels, size_t count) {
  size_t index = 0;
  for (; index + 8 <= count; index += 8) {
    lanes eight;
    lay(layer, below + index, &eight);
    memcpy(pixels + index, &eight, sizeof eight);
  }
  if (index == count) return;
  // The pixels after the last must not be accessed.
  uint32_t last[8] = {0};
  memcpy(last, below + index, (count - index) * 4);
  lanes eight;
  lay(layer, last, &eight);
  memcpy(pixels + index, &eight, (count - index) * 4);
}

INLINE void cover(const uint32_t *given, uint32_t *pixels, size_t count) {
  size_t index = 0;
  for (; index + 8 <= count; index += 8) {
    lanes eight;
    lay_pixels(given + index, pixels + index, &eight);
    memcpy(pixels + index, &eight, sizeof eight);
  }
  if (index == count) return;
  // As above.
  uint32_t last[2][8] = {{0}, {0}};
  memcpy(last[0], given + index, (count - index) * 4);
  memcpy(last[1], pixels + index, (count - index) * 4);
  lanes eight;
  lay_pixels(last[0], last[1], &eight);
  memcpy(pixels + index, &eight, (count - index) * 4);
}

INLINE void mix_eight(const uint32_t *old, const uint32_t *new, uint16_t weight, lanes *pixels) {
  lanes from, to;
  memcpy(&from, old, sizeof from);
  memcpy(&to, new, sizeof to);
  const uint16_t rest = 256 - weight;
  lanes low = (from & 0xff) * rest + (to & 0xff) * weight + 128;
  lanes high = (from >> 8) * rest + (to >> 8) * weight + 128;
  *pixels = low >> 8 | (high & 0xff00);
}

INLINE void mix(const uint32_t *old, uint32_t *pixels, uint16_t weight, size_t count) {
  size_t index = 0;
  for (; index + 8 <= count; index += 8) {
    lanes eight;
    mix_eight(old + index, pixels + index, weight, &eight);
    memcpy(pixels + index, &eight, sizeof eight);
  }
  if (index == count) return;
  // As above.
  uint32_t last[2][8] = {{0}, {0}};
  memcpy(last[0], old + index, (count - index) * 4);
  memcpy(last[1], pixels + index, (count - index) * 4);
  lanes eight;
  mix_eight(last[0], last[1], weight, &eight);
  memcpy(pixels + index, &eight, (count - index) * 4);
}

FAST(void, fill, (uint32_t *pixels, uint32_t pixel, size_t count), (pixels, pixel, count))
FAST(void, mix, (const uint32_t *old, uint32_t *pixels, uint16_t weight, size_t count),
     (old, pixels, weight, count))
FAST(void, uniform_layer,
     (struct pixels_uniform_layer given, const uint32_t *below, uint32_t *pixels, size_t count),
     (given, below, pixels, count))
FAST(void, cover, (const uint32_t *given, uint32_t *pixels, size_t count), (given, pixels, count))
