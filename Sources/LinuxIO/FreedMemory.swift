// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import Glibc

package enum FreedMemory {
  /// Makes all threads share one arena. Otherwise each reserves 128 MiB of address space. Call this
  /// before other threads start.
  package static func share() {
    mallopt(M_ARENA_MAX, 1)
  }

  /// Returns freed memory to the system. Takes about a millisecond.
  package static func giveBack() {
    malloc_trim(0)
  }

  /// Releases the pages of the program's code and libraries, most of which only the startup needs.
  /// For programs that sleep most of the time.
  package static func giveBackCode() {
    roundel_give_back_code(UInt(max(sysconf(CInt(_SC_PAGESIZE)), 4096)))
  }
}
