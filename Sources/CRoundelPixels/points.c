// SPDX-License-Identifier: MIT

#include "Compiled.h"

#include <math.h>
#include <string.h>

// IEEE numbers are the same everywhere, unless operations are fused.
#pragma clang fp contract(off)

// A number for each sample row.
typedef double lines __attribute__((vector_size(128)));
typedef int64_t line_masks __attribute__((vector_size(128)));
typedef int32_t line_numbers __attribute__((vector_size(64)));
typedef int16_t line_points __attribute__((vector_size(32)));

INLINE lines heights(int32_t row) {
  const lines parts = {0.03125, 0.09375, 0.15625, 0.21875, 0.28125, 0.34375, 0.40625, 0.46875,
                       0.53125, 0.59375, 0.65625, 0.71875, 0.78125, 0.84375, 0.90625, 0.96875};
  return parts + (double)row;
}

INLINE lines either(line_masks isFirst, lines first, lines second) {
  return (lines)(((line_masks)first & isFirst) | ((line_masks)second & ~isFirst));
}

INLINE void cross_circle(
    double x, double y, double radius, int32_t row, double left[PIXELS_LINES],
    double right[PIXELS_LINES]) {
  const lines dy = heights(row) - y;
  const lines reach = __builtin_elementwise_sqrt(radius * radius - dy * dy);
  const lines from = x - reach, to = x + reach;
  memcpy(left, &from, sizeof from);
  memcpy(right, &to, sizeof to);
}

INLINE void cross_disc(
    double x, double y, double radius, int32_t row, struct pixels_intervals *intervals) {
  cross_circle(x, y, radius, row, intervals->from, intervals->to);
}

INLINE void cross_ring(
    double x, double y, double outer, double inner, int32_t row, struct pixels_intervals *left,
    struct pixels_intervals *right) {
  cross_circle(x, y, outer, row, left->from, right->to);
  cross_circle(x, y, inner, row, left->to, right->from);
}

INLINE int32_t cross_edges(
    const struct pixels_edge *edges, size_t count, int32_t row,
    struct pixels_intervals *intervals) {
  const lines y = heights(row);
  lines from = (lines){} + INFINITY, to = -from;
  line_masks crossings = {0};
  for (size_t index = 0; index < count; index++) {
    const struct pixels_edge edge = edges[index];
    if (edge.top > y[PIXELS_LINES - 1] || edge.bottom <= y[0]) continue;
    const line_masks isCrossed = (edge.top <= y) & (y < edge.bottom);
    const lines x = edge.x + (y - edge.y) * edge.dx / edge.dy;
    from = either(isCrossed & (x < from), x, from);
    to = either(isCrossed & (x > to), x, to);
    crossings -= isCrossed;
  }
  if (__builtin_reduce_max(crossings) > 2) return -1;
  // Sample rows without intersections get an empty interval at another row's position.
  const line_masks isCrossed = crossings > 0;
  const double first = __builtin_reduce_min(from);
  from = either(isCrossed, from, (lines){} + first);
  to = either(isCrossed, to, from);
  memcpy(intervals->from, &from, sizeof from);
  memcpy(intervals->to, &to, sizeof to);
  return first < INFINITY;
}

// The first point at or right of each position, clamped to 0 … end. 0 for NaN.
INLINE line_numbers points_after(const double *places, double left, double end) {
  lines k;
  memcpy(&k, places, sizeof k);
  k = (k - left) * 16 - 0.5;
  k = (lines)((line_masks)k & (k > 0));
  k = either(k < end, k, (lines){} + end);
  const line_numbers whole = __builtin_convertvector(k, line_numbers);
  const line_masks isLess = __builtin_convertvector(whole, lines) < k;
  return whole - __builtin_convertvector(isLess, line_numbers);
}

INLINE void find_points(
    const struct pixels_intervals *intervals, double left, int32_t end,
    struct pixels_points *points) {
  const line_numbers from = points_after(intervals->from, left, end);
  const line_numbers to = points_after(intervals->to, left, end);
  points->first_start = __builtin_reduce_min(from);
  points->last_start = __builtin_reduce_max(from);
  points->first_end = __builtin_reduce_min(to);
  points->last_end = __builtin_reduce_max(to);
  const line_points starts = __builtin_convertvector(from, line_points);
  const line_points ends = __builtin_convertvector(to, line_points);
  memcpy(points->starts, &starts, sizeof starts);
  memcpy(points->ends, &ends, sizeof ends);
}

// The number of points inside, for the pixel that begins at `point`.
INLINE line_points inside(line_points starts, line_points ends, int16_t point) {
  const line_points none = {0}, all = none + 16;
  const line_points end = __builtin_elementwise_min((line_points)(ends - point), all);
  const line_points start = __builtin_elementwise_max((line_points)(starts - point), none);
  return __builtin_elementwise_max((line_points)(end - start), none);
}

INLINE uint64_t count_points(
    const struct pixels_points *first, const struct pixels_points *second, int32_t x,
    int32_t count) {
  line_points starts[2] = {{0}, {0}}, ends[2] = {{0}, {0}};
  memcpy(&starts[0], first->starts, sizeof starts[0]);
  memcpy(&ends[0], first->ends, sizeof ends[0]);
  if (second) {
    memcpy(&starts[1], second->starts, sizeof starts[1]);
    memcpy(&ends[1], second->ends, sizeof ends[1]);
  }
  uint64_t counts = 0;
  for (int32_t index = 0; index < count; index++) {
    const int16_t point = (int16_t)((x + index) * 16);
    line_points sum = inside(starts[0], ends[0], point);
    if (second) sum += inside(starts[1], ends[1], point);
    counts |= (uint64_t)(uint16_t)__builtin_reduce_add(sum) << 16 * index;
  }
  return counts;
}

FAST(void, cross_disc,
     (double x, double y, double radius, int32_t row, struct pixels_intervals *intervals),
     (x, y, radius, row, intervals))
FAST(void, cross_ring,
     (double x, double y, double outer, double inner, int32_t row, struct pixels_intervals *left,
      struct pixels_intervals *right),
     (x, y, outer, inner, row, left, right))
FAST(int32_t, cross_edges,
     (const struct pixels_edge *edges, size_t count, int32_t row,
      struct pixels_intervals *intervals),
     (edges, count, row, intervals))
FAST(void, find_points,
     (const struct pixels_intervals *intervals, double left, int32_t end,
      struct pixels_points *points),
     (intervals, left, end, points))
FAST(uint64_t, count_points,
     (const struct pixels_points *first, const struct pixels_points *second, int32_t x,
      int32_t count),
     (first, second, x, count))
