// SPDX-License-Identifier: MIT

internal import CLinux

/// Memory that was freed, and that the C library keeps for what may be asked for next.
public enum FreedMemory {
  /// Gives it back to the system, for which a process waits about a millisecond.
  public static func giveBack() {
    malloc_trim(0)
  }
}
