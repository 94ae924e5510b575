// SPDX-License-Identifier: MIT

internal import CLinux
internal import Glibc

/// Memory that was freed, and that the C library keeps for what may be asked for next.
package enum FreedMemory {
  /// Lets all threads share it. Each would keep its own, and reserve 128 MiB of addresses for that, of which a
  /// process may have few. To be called before there are other threads.
  package static func share() {
    mallopt(M_ARENA_MAX, 1)
  }

  /// Gives it back to the system, for which a process waits about a millisecond.
  package static func giveBack() {
    malloc_trim(0)
  }

  /// Gives back the pages of the program's own code and of its libraries, most of which only its start needs.
  /// Pages that are needed again come back, mostly without reading the file. For programs that sleep most of
  /// the time.
  package static func giveBackCode() {
    roundel_give_back_code(UInt(max(sysconf(CInt(_SC_PAGESIZE)), 4096)))
  }
}
