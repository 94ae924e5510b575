// SPDX-License-Identifier: MIT

// Paints wedges with cached masks. pixman has no text, so there are no labels.
#include "peer.h"

#include <pixman.h>

static pixman_image_t *target, *masks[WEDGES];
static Box boxes[WEDGES];

static pixman_image_t *solid(uint32_t color) {
  pixman_color_t wide = {(color >> 16 & 255) * 257, (color >> 8 & 255) * 257,
                         (color & 255) * 257, 0xffff};
  return pixman_image_create_solid_fill(&wide);
}

// Whether a point is in a sector.
static int covers(double x, double y, double from, double to, double middle, double half) {
  double radius = hypot(x, y);
  return radius >= from && radius < to && fabs(remainder(atan2(y, x) - middle, 2 * M_PI)) < half;
}

// The coverage of a sector in each pixel of a box; edges are sampled at 16 × 16 points.
static pixman_image_t *sector_mask(Box box, double x0, double y0, double from, double to,
                                   double middle, double half) {
  int columns = box.x1 - box.x0, rows = box.y1 - box.y0, stride = (columns + 3) & ~3;
  uint8_t *mask = calloc(stride, rows);
  for (int y = 0; y < rows; y++) {
    for (int x = 0; x < columns; x++) {
      double left = box.x0 + x - x0, top = box.y0 + y - y0;
      double radius = hypot(left + 0.5, top + 0.5);
      double turn = fabs(remainder(atan2(top + 0.5, left + 0.5) - middle, 2 * M_PI));
      int is_edge = fabs(radius - from) < 1 || fabs(radius - to) < 1 ||
                    fabs(turn - half) * radius < 1, inside = 0;
      if (!is_edge) {
        inside = covers(left + 0.5, top + 0.5, from, to, middle, half) * 256;
      } else {
        for (int point = 0; point < 256; point++) {
          inside += covers(left + (point % 16 + 0.5) / 16, top + (point / 16 + 0.5) / 16, from, to,
                           middle, half);
        }
      }
      mask[y * stride + x] = (inside * 255 + 128) / 256;
    }
  }
  return pixman_image_create_bits(PIXMAN_a8, columns, rows, (uint32_t *)mask, stride);
}

