// SPDX-License-Identifier: MIT

internal import Glibc

package enum StandardDescriptors {
  /// Opens closed standard descriptors on /dev/null, so that no file, timer or socket gets their
  /// numbers and receives unrelated output. Must be called before anything is opened.
  ///
  /// The standard input is opened for writing and the standard output for reading, so that a
  /// command that needs them still fails.
  package static func openClosed() {
    for (number, access) in [(CInt(0), O_WRONLY), (1, O_RDONLY), (2, O_RDWR)] {
      guard fcntl(number, F_GETFD) == -1, errno == EBADF else { continue }
      // Gets the lowest free number. Without /dev/null it stays closed.
      _ = unsafe open("/dev/null", access)
    }
  }
}
