// SPDX-License-Identifier: MIT

internal import Glibc

package enum StandardDescriptors {
  /// Opens closed standard descriptors on /dev/null, so that nothing else gets their numbers and
  /// unrelated output. Call this before anything is opened.
  ///
  /// Opens input for writing and output for reading, so that commands that need them still fail.
  package static func openClosed() {
    for (number, access) in [(CInt(0), O_WRONLY), (1, O_RDONLY), (2, O_RDWR)] {
      guard fcntl(number, F_GETFD) == -1, errno == EBADF else { continue }
      // Gets the lowest free number. Without /dev/null it stays closed.
      _ = unsafe open("/dev/null", access)
    }
  }
}
