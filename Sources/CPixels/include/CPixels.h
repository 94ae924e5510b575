// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>
#include <stdint.h>

// Premultiplied 0xAARRGGBB in rows of `stride` texels, at least two of them in each direction.
struct pixels_image {
  const uint32_t *texels;
  int32_t stride;
  int32_t width;
  int32_t height;
};

// A place on an image and the step from one pixel to the next, in 2^16ths of a texel. Whole numbers
// are the middles of texels.
struct pixels_line {
  int32_t u;
  int32_t v;
  int32_t du;
  int32_t dv;
};

// Writes `count` pixels of a line, each interpolated between four texels by 128ths of their distance.
// All four of the first and of the last pixel must exist, so that those of each between them do.
// No side of the image is longer than 32767. The same on every machine, to the bit.
void pixels_sample(
    const struct pixels_image *image, struct pixels_line line, uint32_t *pixels, size_t count);

// The same, without regard to what the processor offers.
void pixels_sample_portably(
    const struct pixels_image *image, struct pixels_line line, uint32_t *pixels, size_t count);

// The same for places anywhere: beyond the outermost texels the image goes on as it ends.
void pixels_sample_clamped(
    const struct pixels_image *image, struct pixels_line line, uint32_t *pixels, size_t count);

// How a sum becomes a mean: (sum >> narrowing) * reciprocal >> 16 >> shift.
struct pixels_mean {
  uint32_t narrowing;
  uint16_t reciprocal;
  uint16_t shift;
};

// Adds channels to sums of 16 bits, or of 32.
void pixels_add_16(const uint8_t *line, uint16_t *sums, size_t count);
void pixels_add_32(const uint8_t *line, uint32_t *sums, size_t count);

// Takes `in` into sums, writes their means, and lets `out` go. Sums of 16 bits are not narrowed.
void pixels_slide_16(
    struct pixels_mean mean, const uint8_t *in, const uint8_t *out, uint16_t *sums, uint8_t *means,
    size_t count);
void pixels_slide_32(
    struct pixels_mean mean, const uint8_t *in, const uint8_t *out, uint32_t *sums, uint8_t *means,
    size_t count);
