// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import Glibc

package enum FreedMemory {
  /// Makes threads share one arena instead of reserving 128 MiB of addresses each. Call this before
  /// they start.
  package static func share() {
    mallopt(M_ARENA_MAX, 1)
  }

  /// Returns freed memory to the system. Takes about a millisecond.
  package static func giveBack() {
    malloc_trim(0)
  }

  /// Releases pages of code, mostly of the startup, in programs that mostly sleep.
  package static func giveBackCode() {
    roundel_give_back_code(UInt(max(sysconf(CInt(_SC_PAGESIZE)), 4096)))
  }
}
