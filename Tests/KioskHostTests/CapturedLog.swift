// SPDX-License-Identifier: MIT

import Logging
import Motion
import Synchronization

/// A clock that goes when it is told to.
final class VirtualClock {
  var now = Timestamp.zero
}

/// A log that is read.
final class CapturedLog: Sendable {
  private let written = Mutex<[String]>([])

  /// As `warning: it is dark`.
  var lines: [String] { written.withLock { $0 } }

  func forget() { written.withLock { $0 = [] } }

  var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

  private struct Handler: LogHandler {
    let log: CapturedLog
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]

    init(log: CapturedLog) { self.log = log }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      log.written.withLock { $0.append("\(event.level): \(event.message)") }
    }
  }
}
