// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>

/// Answers an ioctl of DRM: 0, a negative error, or 1 where the descriptor is no simulated card.
typedef int (*roundel_card_call)(int descriptor, unsigned long request, void *_Nullable argument);

/// The descriptor of the memory that is mapped in a card's place; -1 where it is no simulated card.
typedef int (*roundel_card_memory)(int descriptor);

/// Has calls of this process answered in the kernel's place. False under a sanitizer, whose own functions
/// are called instead.
bool roundel_answer_card_calls(roundel_card_call _Nonnull call, roundel_card_memory _Nonnull memory);
