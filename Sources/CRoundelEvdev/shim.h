// SPDX-License-Identifier: MIT
#pragma once

#include <libevdev/libevdev.h>
#include <linux/input.h>

// Uploads an effect to the device, which libevdev leaves to its users.
static const unsigned long roundel_EVIOCSFF = EVIOCSFF;
