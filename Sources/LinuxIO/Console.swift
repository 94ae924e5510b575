// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import Glibc
package import SystemPackage

package enum Console {
  /// Prevents the console of `descriptor` from drawing over the picture and from reading keys. Does
  /// nothing if it isn't a virtual terminal.
  ///
  /// With the keyboard off, Ctrl+C and the keys that switch consoles have no effect. The state
  /// outlasts the program, because a console in text mode would draw over the panel until the next
  /// start. The unit `roundel-console@.service` restores it.
  package static func takeOver(_ descriptor: CInt) throws(Errno) {
    var graphics: CInt = 0
    // Writes one int.
    guard unsafe ioctl(descriptor, UInt(KDGETMODE), &graphics) == 0 else { return }
    try retryingOnInterrupt { ioctl(descriptor, UInt(KDSETMODE), KD_GRAPHICS) }
    try retryingOnInterrupt { ioctl(descriptor, UInt(KDSKBMODE), K_OFF) }
  }

  /// Ends this process like Ctrl+C, if `descriptor` is a virtual terminal, where a user started the
  /// kiosk.
  package static func interrupt(_ descriptor: CInt) {
    var graphics: CInt = 0
    // Writes one int.
    guard unsafe ioctl(descriptor, UInt(KDGETMODE), &graphics) == 0 else { return }
    kill(getpid(), SIGINT)
  }
}
