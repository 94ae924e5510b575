// SPDX-License-Identifier: MIT
#pragma once

#include <mosquitto.h>
