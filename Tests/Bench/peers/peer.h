// SPDX-License-Identifier: MIT
#pragma once

// The scenes that all peers paint, as in Paint/Scenes.swift, and their timing. Each peer is a
// program that defines the functions below:
//
//   PEER WIDTH HEIGHT SECONDS [FOLDER]
//
// prints a line for each scene, peer|scene|size|median µs|least|95 %|frames|memset µs|ratio, and
// writes its pictures to the folder.

#define _GNU_SOURCE
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WEDGES = 12, NUMBERS = 60 };

static const uint32_t background = 0xff101418, face = 0xff26303a, lit = 0xffffb300;
static const uint32_t colors[WEDGES] = {
    0xffe53935, 0xfffb8c00, 0xfffdd835, 0xff7cb342, 0xff43a047, 0xff00897b,
    0xff00acc1, 0xff1e88e5, 0xff3949ab, 0xff5e35b1, 0xff8e24aa, 0xffd81b60};
static const char *const names[WEDGES] = {"Kitchen", "Bedroom",  "Garage",   "Lights",
                                          "Heating", "Shutters", "Garden",   "Music",
                                          "Security", "Cinema",  "Holiday", "Settings"};

static int width, height;
static uint32_t *pixels;
// The plane's 800 pixels fill the height.
static double scale, center_x, center_y;

// Angles as in C: 0 is to the right, and they grow clockwise.
static inline double wedge_start(int k) { return (30 * k + 0.75 - 90) * M_PI / 180; }
static inline double wedge_end(int k) { return (30 * k + 29.25 - 90) * M_PI / 180; }
static inline double wedge_middle(int k) { return (30 * k + 15 - 90) * M_PI / 180; }
static inline double dial_turn(int frame) { return 0.37123 * frame * M_PI / 180 + 0.0123; }

static inline double inner(void) { return 90 * scale; }
static inline double outer(void) { return 380 * scale; }
static inline double label_radius(void) { return 235 * scale; }
static inline double number_radius(void) { return 340 * scale; }
static inline double font_size(void) { return 22 * scale; }
// From the centre of the capitals down to their baseline.
static inline double baseline(void) { return 8 * scale; }

// Every second frame changes all colours by one step, so that nothing can be skipped.
static inline uint32_t stepped(uint32_t color, int frame) { return color ^ (frame & 1); }

// The wedge that a frame of the highlight changes, and its colour.
static inline int lit_wedge(int frame) { return frame / 2 % WEDGES; }
static inline uint32_t lit_color(int frame) {
  return frame % 2 == 0 ? lit : colors[lit_wedge(frame)];
}

typedef struct {
  int x0, y0, x1, y1;
} Box;

// The pixels around a wedge, or along a label on its centre line.
static Box box_around(double from, double to, double start, double end, double margin) {
  double x0 = 1e9, y0 = 1e9, x1 = -1e9, y1 = -1e9;
  for (int i = 0; i <= 64; i++) {
    for (int j = 0; j < 2; j++) {
      double angle = start + (end - start) * i / 64, radius = j ? to : from;
      double x = center_x + radius * cos(angle), y = center_y + radius * sin(angle);
      x0 = fmin(x0, x), y0 = fmin(y0, y), x1 = fmax(x1, x), y1 = fmax(y1, y);
    }
  }
  Box box = {(int)floor(x0 - margin), (int)floor(y0 - margin), (int)ceil(x1 + margin),
             (int)ceil(y1 + margin)};
  if (box.x0 < 0) box.x0 = 0;
  if (box.y0 < 0) box.y0 = 0;
  if (box.x1 > width) box.x1 = width;
  if (box.y1 > height) box.y1 = height;
  return box;
}

static Box wedge_box(int k) {
  return box_around(inner(), outer(), wedge_start(k), wedge_end(k), 0.5);
}

// The wedges and labels that overlap the box of a changed wedge and must be repainted. No peer
// paints more than necessary.
static unsigned char near_wedge[WEDGES][WEDGES], near_label[WEDGES][WEDGES];

static void find_near(void) {
  for (int k = 0; k < WEDGES; k++) {
    Box box = wedge_box(k);
    for (int other = 0; other < WEDGES; other++) {
      for (int i = 0; i <= 60; i++) {
        double angle = wedge_start(other) + (wedge_end(other) - wedge_start(other)) * i / 60;
        for (int j = 0; j <= 60; j++) {
          double radius = inner() + (outer() - inner()) * j / 60;
          double x = center_x + radius * cos(angle), y = center_y + radius * sin(angle);
          if (x >= box.x0 && x <= box.x1 && y >= box.y0 && y <= box.y1) near_wedge[k][other] = 1;
        }
      }
      double reach = 60 * scale;
      Box label = box_around(label_radius() - reach, label_radius() + reach,
                             wedge_middle(other), wedge_middle(other), 16 * scale);
      near_label[k][other] =
          label.x0 < box.x1 && label.x1 > box.x0 && label.y0 < box.y1 && label.y1 > box.y0;
    }
  }
}

// The box repainted by the dial's frames.
static inline Box dial_box(void) {
  int reach = (int)ceil(outer()) + 1;
  Box box = {(int)center_x - reach, (int)center_y - reach, (int)center_x + reach,
             (int)center_y + reach};
  return box;
}

// The scenes with images: a rotating face, four wedges with one pressed or veiled, growing icons
// over a page, and reels of rows. Images at rest are scaled to the panel in advance.
enum { QUARTERS = 4, ICONS = 8, REELS = 5, ROWS = 6 };
enum { FACE_IMAGE = 0, PAGE_IMAGE = 1, REST_IMAGE = 2, PRESSED_IMAGE = 6, ICON_IMAGE = 10 };

