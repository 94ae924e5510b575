// SPDX-License-Identifier: MIT
#pragma once

#include <alsa/asoundlib.h>

// Swift cannot write a function of variable arguments.
static inline void roundel_ignore_message(const char *file, int line, const char *function, int error,
                                          const char *format, ...) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}

// Keeps ALSA from writing to the standard error, which may block; calls return their errors as well.
static inline void roundel_silence_alsa(void) {
  snd_lib_error_set_handler(roundel_ignore_message);
}
