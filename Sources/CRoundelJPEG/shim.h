// SPDX-License-Identifier: MIT
#pragma once

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h>

// libjpeg reports an error by calling a function that must not return. The longjmp stays within the functions of
// this file, which return.

struct roundel_jpeg {
  uint32_t width;
  uint32_t height;
  // A CMYK image, which libjpeg doesn't convert.
  int is_cmyk;
  // Whether the image consists of several scans, and is kept in memory until the last.
  int is_progressive;
  char message[JMSG_LENGTH_MAX];
};

struct roundel_jpeg_errors {
  struct jpeg_error_mgr manager;
  jmp_buf escape;
  char *message;
};

static inline void roundel_jpeg_fail(j_common_ptr picture) {
  struct roundel_jpeg_errors *errors = (struct roundel_jpeg_errors *)picture->err;
  errors->manager.format_message(picture, errors->message);
  longjmp(errors->escape, 1);
}

static inline void roundel_jpeg_warn(j_common_ptr picture, int level) {
  if (level >= 0) return;
  switch (picture->err->msg_code) {
  // Warnings don't affect the pixels.
  case JWRN_ADOBE_XFORM:
  case JWRN_EXTRANEOUS_DATA:
  case JWRN_JFIF_MAJOR: return;
  default: roundel_jpeg_fail(picture);
  }
}

// No camera or program creates more scans. Additional ones only cost time.
static inline void roundel_jpeg_progress(j_common_ptr picture) {
  if (((j_decompress_ptr)picture)->input_scan_number <= 64) return;
  picture->err->msg_code = JERR_BAD_PROGRESSION;
  roundel_jpeg_fail(picture);
}

static inline void roundel_jpeg_prepare(
    j_decompress_ptr picture, struct roundel_jpeg_errors *errors,
    struct jpeg_progress_mgr *progress, char *message) {
  picture->err = jpeg_std_error(&errors->manager);
  errors->manager.error_exit = roundel_jpeg_fail;
  errors->manager.emit_message = roundel_jpeg_warn;
  errors->message = message;
  progress->progress_monitor = roundel_jpeg_progress;
}

static inline void roundel_jpeg_begin(
    j_decompress_ptr picture, struct jpeg_progress_mgr *progress, const uint8_t *bytes,
    size_t count) {
  jpeg_create_decompress(picture);
  picture->progress = progress;
  jpeg_mem_src(picture, bytes, count);
  jpeg_read_header(picture, TRUE);
}

// Returns 0 with a message on failure.
static inline int roundel_jpeg_header(
    const uint8_t *bytes, size_t count, struct roundel_jpeg *result) {
  struct jpeg_decompress_struct picture;
  struct roundel_jpeg_errors errors;
  struct jpeg_progress_mgr progress = {0};
  memset(&picture, 0, sizeof picture);
  roundel_jpeg_prepare(&picture, &errors, &progress, result->message);
  if (setjmp(errors.escape)) {
    jpeg_destroy_decompress(&picture);
    return 0;
  }
  roundel_jpeg_begin(&picture, &progress, bytes, count);
  result->width = picture.image_width;
  result->height = picture.image_height;
  result->is_cmyk =
      picture.jpeg_color_space == JCS_CMYK || picture.jpeg_color_space == JCS_YCCK;
  result->is_progressive = jpeg_has_multiple_scans(&picture);
  jpeg_destroy_decompress(&picture);
  return 1;
}

// Decodes a file as blue, green, red and 255, with each side divided by `divisor` (1, 2, 4 or 8) and rounded up.
// `result` is its header, and `pixels` has space for that many pixels. Returns 0 with a message on failure.
static inline int roundel_jpeg_decode(
    const uint8_t *bytes, size_t count, uint32_t divisor, struct roundel_jpeg *result,
    uint8_t *pixels) {
  struct jpeg_decompress_struct picture;
  struct roundel_jpeg_errors errors;
  struct jpeg_progress_mgr progress = {0};
  size_t width = (result->width + divisor - 1) / divisor;
  size_t height = (result->height + divisor - 1) / divisor;
  memset(&picture, 0, sizeof picture);
  roundel_jpeg_prepare(&picture, &errors, &progress, result->message);
  if (setjmp(errors.escape)) {
    jpeg_destroy_decompress(&picture);
    return 0;
  }
  roundel_jpeg_begin(&picture, &progress, bytes, count);
  picture.scale_num = 1;
  picture.scale_denom = divisor;
  // The same result on every machine, whatever its speed.
  picture.dct_method = JDCT_ISLOW;
  picture.out_color_space = result->is_cmyk ? JCS_CMYK : JCS_EXT_BGRA;
  jpeg_start_decompress(&picture);
  if (picture.output_width != width || picture.output_height != height ||
      picture.output_components != 4) {
    picture.err->msg_code = JERR_BAD_LENGTH;
    roundel_jpeg_fail((j_common_ptr)&picture);
  }
  while (picture.output_scanline < picture.output_height) {
    uint8_t *row = pixels + picture.output_scanline * width * 4;
    jpeg_read_scanlines(&picture, &row, 1);
    if (!result->is_cmyk) continue;
    // Adobe's programs, which create nearly all such files, store ink as 255 − ink.
    int flip = picture.saw_Adobe_marker ? 0 : 255;
    for (size_t x = 0; x < width; x++, row += 4) {
      int cyan = row[0] ^ flip, magenta = row[1] ^ flip, yellow = row[2] ^ flip,
          black = row[3] ^ flip;
      row[0] = (uint8_t)((yellow * black + 127) / 255);
      row[1] = (uint8_t)((magenta * black + 127) / 255);
      row[2] = (uint8_t)((cyan * black + 127) / 255);
      row[3] = 255;
    }
  }
  jpeg_finish_decompress(&picture);
  jpeg_destroy_decompress(&picture);
  return 1;
}
