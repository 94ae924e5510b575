// SPDX-License-Identifier: MIT

package import RoundelBackends
internal import Kiosk
package import LinuxIO
package import Logging
internal import RoundelMotion
internal import RoundelSession
package import SystemPackage
internal import RoundelDeclarations

package final class OutputStreams {
  package let log: Logger
  private let messages: LineWriter
  private let events: LineWriter
  private let stream: LogStream
  private var printsEvents: Bool

  /// Seconds for the remaining output.
  static let flushTimeout = 0.5

  /// By default, events don't go to the journal, which they would flood.
  package init(
    output: CInt, errors: CInt, printsEvents: Bool? = nil, on loop: EventLoop
  ) throws(Errno) {
    events = try LineWriter(to: output, on: loop) { "{\"event\":\"lost\",\"count\":\($0)}" }
    messages = try LineWriter(to: errors, on: loop) {
      "roundel: lost \($0) messages: the reader is too slow"
    }
    let stream = LogStream(messages, isJournal: JournalStream.isReached(by: errors))
    self.stream = stream
    log = Logger(label: "roundel") { _ in stream }
    self.printsEvents = printsEvents ?? !JournalStream.isReached(by: output)
  }

  /// Holds back messages and stops events on descriptors of the backend's picture.
  func leave(to backend: any Backend) {
    messages.isHeld = backend.coversErrors
    printsEvents = printsEvents && !backend.coversOutput
  }

  func report(_ event: Event) {
    if printsEvents { events.write(SessionLine(event).text) }
  }

  func report(_ diagnostics: [Diagnostic]) {
    for diagnostic in diagnostics { stream.write("\(diagnostic)", .init(diagnostic.severity)) }
  }

  package func report(_ message: BackendMessage) {
    switch message.level {
    case .debug: log.debug("\(message.text)")
    case .warning: log.warning("\(message.text)")
    case .error: log.error("\(message.text)")
    }
  }

  package func report(_ message: String, isWarning: Bool) {
    if isWarning { log.warning("\(message)") } else { log.info("\(message)") }
  }

  /// Writes the remaining output, and messages held back by the backend.
  func finish(held: String = "") {
    if !held.isEmpty { messages.write(held) }
    let deadline = MonotonicClock.now + Self.flushTimeout
    messages.finish(until: deadline)
    events.finish(until: deadline)
  }
}

extension JournalStream.Priority {
  fileprivate init(_ severity: Diagnostic.Severity) {
    self =
      switch severity {
      case .error: .error
      case .warning: .warning
      }
  }
}
