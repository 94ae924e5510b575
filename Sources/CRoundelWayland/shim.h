// SPDX-License-Identifier: MIT
#pragma once

#include <stdarg.h>
#include <stdio.h>
#include <wayland-client-core.h>
#include <wayland-client-protocol.h>

// The library keeps pointers to these tables, and Swift may copy a global constant.
#define ROUNDEL_INTERFACE(name)                                            \
  static inline const struct wl_interface *roundel_##name(void) {         \
    return &name##_interface;                                              \
  }

ROUNDEL_INTERFACE(wl_buffer)
ROUNDEL_INTERFACE(wl_callback)
ROUNDEL_INTERFACE(wl_compositor)
ROUNDEL_INTERFACE(wl_display)
ROUNDEL_INTERFACE(wl_keyboard)
ROUNDEL_INTERFACE(wl_output)
ROUNDEL_INTERFACE(wl_pointer)
ROUNDEL_INTERFACE(wl_registry)
ROUNDEL_INTERFACE(wl_seat)
ROUNDEL_INTERFACE(wl_shm)
ROUNDEL_INTERFACE(wl_shm_pool)
ROUNDEL_INTERFACE(wl_surface)
ROUNDEL_INTERFACE(wl_touch)

// The library's last message on this thread. Only one Swift file may call this, because each file has its own copy.
// Swift can't receive a `va_list`: its compiler crashes on arm64.
enum { roundel_longest_message = 512 };
static inline char *roundel_last_message(void) {
  static _Thread_local char message[roundel_longest_message];
  return message;
}

static inline void roundel_note(const char *format, va_list arguments) {
  vsnprintf(roundel_last_message(), roundel_longest_message, format, arguments);
}

static inline void roundel_note_messages(void) { wl_log_set_handler_client(roundel_note); }
