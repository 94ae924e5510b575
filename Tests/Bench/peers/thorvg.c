// SPDX-License-Identifier: MIT

// Paints with ThorVG from the Python package thorvg-python 1.1.3, a library without its header, so
// the used functions are declared here. Shapes keep their geometry and change only colours. Images
// at rest are created in their displayed size.
#include "peer.h"

#include <stdbool.h>

typedef void *Object;
typedef struct {
  float e11, e12, e13, e21, e22, e23, e31, e32, e33;
} Matrix;

int tvg_engine_init(unsigned threads);
int tvg_font_load_data(const char *name, const char *data, uint32_t size, const char *type,
                       bool copy);
Object tvg_swcanvas_create(int options);
int tvg_swcanvas_set_target(Object canvas, uint32_t *buffer, uint32_t stride, uint32_t width,
                            uint32_t height, int colorspace);
int tvg_canvas_add(Object canvas, Object paint);
int tvg_canvas_update(Object canvas);
int tvg_canvas_draw(Object canvas, bool clear);
int tvg_canvas_sync(Object canvas);
int tvg_canvas_destroy(Object canvas);
Object tvg_shape_new(void);
int tvg_shape_move_to(Object shape, float x, float y);
int tvg_shape_line_to(Object shape, float x, float y);
int tvg_shape_cubic_to(Object shape, float x1, float y1, float x2, float y2, float x, float y);
int tvg_shape_close(Object shape);
int tvg_shape_append_rect(Object shape, float x, float y, float w, float h, float rx, float ry,
                          bool clockwise);
int tvg_shape_append_circle(Object shape, float x, float y, float rx, float ry, bool clockwise);
int tvg_shape_set_fill_color(Object shape, uint8_t r, uint8_t g, uint8_t b, uint8_t a);
Object tvg_text_new(void);
int tvg_text_set_font(Object text, const char *name);
int tvg_text_set_size(Object text, float points);
int tvg_text_set_text(Object text, const char *utf8);
int tvg_text_set_color(Object text, uint8_t r, uint8_t g, uint8_t b);
int tvg_paint_set_transform(Object paint, const Matrix *matrix);
int tvg_paint_set_visible(Object paint, bool visible);
int tvg_paint_set_clip(Object paint, Object clipper);
Object tvg_scene_new(void);
int tvg_scene_add(Object scene, Object paint);
Object tvg_picture_new(void);
int tvg_picture_load_raw(Object picture, const uint32_t *data, uint32_t w, uint32_t h,
                         int colorspace, bool copy);
int tvg_picture_set_size(Object picture, float w, float h);
int tvg_paint_get_aabb(Object paint, float *x, float *y, float *w, float *h);

enum { ARGB8888 = 1, DEFAULT_OPTIONS = 0, SMART_RENDER = 2 };

static Object canvas, ground, wedge[WEDGES], disc, number[NUMBERS];
static double number_width[NUMBERS];
// From the top of a text's box to its baseline.
static double ascent;

static void color_shape(Object shape, uint32_t color) {
  tvg_shape_set_fill_color(shape, color >> 16, color >> 8, color, 255);
}

// An arc of less than half a turn as cubic curves.
static void append_arc(Object shape, double radius, double start, double end) {
  int parts = (int)ceil(fabs(end - start) / (M_PI / 2));
  double step = (end - start) / parts, reach = 4.0 / 3 * tan(step / 4) * radius;
  for (int i = 0; i < parts; i++) {
    double a = start + i * step, b = a + step;
    double x = center_x + radius * cos(b), y = center_y + radius * sin(b);
    tvg_shape_cubic_to(shape, center_x + radius * cos(a) - reach * sin(a),
                       center_y + radius * sin(a) + reach * cos(a), x + reach * sin(b),
                       y - reach * cos(b), x, y);
  }
}

