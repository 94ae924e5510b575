// SPDX-License-Identifier: MIT

#include "peer.h"

#include <cairo.h>
#include <stdbool.h>

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

static cairo_surface_t *face_image, *page_image, *rest_images[QUARTERS], *pressed_images[QUARTERS],
    *icon_images[ICONS], *row_images[ROWS];

static cairo_surface_t *make_surface(int number, int w, int h) {
  return cairo_image_surface_create_for_data((unsigned char *)make_image(number, w, h),
                                             CAIRO_FORMAT_RGB24, w, h, w * 4);
}

static cairo_surface_t *scaled(cairo_surface_t *image, double w, double h) {
  cairo_surface_t *made =
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(w), (int)ceil(h));
  cairo_t *drawing = cairo_create(made);
  cairo_scale(drawing, w / cairo_image_surface_get_width(image),
              h / cairo_image_surface_get_height(image));
  cairo_set_source_surface(drawing, image, 0, 0);
  cairo_pattern_set_filter(cairo_get_source(drawing), CAIRO_FILTER_GOOD);
  cairo_pattern_set_extend(cairo_get_source(drawing), CAIRO_EXTEND_PAD);
  cairo_paint(drawing);
  cairo_destroy(drawing);
  return made;
}

static void make_images(void) {
  face_image = make_surface(FACE_IMAGE, 800, 800);
  page_image = scaled(make_surface(PAGE_IMAGE, 1280, 800), 1280 * scale, 800 * scale);
  for (int k = 0; k < QUARTERS; k++) {
    rest_images[k] = scaled(make_surface(REST_IMAGE + k, 640, 640), 760 * scale, 760 * scale);
    pressed_images[k] =
        scaled(make_surface(PRESSED_IMAGE + k, 640, 640), 760 * scale, 760 * scale);
  }
  for (int k = 0; k < ICONS; k++) icon_images[k] = make_surface(ICON_IMAGE + k, 128, 128);
  for (int k = 0; k < ROWS; k++) {
    row_images[k] = cairo_image_surface_create(CAIRO_FORMAT_RGB24, row_width(), row_height());
    cairo_t *drawing = cairo_create(row_images[k]);
    cairo_set_source_rgb(drawing, (face >> 16 & 255) / 255.0, (face >> 8 & 255) / 255.0,
                         (face & 255) / 255.0);
    cairo_paint(drawing);
    cairo_surface_t *icon = scaled(icon_images[k], 140 * scale, 140 * scale);
    cairo_set_source_surface(drawing, icon, 42 * scale, 17.5 * scale);
    cairo_paint(drawing);
    cairo_destroy(drawing);
  }
}

static void clip_to(Box box) {
  cairo_save(context);
  cairo_rectangle(context, box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0);
  cairo_clip(context);
}

static void fill_image(cairo_surface_t *image, double x, double y) {
  cairo_set_source_surface(context, image, x, y);
  cairo_fill(context);
}

static void disc(int frame) {
  Box box = dial_box();
  use(background);
  cairo_rectangle(context, box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0);
  cairo_fill(context);
  cairo_save(context);
  cairo_translate(context, center_x, center_y);
  cairo_rotate(context, dial_turn(frame));
  cairo_scale(context, 2 * outer() / 800, 2 * outer() / 800);
  cairo_set_source_surface(context, face_image, -400, -400);
  cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_GOOD);
  cairo_new_path(context);
  cairo_arc(context, 0, 0, 400, 0, 2 * M_PI);
  cairo_fill(context);
  cairo_restore(context);
}

static void turning_face(int frame) {
  disc(frame);
  for (int i = 0; i < 12; i++) {
    paint_text(numbers[i], dial_turn(frame) + i * M_PI / 6, -number_width[i] / 2,
               -number_radius() + baseline());
  }
}

static void quarter_path(int k) {
  cairo_new_path(context);
  cairo_arc(context, center_x, center_y, outer(), quarter_start(k), quarter_end(k));
  cairo_arc_negative(context, center_x, center_y, inner(), quarter_end(k), quarter_start(k));
  cairo_close_path(context);
}

static void paint_quarter(int k, bool is_pressed, bool is_veiled) {
  clip_to(quarter_box(k));
  use(background);
  cairo_paint(context);
  quarter_path(k);
  // Whole pixels, to avoid interpolation.
  fill_image(is_pressed ? pressed_images[k] : rest_images[k], round(center_x - outer()),
             round(center_y - outer()));
  if (is_veiled) {
    quarter_path(k);
    cairo_set_source_rgba(context, 1, 1, 1, 0.6);
    cairo_fill(context);
  }
  cairo_restore(context);
}

static void press(int frame) { paint_quarter(changed_quarter(frame), frame % 2 == 0, false); }
static void veil(int frame) { paint_quarter(changed_quarter(frame), false, frame % 2 == 0); }

static void pressed_art(int frame) {
  for (int k = 0; k < QUARTERS; k++) paint_quarter(k, k == 1, false);
}
static void veiled_art(int frame) {
  for (int k = 0; k < QUARTERS; k++) paint_quarter(k, false, k == 1);
}

static void paint_icon(int k, int frame) {
  double radius = icon_radius(frame), side = 1.3 * radius;
  use(face);
  cairo_new_path(context);
  cairo_arc(context, icon_x(k), icon_y(k), radius, 0, 2 * M_PI);
  cairo_fill(context);
  cairo_save(context);
  cairo_translate(context, icon_x(k) - side / 2, icon_y(k) - side / 2);
  cairo_scale(context, side / 128, side / 128);
  cairo_set_source_surface(context, icon_images[k], 0, 0);
  cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_GOOD);
  cairo_rectangle(context, 0, 0, 128, 128);
  cairo_fill(context);
  cairo_restore(context);
}

static void icons(int frame) {
  for (int k = 0; k < ICONS; k++) {
    clip_to(icon_box(k, frame));
    cairo_set_source_surface(context, page_image, round(plane_x(0)), 0);
    cairo_paint(context);
    paint_icon(k, frame);
    cairo_restore(context);
  }
}

static void icon_page(int frame) {
  cairo_set_source_surface(context, page_image, round(plane_x(0)), 0);
  cairo_paint(context);
  icons(frame);
}

static void reels(int frame) {
  for (int reel = 0; reel < REELS; reel++) {
    Box box = reel_box(reel);
    clip_to(box);
    for (int i = 0; i < 5; i++) {
      cairo_rectangle(context, box.x0, row_top(reel, frame, i), row_width(), row_height());
      fill_image(row_images[shown_row(reel, frame, i)], box.x0, row_top(reel, frame, i));
    }
    cairo_restore(context);
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
  make_images();
  report("cairo", "face", 1, turning_face, turning_face);
  report("cairo", "disc", 1, disc, disc);
  report("cairo", "press", 8, pressed_art, press);
  report("cairo", "veil", 8, veiled_art, veil);
  report("cairo", "icons", 1, icon_page, icons);
  report("cairo", "reels", 1, reels, reels);
  return 0;
}
