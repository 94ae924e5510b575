// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>
#include <stdint.h>

// Premultiplied 0xAARRGGBB in rows of `stride` texels, at least two texels in each direction.
struct pixels_image {
  const uint32_t *texels;
  int32_t stride;
  int32_t width;
  int32_t height;
};

// A position on an image and the step from one pixel to the next, in units of 2^-16 texels. Whole texels are
// centres.
struct pixels_line {
  int32_t u;
  int32_t v;
  int32_t du;
  int32_t dv;
};

// Writes `count` pixels of a line, each interpolated between four texels in steps of 1/128. If the
// first or the last pixel lacks a texel, works like `pixels_sample_clamped`. No side of the image
// may exceed 32767. Bit-identical on every machine.
void pixels_sample(
    const struct pixels_image *image, struct pixels_line line, uint32_t *pixels, size_t count);

// Like `pixels_sample`, without special instructions.
void pixels_sample_portably(
    const struct pixels_image *image, struct pixels_line line, uint32_t *pixels, size_t count);

// Like `pixels_sample`, for any position: the edge of the image is extended.
void pixels_sample_clamped(
    const struct pixels_image *image, struct pixels_line line, uint32_t *pixels, size_t count);

// A mask of text, two rows in one: the coverage of a texel, 0 to 255, and in the upper byte the
// coverage of the texel below. `stride` texels per row.
struct pixels_mask {
  const uint16_t *pairs;
  uint32_t stride;
};

// Blends an opaque `pixel` with an opacity of `alpha` 255ths into `count` pixels, with the coverage
// of text on a line across its mask. All four texels of the first and of the last pixel must exist.
// Bit-identical on every machine.
void pixels_text(
    struct pixels_mask mask, struct pixels_line line, uint32_t pixel, uint32_t alpha,
    uint32_t *pixels, size_t count);

#define PIXELS_GRADIENT_COLORS 256

// Colours around a centre, the first of PIXELS_GRADIENT_COLORS premultiplied colours up to the
// distance `start`, and `scale` colours per pixel beyond. Whole coordinates are the centres of
// pixels.
struct pixels_gradient {
  const uint32_t *colors;
  float x;
  float y;
  float start;
  float scale;
};

// Writes `count` pixels of row `y`, starting at column `x`. Bit-identical on every machine.
void pixels_radial(
    struct pixels_gradient gradient, int32_t x, int32_t y, uint32_t *pixels, size_t count);

// A mean of `length` lines: (sum >> narrowing) * reciprocal >> 16 >> shift. Sums of up to 256 lines
// fit into 16 bits and are not narrowed.
struct pixels_mean {
  uint32_t length;
  uint32_t narrowing;
  uint16_t reciprocal;
  uint16_t shift;
};

// Per pixel. Pixels are summed in groups of eight. The last group may be incomplete.
#define PIXELS_SUM_BYTES 16

// Initialises the sums of `count` pixels to no lines.
void pixels_begin(struct pixels_mean mean, void *sums, size_t count);

// Adds opaque pixels to the sums.
void pixels_add(struct pixels_mean mean, const uint32_t *line, void *sums, size_t count);

// Adds opaque pixels, writes the means, and subtracts the pixels of the oldest line.
void pixels_slide(
    struct pixels_mean mean, const uint32_t *in, const uint32_t *out, void *sums, uint32_t *means,
    size_t count);

// A colour to add to `rest` 256ths of a pixel: its channels times 256, plus 128 for rounding.
struct pixels_uniform_layer {
  uint16_t blue;
  uint16_t green;
  uint16_t red;
  uint16_t alpha;
  uint16_t rest;
};

// `count` must be at least 16.
void pixels_fill(uint32_t *pixels, uint32_t pixel, size_t count);

// Composites a uniform layer over `below`, and writes the result to `pixels`, which may be the
// same.
void pixels_uniform_layer(
    struct pixels_uniform_layer layer, const uint32_t *below, uint32_t *pixels, size_t count);

// Mixes opaque pixels. `256 - weight` 256ths of `old` remain.
void pixels_mix(const uint32_t *old, uint32_t *pixels, uint16_t weight, size_t count);

// Composites premultiplied pixels over opaque ones.
void pixels_cover(const uint32_t *given, uint32_t *pixels, size_t count);

// Sample row n of row y is at y + (n + 1/2)/16.
#define PIXELS_LINES 16

// The interval of x inside a shape, for each sample row.
struct pixels_intervals {
  double from[PIXELS_LINES];
  double to[PIXELS_LINES];
};

// All sample rows must intersect the disc.
void pixels_cross_disc(
    double x, double y, double radius, int32_t row, struct pixels_intervals *intervals);

// Finds the intersections with the left and the right part of a ring. All sample rows must
// intersect both circles.
void pixels_cross_ring(
    double x, double y, double outer, double inner, int32_t row, struct pixels_intervals *left,
    struct pixels_intervals *right);

// A straight edge from the height `top` to before `bottom`, through (x, y) in the direction (dx,
// dy). It must not be horizontal.
struct pixels_edge {
  double top;
  double bottom;
  double x;
  double y;
  double dx;
  double dy;
};

// Each sample row may intersect none or two of the edges. Returns the number of intervals per
// sample row: 0 if there are no intersections, otherwise 1, with empty intervals for rows without
// intersections. Returns -1 if a sample row intersects more than two edges.
int32_t pixels_cross_edges(
    const struct pixels_edge *edges, size_t count, int32_t row,
    struct pixels_intervals *intervals);

// On sample row n, the points from `starts[n]` to before `ends[n]` are inside a shape. The other
// members are the minimum and maximum of the starts and of the ends.
struct pixels_points {
  int16_t starts[PIXELS_LINES];
  int16_t ends[PIXELS_LINES];
  int32_t first_start;
  int32_t last_start;
  int32_t first_end;
  int32_t last_end;
};

// Finds the sample points inside, among 0 … `end` - 1. `end` is at most 32000. Point k is (k +
// 1/2)/16 right of `left`.
void pixels_find_points(
    const struct pixels_intervals *intervals, double left, int32_t end,
    struct pixels_points *points);

// Counts the points inside, of 256 per pixel, for at most four pixels. The first is in the lowest
// 16 bits. The sample rows have a second interval each if `second` isn't null.
uint64_t pixels_count_points(
    const struct pixels_points *first, const struct pixels_points *second, int32_t x,
    int32_t count);
