// SPDX-License-Identifier: MIT
#pragma once

#include <libevdev/libevdev.h>
#include <linux/input.h>

// An effect for the device to keep, which libevdev leaves to its users.
static const unsigned long roundel_EVIOCSFF = EVIOCSFF;
