// SPDX-License-Identifier: MIT
#pragma once

// Returns the number of memory blocks that the calling thread has allocated. Under a sanitizer,
// which brings its own allocator, the count stays 0.
unsigned long roundel_allocation_count(void);
