// SPDX-License-Identifier: MIT
#pragma once

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
