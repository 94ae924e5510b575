// SPDX-License-Identifier: MIT

// Wedges from masks that are remembered; it has no text, so its lit wedge
// is bare.
#include "peer.h"

#include <pixman.h>

static pixman_image_t *target, *masks[WEDGES];
static Box boxes[WEDGES];

static pixman_image_t *solid(uint32_t color) {
  pixman_color_t wide = {(color >> 16 & 255) * 257, (color >> 8 & 255) * 257,
                         (color & 255) * 257, 0xffff};
  return pixman_image_create_solid_fill(&wide);
}

// How much of each pixel a wedge covers, at 16 × 16 points.
static void make_mask(int k) {
  Box box = boxes[k] = wedge_box(k);
  int columns = box.x1 - box.x0, rows = box.y1 - box.y0, stride = (columns + 3) & ~3;
  uint8_t *mask = calloc(stride, rows);
  for (int y = 0; y < rows; y++) {
    for (int x = 0; x < columns; x++) {
      int inside = 0;
      for (int point = 0; point < 256; point++) {
        double px = box.x0 + x + (point % 16 + 0.5) / 16 - center_x;
        double py = box.y0 + y + (point / 16 + 0.5) / 16 - center_y;
        double radius = hypot(px, py);
        double turn = remainder(atan2(py, px) - wedge_middle(k), 2 * M_PI);
        inside += radius >= inner() && radius < outer() &&
                  fabs(turn) < (wedge_end(k) - wedge_start(k)) / 2;
      }
      mask[y * stride + x] = (inside * 255 + 128) / 256;
    }
  }
  masks[k] =
      pixman_image_create_bits(PIXMAN_a8, columns, rows, (uint32_t *)mask, stride);
}

static void paint_wedge(int k, uint32_t color) {
  Box box = boxes[k];
  pixman_image_t *source = solid(color);
  pixman_image_composite32(PIXMAN_OP_OVER, source, masks[k], target, 0, 0, 0, 0, box.x0, box.y0,
                           box.x1 - box.x0, box.y1 - box.y0);
  pixman_image_unref(source);
}

static void wedges(int frame) {
  pixman_fill(pixels, width, 32, 0, 0, width, height, stepped(background, frame));
  for (int k = 0; k < WEDGES; k++) paint_wedge(k, stepped(colors[k], frame));
}

static void one(int frame) {
  int wedge = lit_wedge(frame);
  Box box = boxes[wedge];
  pixman_region32_t region;
  pixman_region32_init_rect(&region, box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0);
  pixman_image_set_clip_region32(target, &region);
  pixman_fill(pixels, width, 32, box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0, background);
  for (int k = 0; k < WEDGES; k++) {
    if (near_wedge[wedge][k]) paint_wedge(k, k == wedge ? lit_color(frame) : colors[k]);
  }
  pixman_image_set_clip_region32(target, NULL);
  pixman_region32_fini(&region);
}

int main(int argc, char **argv) {
  set_up(argc, argv);
  target = pixman_image_create_bits(PIXMAN_x8r8g8b8, width, height, pixels, width * 4);
  for (int k = 0; k < WEDGES; k++) make_mask(k);
  report("pixman", "wedges", 1, wedges, wedges);
  report("pixman", "bare", 24, wedges, one);
  return 0;
}
