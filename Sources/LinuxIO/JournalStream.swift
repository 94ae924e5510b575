// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import Glibc

/// systemd's journal, if a service's standard output or error is connected to it.
///
/// Source: sd-daemon(3), and `$JOURNAL_STREAM` in systemd.exec(5).
package enum JournalStream {
  package enum Priority: Int, Sendable {
    case error = 3
    case warning = 4
    case info = 6
    case debug = 7

    package var prefix: String { "<\(rawValue)>" }
  }

  /// The environment isn't sufficient, because the service's programs may redirect it.
  package static func isReached(by descriptor: CInt) -> Bool {
    // Copied before anything can change the environment.
    guard let name = unsafe getenv("JOURNAL_STREAM").map({ unsafe String(cString: $0) }) else {
      return false
    }
    var file = stat()
    // Writes a local.
    guard unsafe fstat(descriptor, &file) == 0 else { return false }
    return name == "\(file.st_dev):\(file.st_ino)"
  }
}
