// SPDX-License-Identifier: MIT

internal import CLinux
internal import Glibc

/// systemd's journal, where a service's standard output or error leads to it.
///
/// Source: sd-daemon(3) for what a line begins with; `$JOURNAL_STREAM` in systemd.exec(5) for how to
/// tell.
package enum JournalStream {
  /// How urgent a line is, as in syslog(3).
  package enum Priority: Int, Sendable {
    case error = 3
    case warning = 4
    case info = 6
    case debug = 7

    /// The beginning of a line of this priority in the journal.
    package var prefix: String { "<\(rawValue)>" }
  }

  /// Whether a descriptor leads to the journal. A program that the service has started may have it lead
  /// elsewhere, so that the environment alone does not say it.
  package static func isReached(by descriptor: CInt) -> Bool {
    // The text is copied before anything else can change the environment.
    guard let name = unsafe getenv("JOURNAL_STREAM").map({ unsafe String(cString: $0) }) else {
      return false
    }
    var file = stat()
    // Writes into a local.
    guard unsafe fstat(descriptor, &file) == 0 else { return false }
    return name == "\(file.st_dev):\(file.st_ino)"
  }
}
