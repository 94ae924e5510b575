// SPDX-License-Identifier: MIT

internal import RoundelJSON
internal import LinuxIO
internal import Logging

/// The log of a kiosk. Never blocks on a slow reader. Lines for the journal start with their
/// priority and have no timestamp.
struct LogStream: LogHandler, Sendable {
  /// Safe: a kiosk logs only from its loop's thread.
  nonisolated(unsafe) private let lines: LineWriter
  private let isJournal: Bool
  private var handler: StreamLogHandler
  var logLevel = Logger.Level.info
  var metadata: Logger.Metadata = [:]

  init(_ lines: LineWriter, isJournal: Bool) {
    unsafe self.lines = lines
    self.isJournal = isJournal
    handler = StreamLogHandler(label: "roundel", stream: Outlet(lines))
    handler.logLevel = .trace
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    guard isJournal else { return handler.log(event: event) }
    write("\(event.message)", JournalStream.Priority(event.level))
  }

  func write(_ text: String, _ priority: JournalStream.Priority) {
    for line in text.printableLines.split(separator: "\n") {
      unsafe lines.write((isJournal ? priority.prefix : "") + line)
    }
  }

  private struct Outlet: TextOutputStream, Sendable {
    /// Safe: used only on the loop's thread.
    nonisolated(unsafe) private let lines: LineWriter

    init(_ lines: LineWriter) { unsafe self.lines = lines }

    func write(_ message: String) {
      let line = message.last == "\n" ? message.dropLast() : message[...]
      unsafe lines.write(String(line).printableLines)
    }
  }
}

extension JournalStream.Priority {
  fileprivate init(_ level: Logger.Level) {
    self =
      switch level {
      case .critical, .error: .error
      case .warning: .warning
      case .notice, .info: .info
      case .debug, .trace: .debug
      }
  }
}
