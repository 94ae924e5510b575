// SPDX-License-Identifier: MIT

#include "peer.h"

#include <cairo.h>

static cairo_t *context;
static double name_width[WEDGES], number_width[NUMBERS];
static char numbers[NUMBERS][3];

static void use(uint32_t color) {
  cairo_set_source_rgb(context, (color >> 16 & 255) / 255.0, (color >> 8 & 255) / 255.0,
                       (color & 255) / 255.0);
}

static void paint_wedge(int k, uint32_t color) {
  cairo_new_path(context);
  cairo_arc(context, center_x, center_y, outer(), wedge_start(k), wedge_end(k));
  cairo_arc_negative(context, center_x, center_y, inner(), wedge_end(k), wedge_start(k));
  cairo_close_path(context);
  use(color);
  cairo_fill(context);
}

static void paint_text(const char *text, double turn, double x, double y) {
  cairo_save(context);
  cairo_translate(context, center_x, center_y);
  cairo_rotate(context, turn);
  cairo_move_to(context, x, y);
  use(0xffffffff);
  cairo_show_text(context, text);
  cairo_restore(context);
}

static void paint_label(int k) {
  paint_text(names[k], wedge_middle(k), label_radius() - name_width[k] / 2, baseline());
}

static void wedges(int frame) {
  use(stepped(background, frame));
  cairo_paint(context);
  for (int k = 0; k < WEDGES; k++) paint_wedge(k, stepped(colors[k], frame));
}

static void full(int frame) {
  wedges(frame);
  for (int k = 0; k < WEDGES; k++) paint_label(k);
}

static void one(int frame) {
  int wedge = lit_wedge(frame);
  Box box = wedge_box(wedge);
  cairo_save(context);
  cairo_rectangle(context, box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0);
  cairo_clip(context);
  use(background);
  cairo_paint(context);
  for (int k = 0; k < WEDGES; k++) {
    if (near_wedge[wedge][k]) paint_wedge(k, k == wedge ? lit_color(frame) : colors[k]);
  }
  for (int k = 0; k < WEDGES; k++) {
    if (near_label[wedge][k]) paint_label(k);
  }
  cairo_restore(context);
}

static void dial(int frame) {
  Box box = dial_box();
  use(background);
  cairo_rectangle(context, box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0);
  cairo_fill(context);
  use(stepped(face, frame));
  cairo_new_path(context);
  cairo_arc(context, center_x, center_y, outer(), 0, 2 * M_PI);
  cairo_fill(context);
  for (int i = 0; i < NUMBERS; i++) {
    paint_text(numbers[i], dial_turn(frame) + i * M_PI / 30, -number_width[i] / 2,
               -number_radius() + baseline());
  }
}

int main(int argc, char **argv) {
  set_up(argc, argv);
  cairo_surface_t *surface = cairo_image_surface_create_for_data(
      (unsigned char *)pixels, CAIRO_FORMAT_RGB24, width, height, width * 4);
  context = cairo_create(surface);
  cairo_select_font_face(context, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                         CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(context, font_size());
  cairo_font_options_t *options = cairo_font_options_create();
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_set_font_options(context, options);
  cairo_text_extents_t extents;
  for (int i = 0; i < NUMBERS; i++) {
    snprintf(numbers[i], sizeof numbers[i], "%d%d", i / 10, i % 10);
    cairo_text_extents(context, numbers[i], &extents);
    number_width[i] = extents.x_advance;
  }
  for (int k = 0; k < WEDGES; k++) {
    cairo_text_extents(context, names[k], &extents);
    name_width[k] = extents.x_advance;
  }
  report("cairo", "wedges", 1, wedges, wedges);
  report("cairo", "full", 1, full, full);
  report("cairo", "one", 24, full, one);
  report("cairo", "dial", 1, dial, dial);
  return 0;
}
