// SPDX-License-Identifier: MIT

internal import Glibc

/// The standard input, output and error: descriptors 0 to 2.
package enum StandardDescriptors {
  /// Opens closed standard descriptors on /dev/null, so that no file, timer or socket gets their numbers and
  /// receives unrelated output. Must be called before anything is opened.
  ///
  /// The standard input is opened for writing and the standard output for reading, so that a command that needs one
  /// of them still fails. The standard error, which child processes inherit, is opened for both.
  package static func openClosed() {
    for (number, access) in [(CInt(0), O_WRONLY), (1, O_RDONLY), (2, O_RDWR)] {
      guard fcntl(number, F_GETFD) == -1, errno == EBADF else { continue }
      // Gets the lowest free number, which is this one. Without /dev/null it stays closed.
      _ = unsafe open("/dev/null", access)
    }
  }
}
