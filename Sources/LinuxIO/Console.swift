// SPDX-License-Identifier: MIT

internal import CLinux
internal import Glibc
package import SystemPackage

/// The text console under the picture.
package enum Console {
  /// Keeps the console of `descriptor` from drawing over the picture and from reading what is typed; does
  /// nothing where it is not a virtual terminal but a file, a pipe, or the terminal of a window or of ssh.
  ///
  /// With the keyboard off, Ctrl+C and the keys that switch consoles do nothing either. The kernel leaves
  /// a console like this when the program has ended: one that shows text again draws over what the panel
  /// shows until the next start. The unit `roundel-console@.service` gives it back.
  package static func takeOver(_ descriptor: CInt) throws(Errno) {
    var graphics: CInt = 0
    // Writes one int.
    guard unsafe ioctl(descriptor, UInt(KDGETMODE), &graphics) == 0 else { return }
    try retryingOnInterrupt { ioctl(descriptor, UInt(KDSETMODE), KD_GRAPHICS) }
    try retryingOnInterrupt { ioctl(descriptor, UInt(KDSKBMODE), K_OFF) }
  }

  /// Ends this process as Ctrl+C does, if `descriptor` is a virtual terminal: its keys go to the kiosk,
  /// which was started there by a person.
  package static func interrupt(_ descriptor: CInt) {
    var graphics: CInt = 0
    // Writes one int.
    guard unsafe ioctl(descriptor, UInt(KDGETMODE), &graphics) == 0 else { return }
    kill(getpid(), SIGINT)
  }
}
