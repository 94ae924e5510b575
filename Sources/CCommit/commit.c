// SPDX-License-Identifier: MIT
#include "CCommit.h"

// deploy/tools/stamp writes here after the program has been linked: if the compiler were given the commit, each
// commit would recompile the program. Volatile, since its content is not the one given here; deploy/tools/stamp
// finds it by its section. The last byte stays zero.
__attribute__((section(".roundel.commit"), used))
static const volatile char name[64] = "";

const char *commit_name(void) { return (const char *)name; }
