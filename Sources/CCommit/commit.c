// SPDX-License-Identifier: MIT
#include "CCommit.h"

// deploy/tools/stamp writes here after the program has been linked: if the compiler was told the commit, each
// one would compile the program anew. Volatile, since it is not what it seems to be here; the section
// is how deploy/tools/stamp finds it. The last byte stays zero.
__attribute__((section(".roundel.commit"), used))
static const volatile char name[64] = "";

const char *commit_name(void) { return (const char *)name; }
