// SPDX-License-Identifier: MIT
#pragma once

#include <libinput.h>
#include <stdarg.h>
#include <stdio.h>

// The user data of a context.
struct roundel_listener {
  void *owner;
  void (*tell)(void *listener, const char *line);
};

// Swift can't receive a `va_list`: its compiler crashes on arm64.
static inline void roundel_tell(
    struct libinput *context, enum libinput_log_priority priority, const char *format,
    va_list arguments) {
  (void)priority;
  struct roundel_listener *listener =
      (struct roundel_listener *)libinput_get_user_data(context);
  if (!listener) return;
  char line[512];
  vsnprintf(line, sizeof line, format, arguments);
  listener->tell(listener, line);
}

static inline void roundel_tell_messages(struct libinput *context) {
  libinput_log_set_handler(context, roundel_tell);
}
