// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>

/// Answers a DRM ioctl: 0, a negative error, or 1 for descriptors other than a simulated device's.
typedef int (*roundel_card_call)(int descriptor, unsigned long request, void *_Nullable argument);

/// Returns the descriptor of a device's memory, or -1 if it isn't a simulated device.
typedef int (*roundel_card_memory)(int descriptor);

/// Redirects this process's ioctls to the given functions. Returns false under a sanitizer, whose
/// own functions are called instead.
bool roundel_answer_card_calls(roundel_card_call _Nonnull call, roundel_card_memory _Nonnull memory);