static Object make_text(const char *text) {
  Object made = tvg_text_new();
  tvg_text_set_font(made, "font");
  // A point is 4/3 of a pixel.
  tvg_text_set_size(made, font_size() * 0.75);
  tvg_text_set_text(made, text);
  tvg_text_set_color(made, 255, 255, 255);
  return made;
}

static double text_width(const char *text) {
  Object probe = tvg_swcanvas_create(DEFAULT_OPTIONS), made = make_text(text);
  tvg_swcanvas_set_target(probe, pixels, width, width, height, ARGB8888);
  tvg_canvas_add(probe, made);
  tvg_canvas_update(probe);
  float x, y, w, h;
  tvg_paint_get_aabb(made, &x, &y, &w, &h);
  tvg_canvas_destroy(probe);
  return w + 2 * x;
}

static void place(Object text, double turn, double x, double y) {
  double c = cos(turn), s = sin(turn);
  Matrix matrix = {c, -s, center_x + c * x - s * y, s, c, center_y + s * x + c * y, 0, 0, 1};
  tvg_paint_set_transform(text, &matrix);
}

static void finish(void) {
  tvg_canvas_update(canvas);
  tvg_canvas_draw(canvas, false);
  tvg_canvas_sync(canvas);
}

static void make_canvas(int options, Box box) {
  if (canvas) tvg_canvas_destroy(canvas);
  canvas = tvg_swcanvas_create(options);
  tvg_swcanvas_set_target(canvas, pixels, width, width, height, ARGB8888);
  ground = tvg_shape_new();
  tvg_shape_append_rect(ground, box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0, 0, 0, true);
  color_shape(ground, background);
  tvg_canvas_add(canvas, ground);
}

// A closed ring or disc between two angles.
static void append_ring(Object shape, double start, double end) {
  tvg_shape_move_to(shape, center_x + outer() * cos(start), center_y + outer() * sin(start));
  append_arc(shape, outer(), start, end);
  tvg_shape_line_to(shape, center_x + inner() * cos(end), center_y + inner() * sin(end));
  append_arc(shape, inner(), end, start);
  tvg_shape_close(shape);
}

static void make_wheel(int options, bool labelled) {
  Box whole = {0, 0, width, height};
  make_canvas(options, whole);
  for (int k = 0; k < WEDGES; k++) {
    wedge[k] = tvg_shape_new();
    append_ring(wedge[k], wedge_start(k), wedge_end(k));
    color_shape(wedge[k], colors[k]);
    tvg_canvas_add(canvas, wedge[k]);
  }
  for (int k = 0; labelled && k < WEDGES; k++) {
    Object label = make_text(names[k]);
    place(label, wedge_middle(k), label_radius() - text_width(names[k]) / 2, baseline() - ascent);
    tvg_canvas_add(canvas, label);
  }
}

static void recolor(int frame) {
  color_shape(ground, stepped(background, frame));
  for (int k = 0; k < WEDGES; k++) color_shape(wedge[k], stepped(colors[k], frame));
  finish();
}

static void nothing(int frame) { (void)frame, finish(); }

static void one(int frame) {
  color_shape(wedge[lit_wedge(frame)], lit_color(frame));
  finish();
}

static void dial(int frame) {
  color_shape(disc, stepped(face, frame));
  for (int i = 0; i < NUMBERS; i++) {
    place(number[i], dial_turn(frame) + i * M_PI / 30, -number_width[i] / 2,
          -number_radius() + baseline() - ascent);
  }
  finish();
}

static Object turning, rest[QUARTERS], pressed[QUARTERS], veil_shape[QUARTERS], icon[ICONS],
    icon_disc[ICONS], row[REELS][ROWS];

static Object make_picture(const uint32_t *image, int w, int h) {
  Object made = tvg_picture_new();
  tvg_picture_load_raw(made, image, w, h, ARGB8888, false);
  return made;
}

static void move(Object paint, double factor, double x, double y) {
  Matrix matrix = {factor, 0, x, 0, factor, y, 0, 0, 1};
  tvg_paint_set_transform(paint, &matrix);
}

