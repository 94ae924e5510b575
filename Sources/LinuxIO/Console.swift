// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import Glibc
package import SystemPackage

package enum Console {
  /// Prevents a virtual terminal from drawing over the picture and reading keys. Ignores other
  /// descriptors.
  ///
  /// Ctrl+C and the keys that switch consoles then have no effect. The state outlasts the program,
  /// because a console in text mode would draw over the panel. The unit `roundel-console@.service`
  /// restores it.
  package static func takeOver(_ descriptor: CInt) throws(Errno) {
    var graphics: CInt = 0
    // Writes one int.
    guard unsafe ioctl(descriptor, UInt(KDGETMODE), &graphics) == 0 else { return }
    try retryingOnInterrupt { ioctl(descriptor, UInt(KDSETMODE), KD_GRAPHICS) }
    try retryingOnInterrupt { ioctl(descriptor, UInt(KDSKBMODE), K_OFF) }
  }

  /// Ends this process like Ctrl+C if a user started it on a virtual terminal.
  package static func interrupt(_ descriptor: CInt) {
    var graphics: CInt = 0
    // Writes one int.
    guard unsafe ioctl(descriptor, UInt(KDGETMODE), &graphics) == 0 else { return }
    kill(getpid(), SIGINT)
  }
}
