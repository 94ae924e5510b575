// SPDX-License-Identifier: MIT

#include "CPixels.h"

#include <string.h>

// A channel is first interpolated along the row: t = 128·a + (b − a)·x, from 0 to 32640, with the fraction x of 0 …
// 127, and then between two rows: t + 2·⌊(t' − t)·y / 256⌋. Both fit into signed 16 bits, and all processors have
// vector instructions for each step. A colour never exceeds the alpha, although the last step may round it up more.

typedef int16_t eight __attribute__((vector_size(16)));
typedef int32_t eight_wide __attribute__((vector_size(32)));
typedef uint8_t sixteen_bytes __attribute__((vector_size(16)));
typedef uint8_t eight_bytes __attribute__((vector_size(8)));

static inline eight widened(uint32_t a, uint32_t b) {
  uint32_t both[2] = {a, b};
  eight_bytes bytes;
  memcpy(&bytes, both, sizeof bytes);
  return __builtin_convertvector(bytes, eight);
}

static inline eight high_half(eight a, eight b) {
  eight_wide product =
      __builtin_convertvector(a, eight_wide) * __builtin_convertvector(b, eight_wide);
  return __builtin_convertvector(product >> 16, eight);
}

// Two pixels, each interpolated between four texels.
static inline uint64_t between(
    const uint32_t a[4], const uint32_t b[4], eight x, eight y) {
  eight top = (widened(a[0], b[0]) << 7) + (widened(a[1], b[1]) - widened(a[0], b[0])) * x;
  eight bottom = (widened(a[2], b[2]) << 7) + (widened(a[3], b[3]) - widened(a[2], b[2])) * x;
  eight step = high_half(bottom - top, y << 8);
  eight sum = (top + step + step + 64) >> 7;
  eight alpha = __builtin_shufflevector(sum, sum, 3, 3, 3, 3, 7, 7, 7, 7);
  eight isOver = sum > alpha;
  eight_bytes bytes = __builtin_convertvector((alpha & isOver) | (sum & ~isOver), eight_bytes);
  uint64_t pixels;
  memcpy(&pixels, &bytes, sizeof pixels);
  return pixels;
}

static inline int16_t share(int32_t place) { return (int16_t)(place >> 9 & 127); }

static inline eight shares(int32_t a, int32_t b) {
  int16_t first = share(a), second = share(b);
  return (eight){first, first, first, first, second, second, second, second};
}

static inline void find(
    const struct pixels_image *image, int32_t u, int32_t v, uint32_t texels[4]) {
  const uint32_t *top = image->texels + (ptrdiff_t)(v >> 16) * image->stride + (u >> 16);
  memcpy(texels, top, 8);
  memcpy(texels + 2, top + image->stride, 8);
}

void pixels_sample_portably(
    const struct pixels_image *image, struct pixels_line line, uint32_t *pixels, size_t count) {
  uint32_t a[4], b[4];
  int32_t u = line.u, v = line.v;
  size_t index = 0;
  for (; index + 2 <= count; index += 2) {
    int32_t u1 = u + line.du, v1 = v + line.dv;
    find(image, u, v, a);
    find(image, u1, v1, b);
    uint64_t two = between(a, b, shares(u, u1), shares(v, v1));
    memcpy(pixels + index, &two, sizeof two);
    // The step beyond the last pixel may overflow.
    u = (int32_t)((uint32_t)u1 + (uint32_t)line.du);
    v = (int32_t)((uint32_t)v1 + (uint32_t)line.dv);
  }
  if (index < count) {
    find(image, u, v, a);
    pixels[index] = (uint32_t)between(a, a, shares(u, u), shares(v, v));
  }
}

static inline int32_t clamped(int64_t place, int32_t length) {
  int64_t last = (int64_t)(length - 1) << 16;
  return (int32_t)(place < 0 ? 0 : place > last ? last : place);
}

void pixels_sample_clamped(
    const struct pixels_image *image, struct pixels_line line, uint32_t *pixels, size_t count) {
  for (size_t index = 0; index < count; index++) {
    int32_t u = clamped(line.u + (int64_t)line.du * (int64_t)index, image->width);
    int32_t v = clamped(line.v + (int64_t)line.dv * (int64_t)index, image->height);
    int32_t x = u >> 16, y = v >> 16;
    int32_t right = x + 1 < image->width ? x + 1 : x;
    int32_t below = y + 1 < image->height ? y + 1 : y;
    const uint32_t *top = image->texels + (ptrdiff_t)y * image->stride;
    const uint32_t *bottom = image->texels + (ptrdiff_t)below * image->stride;
    uint32_t texels[4] = {top[x], top[right], bottom[x], bottom[right]};
    pixels[index] = (uint32_t)between(texels, texels, shares(u, u), shares(v, v));
  }
}

#if defined(__x86_64__)
#include <immintrin.h>

// Two texels are loaded into all positions and then blended, which needs no shuffle. The compiler must not know
// their origin, because it would choose a sequence with fewer instructions that takes half as long again.
__attribute__((target("avx2"))) static inline __m256i two_texels(const uint32_t *texels) {
  long long pair;
  memcpy(&pair, texels, sizeof pair);
  __m256i all = _mm256_set1_epi64x(pair);
  __asm__("" : "+x"(all));
  return all;
}

// The texels of four pixels, with the first two pixels in the lower half.
__attribute__((target("avx2"))) static inline __m256i texels_of(
    const uint32_t *a, const uint32_t *b, const uint32_t *c, const uint32_t *d) {
  __m256i low = _mm256_blend_epi32(two_texels(a), two_texels(b), 0x0c);
  __m256i high = _mm256_blend_epi32(two_texels(c), two_texels(d), 0xc0);
  __m256i four = _mm256_blend_epi32(low, high, 0xf0);
  // The channels of both texels side by side, signed, because weights of 128 fit only into unsigned bytes.
  const __m256i order = _mm256_setr_epi8(
      0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15,
      0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15);
  return _mm256_xor_si256(_mm256_shuffle_epi8(four, order), _mm256_set1_epi8(-128));
}