// Clips its contents to a shape.
static Object clipped_scene(Object shape) {
  Object made = tvg_scene_new();
  tvg_paint_set_clip(made, shape);
  tvg_canvas_add(canvas, made);
  return made;
}

static void make_face(void) {
  make_canvas(DEFAULT_OPTIONS, dial_box());
  Object circle = tvg_shape_new();
  tvg_shape_append_circle(circle, center_x, center_y, outer(), outer(), true);
  turning = make_picture(make_image(FACE_IMAGE, 800, 800), 800, 800);
  tvg_scene_add(clipped_scene(circle), turning);
  for (int i = 0; i < 12; i++) {
    number[i] = make_text((char[]){'0' + i / 10, '0' + i % 10, 0});
    tvg_canvas_add(canvas, number[i]);
  }
}

static void turning_face(int frame) {
  double turn = dial_turn(frame), pixel = 2 * outer() / 800;
  double c = pixel * cos(turn), s = pixel * sin(turn);
  Matrix matrix = {c, -s, center_x - 400 * c + 400 * s, s, c, center_y - 400 * s - 400 * c, 0, 0,
                   1};
  tvg_paint_set_transform(turning, &matrix);
  for (int i = 0; i < 12; i++) {
    place(number[i], turn + i * M_PI / 6, -number_width[i] / 2,
          -number_radius() + baseline() - ascent);
  }
  finish();
}

static void make_art(void) {
  Box whole = {0, 0, width, height};
  make_canvas(SMART_RENDER, whole);
  int side = (int)ceil(2 * outer());
  for (int k = 0; k < QUARTERS; k++) {
    Object shape = tvg_shape_new();
    append_ring(shape, quarter_start(k), quarter_end(k));
    Object scene = clipped_scene(shape);
    rest[k] = make_picture(make_image(REST_IMAGE + k, side, side), side, side);
    pressed[k] = make_picture(make_image(PRESSED_IMAGE + k, side, side), side, side);
    move(rest[k], 1, round(center_x - outer()), round(center_y - outer()));
    move(pressed[k], 1, round(center_x - outer()), round(center_y - outer()));
    tvg_scene_add(scene, rest[k]);
    tvg_scene_add(scene, pressed[k]);
    veil_shape[k] = tvg_shape_new();
    append_ring(veil_shape[k], quarter_start(k), quarter_end(k));
    tvg_shape_set_fill_color(veil_shape[k], 255, 255, 255, 153);
    tvg_canvas_add(canvas, veil_shape[k]);
  }
}

static void show_art(int is_pressed, int is_veiled) {
  for (int k = 0; k < QUARTERS; k++) {
    tvg_paint_set_visible(rest[k], k != is_pressed);
    tvg_paint_set_visible(pressed[k], k == is_pressed);
    tvg_paint_set_visible(veil_shape[k], k == is_veiled);
  }
  finish();
}

static void press(int frame) { show_art(frame % 2 ? -1 : changed_quarter(frame), -1); }
static void veil(int frame) { show_art(-1, frame % 2 ? -1 : changed_quarter(frame)); }
static void pressed_art(int frame) { (void)frame, show_art(1, -1); }
static void veiled_art(int frame) { (void)frame, show_art(-1, 1); }

static void make_icons(void) {
  Box whole = {0, 0, width, height};
  make_canvas(SMART_RENDER, whole);
  int w = (int)ceil(1280 * scale), h = (int)ceil(800 * scale);
  Object page = make_picture(make_image(PAGE_IMAGE, w, h), w, h);
  move(page, 1, round(plane_x(0)), 0);
  tvg_canvas_add(canvas, page);
  for (int k = 0; k < ICONS; k++) {
    icon_disc[k] = tvg_shape_new();
    tvg_shape_append_circle(icon_disc[k], 0, 0, 1, 1, true);
    color_shape(icon_disc[k], face);
    icon[k] = make_picture(make_image(ICON_IMAGE + k, 128, 128), 128, 128);
    tvg_canvas_add(canvas, icon_disc[k]);
    tvg_canvas_add(canvas, icon[k]);
  }
}

