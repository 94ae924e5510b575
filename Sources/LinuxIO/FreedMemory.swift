// SPDX-License-Identifier: MIT

internal import CLinux

/// Memory that was freed, and that the C library keeps for what may be asked for next.
package enum FreedMemory {
  /// Gives it back to the system, for which a process waits about a millisecond.
  package static func giveBack() {
    malloc_trim(0)
  }
}
