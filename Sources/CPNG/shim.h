// SPDX-License-Identifier: MIT
#pragma once

#include <png.h>

// PNG_IMAGE_PNG_SIZE_MAX, a macro with an argument: no image takes more bytes as a PNG file.
static inline size_t png_image_size_max(png_image image) { return PNG_IMAGE_PNG_SIZE_MAX(image); }