static uint32_t slope(int place) {
  int step = place % 512;
  return step < 256 ? step : 511 - step;
}

static uint32_t *make_image(int number, int w, int h) {
  uint32_t *image = malloc((size_t)w * h * 4);
  if (!image) exit(1);
  for (int y = 0; y < h; y++) {
    for (int x = 0; x < w; x++) {
      int u = x * 512 / w, v = y * 512 / h;
      int reach = (u - 256) * (u - 256) + (v - 256) * (v - 256);
      uint32_t blue = reach < 20000 + 8000 * (number % 5) ? 230 : 70;
      image[y * w + x] =
          0xff000000 | slope(u + 60 * number) << 16 | slope(v + 110 * number) << 8 | blue;
    }
  }
  return image;
}

// The x of a position on the plane, whose left edge is 640 from its centre.
static inline double plane_x(double x) { return center_x + (x - 640) * scale; }
static inline double quarter_start(int k) { return (90 * k + 0.75 - 90) * M_PI / 180; }
static inline double quarter_end(int k) { return (90 * k + 89.25 - 90) * M_PI / 180; }
static inline int changed_quarter(int frame) { return frame / 2 % QUARTERS; }
static inline Box quarter_box(int k) {
  return box_around(inner(), outer(), quarter_start(k), quarter_end(k), 0.5);
}

static inline double icon_radius(int frame) { return (70 + 30 * sin(0.05 * frame)) * scale; }
static inline double icon_x(int k) { return center_x + 270 * scale * sin(k * M_PI / 4); }
static inline double icon_y(int k) { return center_y - 270 * scale * cos(k * M_PI / 4); }
// The area of an icon in a frame and the previous one.
static inline Box icon_box(int k, int frame) {
  double reach = fmax(icon_radius(frame), icon_radius(frame - 1)) + 0.5;
  Box box = {(int)floor(icon_x(k) - reach), (int)floor(icon_y(k) - reach),
             (int)ceil(icon_x(k) + reach), (int)ceil(icon_y(k) + reach)};
  return box;
}

static inline Box reel_box(int reel) {
  double x = plane_x(40 + 244 * reel), y = 50 * scale;
  Box box = {(int)round(x), (int)round(y), (int)round(x + 224 * scale),
             (int)round(y + 700 * scale)};
  return box;
}
static inline int row_width(void) { return (int)ceil(224 * scale) + 1; }
static inline int row_height(void) { return (int)ceil(175 * scale) + 1; }
static inline int reel_shift(int reel, int frame) { return frame * (5 + 2 * reel) % (ROWS * 175); }
// The index and the top of each of a reel's five rows.
static inline int shown_row(int reel, int frame, int i) {
  return (reel_shift(reel, frame) / 175 + i + reel) % ROWS;
}
static inline int row_top(int reel, int frame, int i) {
  return (int)round((50 + i * 175 - reel_shift(reel, frame) % 175) * scale);
}

typedef void (*Paint)(int frame);

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double samples[20000];
static double seconds;
static const char *folder;

// Returns the number of samples, sorted.
static int measure(double duration, int frames, Paint paint) {
  int frame = 0, count = 0;
  double start = now();
  while (frame < 6 || now() - start < 0.07 * duration * 1e6) paint(frame++);
  frame += frame & 1;
  start = now();
  while (count < 20000 && (count < 15 || now() - start < duration * 1e6)) {
    double before = now();
    for (int i = 0; i < frames; i++) paint(frame++);
    samples[count++] = (now() - before) / frames;
  }
  qsort(samples, count, sizeof(double), by_value);
  return count;
}

static void fill_memory(int frame) {
  memset(pixels, frame & 0xff, (size_t)width * height * 4);
  __asm__ volatile("" ::: "memory");
}

static double memset_time(void) {
  int count = measure(seconds * 0.2, 1, fill_memory);
  return samples[count / 2];
}

static void write_picture(const char *peer, const char *scene) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s-%s-%dx%d.ppm", folder, peer, scene, width, height);
  FILE *file = fopen(path, "wb");
  if (!file) {
    perror(path);
    exit(1);
  }
  fprintf(file, "P6 %d %d 255\n", width, height);
  for (int i = 0; i < width * height; i++) {
    unsigned char rgb[3] = {pixels[i] >> 16 & 255, pixels[i] >> 8 & 255, pixels[i] & 255};
    fwrite(rgb, 1, 3, file);
  }
  fclose(file);
}

// Times a scene that `whole` has painted completely first. A sample consists of `frames` frames.
static void report(const char *peer, const char *scene, int frames, Paint whole, Paint paint) {
  double before = memset_time();
  for (int i = 0; i < width * height; i++) pixels[i] = background;
  whole(10);
  if (folder) write_picture(peer, scene);
  int count = measure(seconds, frames, paint);
  double median = samples[count / 2], least = samples[0], late = samples[count * 95 / 100];
  double after = memset_time();
  double fill = after < before ? after : before;
  printf("%s|%s|%dx%d|%.3f|%.3f|%.3f|%d|%.3f|%.3f\n", peer, scene, width, height, median, least,
         late, count, fill, median / fill);
  fflush(stdout);
}

static void set_up(int argc, char **argv) {
  if (argc < 4 || (width = atoi(argv[1])) <= 0 || (height = atoi(argv[2])) <= 0) {
    fprintf(stderr, "usage: %s WIDTH HEIGHT SECONDS [FOLDER]\n", argv[0]);
    exit(64);
  }
  seconds = atof(argv[3]);
  folder = argc > 4 ? argv[4] : NULL;
  scale = height / 800.0;
  center_x = width / 2.0;
  center_y = height / 2.0;
  if (posix_memalign((void **)&pixels, 4096, (size_t)width * height * 4)) exit(1);
  find_near();
}
