// SPDX-License-Identifier: MIT

package import Logging
package import RoundelMotion
internal import Synchronization

/// A clock that advances on demand.
package final class VirtualClock {
  package var now = Timestamp.zero
  package init() {}
}

/// A log whose lines can be read.
package final class CapturedLog: Sendable {
  private let written = Mutex<[String]>([])

  package init() {}

  /// The lines, for example `warning: it is dark`.
  package var lines: [String] { written.withLock { $0 } }

  package func forget() { written.withLock { $0 = [] } }

  package var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

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
