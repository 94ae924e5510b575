// SPDX-License-Identifier: MIT

#include "Compiled.h"

#include <string.h>

// Eight pixels: one 32-bit number each, or two of 16 bits. Intermediate sums may overflow 16 bits; later
// steps bring them back into range. Integer arithmetic gives the same bytes on every processor.
typedef uint32_t numbers __attribute__((vector_size(32)));
typedef uint16_t pairs __attribute__((vector_size(32)));

// Two channels in each pair, and the opacity, 0 to 255.
struct ink {
  pairs blue_red;
  pairs green_alpha;
  uint32_t alpha;
};

// The coverage of eight pixels in 256ths, each interpolated between four texels. 255 counts as full coverage, as in
// an exact mask.
INLINE numbers coverage(numbers texels, numbers u, numbers v) {
  const numbers fx = u >> 8 & 0xff;
  const pairs fy = (pairs)((v >> 8 & 0xff) * 0x10001);
  const numbers columns =
      (numbers)(((pairs)texels & 0xff) * (256 - fy) + ((pairs)texels >> 8) * fy);
  const numbers value = ((columns & 0xffff) * (256 - fx) + (columns >> 16) * fx) >> 16;
  return value + (value >> 7);
}

// Blends the ink into the pixels first ..< end of a group of eight.
INLINE void blend_eight(
    struct pixels_mask mask, struct pixels_line line, struct ink ink, uint32_t *pixels,
    size_t first, size_t end) {
  const numbers steps = {0, 1, 2, 3, 4, 5, 6, 7};
  const numbers u = (uint32_t)line.u + steps * (uint32_t)line.du;
  const numbers v = (uint32_t)line.v + steps * (uint32_t)line.dv;
  const numbers places = (v >> 16) * mask.stride + (u >> 16);
  uint32_t place[8], four[8] = {0};
  memcpy(place, &places, sizeof place);
  // One texel, the texel below it in the next byte, and then their right neighbours.
  for (size_t index = first; index < end; index++) {
    memcpy(&four[index], mask.pairs + place[index], sizeof four[index]);
  }
  // Most of the bounding box of text is empty.
  if ((four[0] | four[1] | four[2] | four[3] | four[4] | four[5] | four[6] | four[7]) == 0) return;
  numbers texels;
  memcpy(&texels, four, sizeof texels);
  numbers taken = coverage(texels, u, v);
  if (ink.alpha != 255) {
    // A rounded division by 255 of a product of at most 65 280.
    const numbers product = taken * ink.alpha + 127;
    taken = (product + 1 + (product >> 8)) >> 8;
  }
  const pairs weights = (pairs)(taken * 0x10001);
  pairs below;
  memcpy(&below, pixels, sizeof below);
  const pairs low = (ink.blue_red - (below & 0xff)) * weights + (below << 8) + 128;
  const pairs high = (ink.green_alpha - (below >> 8)) * weights + (below & 0xff00) + 128;
  const pairs mixed = low >> 8 | (high & 0xff00);
  memcpy(pixels, &mixed, sizeof mixed);
}

INLINE void text(
    struct pixels_mask mask, struct pixels_line line, uint32_t pixel, uint32_t alpha,
    uint32_t *pixels, size_t count) {
  const pairs color = (pairs)((numbers){} + pixel);
  const struct ink ink = {color & 0xff, color >> 8, alpha};
  size_t index = 0;
  for (; index + 8 <= count; index += 8) {
    blend_eight(mask, line, ink, pixels + index, 0, 8);
    line.u += 8 * line.du;
    line.v += 8 * line.dv;
  }
  const size_t rest = count - index;
  if (rest == 0) return;
  if (count >= 8) {
    // The last eight pixels. The first of them are already blended.
    const int32_t back = 8 - (int32_t)rest;
    line.u -= back * line.du;
    line.v -= back * line.dv;
    blend_eight(mask, line, ink, pixels + count - 8, back, 8);
  } else {
    // The pixels after the last must not be accessed.
    uint32_t few[8] = {0};
    memcpy(few, pixels, count * 4);
    blend_eight(mask, line, ink, few, 0, count);
    memcpy(pixels, few, count * 4);
  }
}

FAST(void, text,
     (struct pixels_mask mask, struct pixels_line line, uint32_t pixel, uint32_t alpha,
      uint32_t *pixels, size_t count),
     (mask, line, pixel, alpha, pixels, count))
