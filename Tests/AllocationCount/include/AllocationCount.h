// SPDX-License-Identifier: MIT
#pragma once

// How many blocks of memory the calling thread has asked for so far. Under a sanitizer, which brings
// an allocator of its own, it does not count.
unsigned long roundel_allocation_count(void);
