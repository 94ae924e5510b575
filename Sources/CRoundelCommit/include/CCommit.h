// SPDX-License-Identifier: MIT
#pragma once

// The commit that the program was built from, such as "d31da72", or an empty string if unknown. The pointer is valid
// while the program runs.
const char *commit_name(void);
