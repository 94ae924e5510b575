// SPDX-License-Identifier: MIT
#pragma once

// The commit that the program was built from, such as "d31da72"; empty where nobody has said so. It
// stays where it is for as long as the program runs.
const char *commit_name(void);
