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
// All four of the first and of the last pixel should exist, so that those of each between them do; else
// it does as `pixels_sample_clamped` does. No side of the image is longer than 32767. The same on every
// machine, to the bit.
void pixels_sample(
    const struct pixels_image *image, struct pixels_line line, uint32_t *pixels, size_t count);

// The same, without special instructions of the processor.
void pixels_sample_portably(
    const struct pixels_image *image, struct pixels_line line, uint32_t *pixels, size_t count);

// The same for places anywhere: beyond the outermost texels the image goes on as it ends.
void pixels_sample_clamped(
    const struct pixels_image *image, struct pixels_line line, uint32_t *pixels, size_t count);

// The ink of a text, two rows in one: how much of a texel is covered, of 255, and in the upper byte how much of
// the one below. `stride` texels a row.
struct pixels_mask {
  const uint16_t *pairs;
  uint32_t stride;
};

// Blends an opaque `pixel`, of which `alpha` 255ths are taken, into `count` pixels as far as a text covers them on
// a line across its mask. All four texels of the first and of the last pixel must exist, so that those of each
// between them do. The same on every machine, to the bit.
void pixels_text(
    struct pixels_mask mask, struct pixels_line line, uint32_t pixel, uint32_t alpha,
    uint32_t *pixels, size_t count);

#define PIXELS_GRADIENT_COLORS 256

// Colours around a centre, which is counted as the middles of pixels are: the first of PIXELS_GRADIENT_COLORS
// premultiplied ones at the distance `start` and within, and `scale` of them for each pixel farther.
struct pixels_gradient {
  const uint32_t *colors;
  float x;
  float y;
  float start;
  float scale;
};

// Writes `count` pixels of row `y` from column `x` on. The same on every machine, to the bit.
void pixels_radial(
    struct pixels_gradient gradient, int32_t x, int32_t y, uint32_t *pixels, size_t count);

// A mean of `length` lines, which is computed from their sum:
// (sum >> narrowing) * reciprocal >> 16 >> shift. Sums of up to 256 lines have room in 16 bits and are
// not narrowed.
struct pixels_mean {
  uint32_t length;
  uint32_t narrowing;
  uint16_t reciprocal;
  uint16_t shift;
};

// The memory for the sums of a pixel. Pixels are summed in eights, of which the last may be incomplete.
#define PIXELS_SUM_BYTES 16

// Begins the sums of `count` pixels with no line.
void pixels_begin(struct pixels_mean mean, void *sums, size_t count);

// Adds opaque pixels to the sums.
void pixels_add(struct pixels_mean mean, const uint32_t *line, void *sums, size_t count);

// Adds opaque pixels to the sums, writes their means, and subtracts those of the oldest line.
void pixels_slide(
    struct pixels_mean mean, const uint32_t *in, const uint32_t *out, void *sums, uint32_t *means,
    size_t count);

// A contribution to a pixel, which keeps `rest` 256ths of itself: channels times 256, with half a step of
// 128 added so that they are rounded to the nearest.
struct pixels_veil {
  uint16_t blue;
  uint16_t green;
  uint16_t red;
  uint16_t alpha;
  uint16_t rest;
};

// Writes `pixel` `count` times; `count` is at least 16.
void pixels_fill(uint32_t *pixels, uint32_t pixel, size_t count);

// Lays a veil over `count` pixels of `below`, and writes the result to `pixels`, which may be the same.
void pixels_veil(
    struct pixels_veil veil, const uint32_t *below, uint32_t *pixels, size_t count);

// Mixes `count` opaque pixels with those of `old`, of which `256 - weight` 256ths remain.
void pixels_mix(const uint32_t *old, uint32_t *pixels, uint16_t weight, size_t count);

// Lays `given`, premultiplied, over as many opaque pixels.
void pixels_cover(const uint32_t *given, uint32_t *pixels, size_t count);

// The lines of points on which a row of pixels is measured, a sixteenth of a pixel apart. Line n of row y
// lies at y + (n + 1/2)/16.
#define PIXELS_LINES 16

// The interval of x in which each of a row's lines lies inside of a shape.
struct pixels_intervals {
  double from[PIXELS_LINES];
  double to[PIXELS_LINES];
};

// Finds where the lines of a row enter and leave a disc, which all of them meet.
void pixels_cross_disc(
    double x, double y, double radius, int32_t row, struct pixels_intervals *intervals);

// The same for a ring whose circles both meet all lines: for its left part and for its right part.
void pixels_cross_ring(
    double x, double y, double outer, double inner, int32_t row, struct pixels_intervals *left,
    struct pixels_intervals *right);

// A straight edge: it reaches from the height `top` to before `bottom`, through (x, y) in the direction (dx, dy). It
// is not level.
struct pixels_edge {
  double top;
  double bottom;
  double x;
  double y;
  double dx;
  double dy;
};

// Finds where the lines of a row cross edges, of which a line crosses none or two. Returns how many intervals
// the lines have: 0 where no line crosses any, else 1, which is empty for lines that cross none; and -1 where
// a line crosses more than two.
int32_t pixels_cross_edges(
    const struct pixels_edge *edges, size_t count, int32_t row,
    struct pixels_intervals *intervals);

// The points of each line that lie inside: on line n, the points from `starts[n]` to before `ends[n]`. Then the
// least and the greatest of the starts and of the ends.
struct pixels_points {
  int16_t starts[PIXELS_LINES];
  int16_t ends[PIXELS_LINES];
  int32_t first_start;
  int32_t last_start;
  int32_t first_end;
  int32_t last_end;
};

// Finds the points that lie inside, among 0 … `end` - 1, which is at most 32000. Point k lies (k + 1/2)/16
// right of `left`.
void pixels_find_points(
    const struct pixels_intervals *intervals, double left, int32_t end,
    struct pixels_points *points);

// Counts the points that lie inside, of the 256 of each of `count` pixels from `x` on, at most four: the first
// one's in the lowest 16 bits. The lines have a second interval each if `second` is not null.
uint64_t pixels_count_points(
    const struct pixels_points *first, const struct pixels_points *second, int32_t x,
    int32_t count);
