// SPDX-License-Identifier: MIT
#pragma once

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

// libpng reports an error by calling a function that must not return. The longjmp stays within the functions of this
// file, which return.

// An image being written to memory row by row. It must not move until it is complete.
struct roundel_png {
  png_structp png;
  png_infop info;
  // The number of bytes written since it was set to 0.
  uint8_t *bytes;
  size_t count;
  size_t capacity;
};

static inline void roundel_png_write(png_structp png, png_bytep bytes, size_t count) {
  struct roundel_png *file = (struct roundel_png *)png_get_io_ptr(png);
  if (count > file->capacity - file->count) {
    size_t capacity = file->capacity + (file->capacity > count ? file->capacity : count);
    uint8_t *larger = (uint8_t *)realloc(file->bytes, capacity);
    if (!larger) png_error(png, "no memory");
    file->bytes = larger;
    file->capacity = capacity;
  }
  memcpy(file->bytes + file->count, bytes, count);
  file->count += count;
}

static inline void roundel_png_flush(png_structp png) { (void)png; }

// Starts an image of 8-bit sRGB. Returns 0 if memory is exhausted.
static inline int roundel_png_begin(struct roundel_png *file, uint32_t width, uint32_t height) {
  file->bytes = NULL;
  file->count = file->capacity = 0;
  file->info = NULL;
  file->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  if (!file->png) return 0;
  if (setjmp(png_jmpbuf(file->png))) return 0;
  file->info = png_create_info_struct(file->png);
  if (!file->info) return 0;
  png_set_write_fn(file->png, file, roundel_png_write, roundel_png_flush);
  png_set_IHDR(
      file->png, file->info, width, height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
      PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(file->png, file->info, PNG_sRGB_INTENT_PERCEPTUAL);
  // libpng's own recommendation for speed. Kiosks consist of flat colours, which need no filter.
  png_set_filter(file->png, PNG_FILTER_TYPE_BASE, PNG_NO_FILTERS);
  png_set_compression_level(file->png, 3);
  png_write_info(file->png, file->info);
  // Rows consist of blue, green, red and a byte that is skipped.
  png_set_bgr(file->png);
  png_set_filler(file->png, 0, PNG_FILLER_AFTER);
  return 1;
}

// Writes the next row of 32-bit little-endian 0xXXRRGGBB. Returns 0 if memory is exhausted.
static inline int roundel_png_row(struct roundel_png *file, const uint32_t *pixels) {
  if (setjmp(png_jmpbuf(file->png))) return 0;
  png_write_row(file->png, (png_const_bytep)pixels);
  return 1;
}

// Returns 0 if memory is exhausted.
static inline int roundel_png_end(struct roundel_png *file) {
  if (setjmp(png_jmpbuf(file->png))) return 0;
  png_write_end(file->png, NULL);
  return 1;
}

static inline void roundel_png_close(struct roundel_png *file) {
  png_destroy_write_struct(&file->png, &file->info);
  free(file->bytes);
}
