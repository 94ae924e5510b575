// SPDX-License-Identifier: MIT
#include "CCommit.h"

// deploy/tools/stamp finds this section and writes here after the program is linked. If the
// compiler were passed the commit, each commit would recompile the program. Volatile, because the
// content is replaced. The last byte stays zero.
__attribute__((section(".roundel.commit"), used))
static const volatile char name[64] = "";

const char *commit_name(void) { return (const char *)name; }
