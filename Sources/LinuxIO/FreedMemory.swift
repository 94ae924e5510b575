// SPDX-License-Identifier: MIT

internal import CLinux
internal import Glibc

/// Freed memory that the C library keeps for later allocations.
package enum FreedMemory {
  /// Makes all threads share one arena. Otherwise each thread has its own, and reserves 128 MiB of address space,
  /// which may be scarce. Call this before other threads are started.
  package static func share() {
    mallopt(M_ARENA_MAX, 1)
  }

  /// Returns freed memory to the system. Takes about a millisecond.
  package static func giveBack() {
    malloc_trim(0)
  }

  /// Releases the pages of the program's code and libraries. Most are needed only at startup. Pages in use come
  /// back, mostly without reading the file. For programs that sleep most of the time.
  package static func giveBackCode() {
    roundel_give_back_code(UInt(max(sysconf(CInt(_SC_PAGESIZE)), 4096)))
  }
}
