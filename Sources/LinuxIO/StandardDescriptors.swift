// SPDX-License-Identifier: MIT

internal import Glibc

/// The standard input, output and error: descriptors 0 to 2.
package enum StandardDescriptors {
  /// Opens those that are closed on /dev/null, so that no file, timer or socket takes their numbers
  /// and receives what is meant for them. To be called before anything is opened.
  ///
  /// The standard input is opened for writing and the standard output for reading, so that a
  /// command that needs one of them fails as before; the standard error, which programs inherit,
  /// for both.
  package static func openClosed() {
    for (number, access) in [(CInt(0), O_WRONLY), (1, O_RDONLY), (2, O_RDWR)] {
      guard fcntl(number, F_GETFD) == -1, errno == EBADF else { continue }
      // The lowest number that is free, which is this one. Without /dev/null it stays closed.
      _ = unsafe open("/dev/null", access)
    }
  }
}
