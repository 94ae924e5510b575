// SPDX-License-Identifier: MIT

#include "CardCalls.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static _Atomic(roundel_card_call) answer_call;
static _Atomic(roundel_card_memory) answer_memory;

bool roundel_answer_card_calls(roundel_card_call call, roundel_card_memory memory) {
  atomic_store(&answer_call, call);
  atomic_store(&answer_memory, memory);
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  return false;
#else
  return true;
#endif
}

#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
// Symbols of the program take precedence over the C library's, even for loaded libraries.

int ioctl(int descriptor, unsigned long request, ...) {
  va_list arguments;
  va_start(arguments, request);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  roundel_card_call call = atomic_load(&answer_call);
  // The type of DRM's ioctls.
  if (call && _IOC_TYPE(request) == 'd') {
    int result = call(descriptor, request, argument);
    if (result < 0) {
      errno = -result;
      return -1;
    }
    if (result == 0) return 0;
  }
  return (int)syscall(SYS_ioctl, descriptor, request, argument);
}

void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset) {
  roundel_card_memory memory = atomic_load(&answer_memory);
  if (memory && descriptor >= 0) {
    int own = memory(descriptor);
    if (own >= 0) descriptor = own;
  }
  return (void *)syscall(SYS_mmap, address, length, protection, flags, descriptor, offset);
}
#endif