static void icons(int frame) {
  double radius = icon_radius(frame), side = 1.3 * radius;
  for (int k = 0; k < ICONS; k++) {
    move(icon_disc[k], radius, icon_x(k), icon_y(k));
    move(icon[k], side / 128, icon_x(k) - side / 2, icon_y(k) - side / 2);
  }
  finish();
}

static void make_reels(void) {
  Box whole = {0, 0, width, height};
  make_canvas(SMART_RENDER, whole);
  int w = row_width(), h = row_height(), side = (int)round(140 * scale);
  int left = (int)round(42 * scale), top = (int)round(17.5 * scale);
  uint32_t *images[ROWS];
  for (int k = 0; k < ROWS; k++) {
    images[k] = malloc((size_t)w * h * 4);
    uint32_t *small = make_image(ICON_IMAGE + k, side, side);
    for (int i = 0; i < w * h; i++) images[k][i] = face;
    for (int y = 0; y < side; y++) {
      memcpy(images[k] + (top + y) * w + left, small + y * side, (size_t)side * 4);
    }
    free(small);
  }
  for (int reel = 0; reel < REELS; reel++) {
    Box box = reel_box(reel);
    Object window = tvg_shape_new();
    tvg_shape_append_rect(window, box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0, 0, 0, true);
    Object scene = clipped_scene(window);
    for (int k = 0; k < ROWS; k++) {
      row[reel][k] = make_picture(images[k], w, h);
      tvg_scene_add(scene, row[reel][k]);
    }
  }
}

static void reels(int frame) {
  for (int reel = 0; reel < REELS; reel++) {
    bool is_shown[ROWS] = {false};
    for (int i = 0; i < 5; i++) {
      int shown = shown_row(reel, frame, i);
      is_shown[shown] = true;
      move(row[reel][shown], 1, reel_box(reel).x0, row_top(reel, frame, i));
    }
    for (int k = 0; k < ROWS; k++) tvg_paint_set_visible(row[reel][k], is_shown[k]);
  }
  finish();
}

static void load_font(void) {
  const char *path = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(69);
  }
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char *data = malloc(size);
  if (fread(data, 1, size, file) != (size_t)size ||
      tvg_font_load_data("font", data, size, "ttf", true)) {
    fprintf(stderr, "%s cannot be used\n", path);
    exit(69);
  }
  fclose(file);
}

int main(int argc, char **argv) {
  set_up(argc, argv);
  tvg_engine_init(0);
  load_font();
  ascent = 0.928 * font_size();

  make_wheel(DEFAULT_OPTIONS, false);
  report("thorvg", "wedges", 1, recolor, recolor);
  make_wheel(DEFAULT_OPTIONS, true);
  report("thorvg", "full", 1, recolor, recolor);
  make_wheel(SMART_RENDER, true);
  report("thorvg", "one", 24, nothing, one);

  make_canvas(DEFAULT_OPTIONS, dial_box());
  disc = tvg_shape_new();
  tvg_shape_append_circle(disc, center_x, center_y, outer(), outer(), true);
  tvg_canvas_add(canvas, disc);
  for (int i = 0; i < NUMBERS; i++) {
    char text[3];
    snprintf(text, sizeof text, "%d%d", i / 10, i % 10);
    number_width[i] = text_width(text);
    number[i] = make_text(text);
    tvg_canvas_add(canvas, number[i]);
  }
  report("thorvg", "dial", 1, dial, dial);

  make_face();
  report("thorvg", "face", 1, turning_face, turning_face);
  make_art();
  report("thorvg", "press", 8, pressed_art, press);
  make_art();
  report("thorvg", "veil", 8, veiled_art, veil);
  make_icons();
  report("thorvg", "icons", 1, icons, icons);
  make_reels();
  report("thorvg", "reels", 1, reels, reels);
  return 0;
}
