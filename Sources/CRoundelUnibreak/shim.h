// SPDX-License-Identifier: MIT
#pragma once

#include <linebreak.h>
