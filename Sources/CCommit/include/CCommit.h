// SPDX-License-Identifier: MIT
#pragma once

// The commit that the program was built from, such as "d31da72"; empty where it is not known. The pointer
// is valid for as long as the program runs.
const char *commit_name(void);
