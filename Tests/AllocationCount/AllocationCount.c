// SPDX-License-Identifier: MIT

#include "AllocationCount.h"

#include <errno.h>
#include <stddef.h>

static __thread unsigned long count;

unsigned long roundel_allocation_count(void) { return count; }

#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
// Symbols of the program take precedence over the C library's, even for loaded libraries.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
  count++;
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count++;
  return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
  count++;
  return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count++;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  count++;
  *block = __libc_memalign(alignment, size);
  return *block || !size ? 0 : ENOMEM;
}
#endif