__attribute__((target("avx2"))) static inline __m256i four_between(
    __m256i top, __m256i bottom, __m256i x, __m256i y) {
  top = _mm256_maddubs_epi16(x, top);
  bottom = _mm256_maddubs_epi16(x, bottom);
  __m256i step = _mm256_mulhi_epi16(_mm256_sub_epi16(bottom, top), y);
  // Compensates for the sign, which subtracted 128 · 128.
  __m256i sum = _mm256_add_epi16(top, _mm256_set1_epi16(16384 + 64));
  return _mm256_srli_epi16(_mm256_add_epi16(sum, _mm256_add_epi16(step, step)), 7);
}

// The positions of eight pixels. The first is at `start`.
__attribute__((target("avx2"))) static inline __m256i eight_places(int32_t start, int32_t step) {
  const __m256i steps = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  return _mm256_add_epi32(
      _mm256_set1_epi32(start), _mm256_mullo_epi32(steps, _mm256_set1_epi32(step)));
}

// Samples at least eight pixels. The last eight may overlap earlier ones.
__attribute__((target("avx2"))) static void sample_avx2(
    const struct pixels_image *image, struct pixels_line line, uint32_t *pixels, size_t count) {
  __m256i u = eight_places(line.u, line.du);
  __m256i v = eight_places(line.v, line.dv);
  const __m256i du = _mm256_set1_epi32((int32_t)((uint32_t)line.du * 8));
  const __m256i dv = _mm256_set1_epi32((int32_t)((uint32_t)line.dv * 8));
  const __m256i pitch = _mm256_set1_epi32(image->stride << 16 | 1);
  const __m256i first = _mm256_setr_epi8(
      0, 1, 0, 1, 0, 1, 0, 1, 4, 5, 4, 5, 4, 5, 4, 5,
      0, 1, 0, 1, 0, 1, 0, 1, 4, 5, 4, 5, 4, 5, 4, 5);
  const __m256i second = _mm256_add_epi8(first, _mm256_set1_epi8(8));
  const __m256i alpha = _mm256_setr_epi8(
      3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15,
      3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15);
  const uint32_t *top = image->texels;
  const uint32_t *bottom = top + image->stride;
  for (size_t index = 0;;) {
    // y · stride + x.
    __m256i places = _mm256_madd_epi16(
        _mm256_blend_epi16(_mm256_srli_epi32(u, 16), v, 0xaa), pitch);
    int32_t at[8];
    _mm256_storeu_si256((__m256i *)at, places);
    __asm__("" : "+m"(at));
    // 128 − x and x side by side.
    __m256i x = _mm256_and_si256(_mm256_srli_epi32(u, 9), _mm256_set1_epi32(127));
    x = _mm256_add_epi32(
        _mm256_sub_epi32(_mm256_slli_epi32(x, 8), x), _mm256_set1_epi32(128));
    __m256i y = _mm256_and_si256(_mm256_srli_epi32(v, 1), _mm256_set1_epi32(127 << 8));
    __m256i outer = four_between(
        texels_of(top + at[0], top + at[1], top + at[4], top + at[5]),
        texels_of(bottom + at[0], bottom + at[1], bottom + at[4], bottom + at[5]),
        _mm256_shuffle_epi8(x, first), _mm256_shuffle_epi8(y, first));
    __m256i inner = four_between(
        texels_of(top + at[2], top + at[3], top + at[6], top + at[7]),
        texels_of(bottom + at[2], bottom + at[3], bottom + at[6], bottom + at[7]),
        _mm256_shuffle_epi8(x, second), _mm256_shuffle_epi8(y, second));
    __m256i eight = _mm256_packus_epi16(outer, inner);
    eight = _mm256_min_epu8(eight, _mm256_shuffle_epi8(eight, alpha));
    _mm256_storeu_si256((__m256i *)(pixels + index), eight);
    const size_t left = count - index - 8;
    if (left == 0) return;
    if (left >= 8) {
      index += 8;
      u = _mm256_add_epi32(u, du);
      v = _mm256_add_epi32(v, dv);
    } else {
      index += left;
      u = eight_places((int32_t)(line.u + (int64_t)line.du * (int64_t)index), line.du);
      v = eight_places((int32_t)(line.v + (int64_t)line.dv * (int64_t)index), line.dv);
    }
  }
}
#endif

// If the first and the last pixel have all their texels, all pixels between them do.
static inline int has_texels(
    const struct pixels_image *image, struct pixels_line line, size_t count) {
  const int64_t u = line.u + (int64_t)line.du * (int64_t)(count - 1);
  const int64_t v = line.v + (int64_t)line.dv * (int64_t)(count - 1);
  const int64_t width = (int64_t)(image->width - 1) << 16;
  const int64_t height = (int64_t)(image->height - 1) << 16;
  return line.u >= 0 && line.u < width && line.v >= 0 && line.v < height && u >= 0 && u < width &&
      v >= 0 && v < height;
}

void pixels_sample(
    const struct pixels_image *image, struct pixels_line line, uint32_t *pixels, size_t count) {
  if (!has_texels(image, line, count)) {
    pixels_sample_clamped(image, line, pixels, count);
    return;
  }
#if defined(__x86_64__)
  if (count >= 8 && __builtin_cpu_supports("avx2")) {
    sample_avx2(image, line, pixels, count);
    return;
  }
#endif
  pixels_sample_portably(image, line, pixels, count);
}