static void make_mask(int k) {
  boxes[k] = wedge_box(k);
  masks[k] = sector_mask(boxes[k], center_x, center_y, inner(), outer(), wedge_middle(k),
                         (wedge_end(k) - wedge_start(k)) / 2);
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

static pixman_image_t *face_image, *disc_mask, *page_image, *rest_images[QUARTERS],
    *pressed_images[QUARTERS], *quarter_masks[QUARTERS], *icon_images[ICONS], *icon_mask,
    *row_images[ROWS];

static pixman_image_t *make_picture(int number, int w, int h) {
  return pixman_image_create_bits(PIXMAN_x8r8g8b8, w, h, make_image(number, w, h), w * 4);
}

// Maps an image's pixels by a matrix, with interpolation.
static void transform(pixman_image_t *image, double a, double b, double x, double c, double d,
                      double y) {
  pixman_f_transform_t wide = {{{a, b, x}, {c, d, y}, {0, 0, 1}}};
  pixman_transform_t matrix;
  pixman_transform_from_pixman_f_transform(&matrix, &wide);
  pixman_image_set_transform(image, &matrix);
  pixman_image_set_filter(image, PIXMAN_FILTER_BILINEAR, NULL, 0);
}

static pixman_image_t *scaled(pixman_image_t *image, double w, double h) {
  int columns = (int)ceil(w), rows = (int)ceil(h);
  pixman_image_t *made = pixman_image_create_bits(PIXMAN_x8r8g8b8, columns, rows, NULL, 0);
  transform(image, pixman_image_get_width(image) / w, 0, 0, 0, pixman_image_get_height(image) / h,
            0);
  pixman_image_set_repeat(image, PIXMAN_REPEAT_PAD);
  pixman_image_composite32(PIXMAN_OP_SRC, image, NULL, made, 0, 0, 0, 0, 0, 0, columns, rows);
  return made;
}

// A disc with the largest radius of an icon, to be scaled down.
static double mask_radius(void) { return 100 * scale; }

static void make_images(void) {
  double all = 2 * M_PI, side = 760 * scale;
  Box whole = dial_box();
  face_image = make_picture(FACE_IMAGE, 800, 800);
  disc_mask = sector_mask(whole, center_x, center_y, 0, outer(), 0, all);
  page_image = scaled(make_picture(PAGE_IMAGE, 1280, 800), 1280 * scale, 800 * scale);
  for (int k = 0; k < QUARTERS; k++) {
    rest_images[k] = scaled(make_picture(REST_IMAGE + k, 640, 640), side, side);
    pressed_images[k] = scaled(make_picture(PRESSED_IMAGE + k, 640, 640), side, side);
    quarter_masks[k] =
        sector_mask(quarter_box(k), center_x, center_y, inner(), outer(),
                    (quarter_start(k) + quarter_end(k)) / 2, (quarter_end(k) - quarter_start(k)) / 2);
  }
  int reach = (int)ceil(mask_radius()) + 1;
  Box box = {-reach, -reach, reach, reach};
  icon_mask = sector_mask(box, 0, 0, 0, mask_radius(), 0, all);
  pixman_image_t *ground = solid(face);
  for (int k = 0; k < ICONS; k++) icon_images[k] = make_picture(ICON_IMAGE + k, 128, 128);
  for (int k = 0; k < ROWS; k++) {
    row_images[k] =
        pixman_image_create_bits(PIXMAN_x8r8g8b8, row_width(), row_height(), NULL, 0);
    pixman_image_composite32(PIXMAN_OP_SRC, ground, NULL, row_images[k], 0, 0, 0, 0, 0, 0,
                             row_width(), row_height());
    pixman_image_t *icon = scaled(icon_images[k], 140 * scale, 140 * scale);
    pixman_image_composite32(PIXMAN_OP_SRC, icon, NULL, row_images[k], 0, 0, 0, 0,
                             (int)round(42 * scale), (int)round(17.5 * scale),
                             pixman_image_get_width(icon), pixman_image_get_height(icon));
  }
}

static void fill(Box box, uint32_t color) {
  pixman_fill(pixels, width, 32, box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0, color);
}

static void composite(pixman_image_t *image, pixman_image_t *mask, int x, int y, Box box) {
  pixman_image_composite32(PIXMAN_OP_OVER, image, mask, target, x, y, 0, 0, box.x0, box.y0,
                           box.x1 - box.x0, box.y1 - box.y0);
}

static void disc(int frame) {
  Box box = dial_box();
  fill(box, background);
  double turn = dial_turn(frame), texels = 800 / (2 * outer());
  double c = texels * cos(turn), s = texels * sin(turn);
  double x = box.x0 - center_x, y = box.y0 - center_y;
  transform(face_image, c, s, 400 + c * x + s * y, -s, c, 400 - s * x + c * y);
  composite(face_image, disc_mask, 0, 0, box);
}

static void paint_quarter(int k, int is_pressed, int is_veiled) {
  Box box = quarter_box(k);
  int x = (int)round(center_x - outer()), y = (int)round(center_y - outer());
  fill(box, background);
  composite(is_pressed ? pressed_images[k] : rest_images[k], quarter_masks[k], box.x0 - x,
            box.y0 - y, box);
  if (!is_veiled) return;
  pixman_color_t veil = {0x9999, 0x9999, 0x9999, 0x9999};
  pixman_image_t *source = pixman_image_create_solid_fill(&veil);
  composite(source, quarter_masks[k], 0, 0, box);
  pixman_image_unref(source);
}

static void press(int frame) { paint_quarter(changed_quarter(frame), frame % 2 == 0, 0); }
static void veil(int frame) { paint_quarter(changed_quarter(frame), 0, frame % 2 == 0); }

static void pressed_art(int frame) {
  for (int k = 0; k < QUARTERS; k++) paint_quarter(k, k == 1, 0);
}
static void veiled_art(int frame) {
  for (int k = 0; k < QUARTERS; k++) paint_quarter(k, 0, k == 1);
}

static void paint_icon(int k, int frame) {
  Box box = icon_box(k, frame);
  double radius = icon_radius(frame), side = 1.3 * radius;
  double middle = pixman_image_get_width(icon_mask) / 2.0, share = mask_radius() / radius;
  double x = icon_x(k), y = icon_y(k);
  pixman_image_t *ground = solid(face);
  transform(icon_mask, share, 0, middle + share * (box.x0 - x), 0, share,
            middle + share * (box.y0 - y));
  composite(ground, icon_mask, 0, 0, box);
  pixman_image_unref(ground);
  double texels = 128 / side;
  Box square = {(int)round(x - side / 2), (int)round(y - side / 2), (int)round(x + side / 2),
                (int)round(y + side / 2)};
  transform(icon_images[k], texels, 0, texels * (square.x0 - x + side / 2), 0, texels,
            texels * (square.y0 - y + side / 2));
  pixman_image_set_repeat(icon_images[k], PIXMAN_REPEAT_PAD);
  composite(icon_images[k], NULL, 0, 0, square);
}

static void icons(int frame) {
  int left = (int)round(plane_x(0));
  for (int k = 0; k < ICONS; k++) {
    Box box = icon_box(k, frame);
    composite(page_image, NULL, box.x0 - left, box.y0, box);
    paint_icon(k, frame);
  }
}

static void icon_page(int frame) {
  Box whole = {0, 0, width, height};
  composite(page_image, NULL, -(int)round(plane_x(0)), 0, whole);
  icons(frame);
}

static void reels(int frame) {
  for (int reel = 0; reel < REELS; reel++) {
    Box window = reel_box(reel);
    for (int i = 0; i < 5; i++) {
      int top = row_top(reel, frame, i), end = row_top(reel, frame, i + 1);
      Box box = {window.x0, top < window.y0 ? window.y0 : top, window.x1,
                 end > window.y1 ? window.y1 : end};
      if (box.y0 < box.y1) {
        composite(row_images[shown_row(reel, frame, i)], NULL, 0, box.y0 - top, box);
      }
    }
  }
}

int main(int argc, char **argv) {
  set_up(argc, argv);
  target = pixman_image_create_bits(PIXMAN_x8r8g8b8, width, height, pixels, width * 4);
  for (int k = 0; k < WEDGES; k++) make_mask(k);
  report("pixman", "wedges", 1, wedges, wedges);
  report("pixman", "bare", 24, wedges, one);
  make_images();
  report("pixman", "disc", 1, disc, disc);
  report("pixman", "press", 8, pressed_art, press);
  report("pixman", "veil", 8, veiled_art, veil);
  report("pixman", "icons", 1, icon_page, icons);
  report("pixman", "reels", 1, reels, reels);
  return 0;
}
