// SPDX-License-Identifier: MIT
#pragma once

#include <alsa/asoundlib.h>

// Swift can't define a C function with variable arguments.
static inline void roundel_ignore_message(const char *file, int line, const char *function, int error,
                                          const char *format, ...) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}

// Prevents ALSA from writing to the standard error, which may block. Calls return their errors as well.
static inline void roundel_silence_alsa(void) {
  snd_lib_error_set_handler(roundel_ignore_message);
}
