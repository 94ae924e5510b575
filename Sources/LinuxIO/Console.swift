// SPDX-License-Identifier: MIT

internal import CLinux
internal import Glibc
package import SystemPackage

/// The text console under the picture.
package enum Console {
  /// Prevents the console of `descriptor` from drawing over the picture and from reading keys. Does nothing if it
  /// isn't a virtual terminal, but a file, a pipe, or the terminal of a window or of ssh.
  ///
  /// With the keyboard off, Ctrl+C and the keys that switch consoles have no effect. The kernel leaves the console
  /// in this state after the program has ended, and a console in text mode would draw over the panel until the next
  /// start. The unit `roundel-console@.service` restores it.
  package static func takeOver(_ descriptor: CInt) throws(Errno) {
    var graphics: CInt = 0
    // Writes one int.
    guard unsafe ioctl(descriptor, UInt(KDGETMODE), &graphics) == 0 else { return }
    try retryingOnInterrupt { ioctl(descriptor, UInt(KDSETMODE), KD_GRAPHICS) }
    try retryingOnInterrupt { ioctl(descriptor, UInt(KDSKBMODE), K_OFF) }
  }

  /// Ends this process like Ctrl+C, if `descriptor` is a virtual terminal. Its keys go to the kiosk, which a user
  /// started there.
  package static func interrupt(_ descriptor: CInt) {
    var graphics: CInt = 0
    // Writes one int.
    guard unsafe ioctl(descriptor, UInt(KDGETMODE), &graphics) == 0 else { return }
    kill(getpid(), SIGINT)
  }
}
