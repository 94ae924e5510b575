// SPDX-License-Identifier: MIT

internal import JSON
internal import LinuxIO
internal import Logging

/// The log of a kiosk: lines that never wait for their reader. Lines for the journal say how urgent they are
/// and leave the time to the journal.
struct LogStream: LogHandler, Sendable {
  /// A kiosk logs from the thread of its loop alone; the logger wants all that it holds to be
  /// sendable.
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

  /// Writes lines as they are.
  func write(_ text: String, _ priority: JournalStream.Priority) {
    for line in text.printableLines.split(separator: "\n") {
      unsafe lines.write((isJournal ? priority.prefix : "") + line)
    }
  }

  /// Takes messages with the ends of their lines, as the logger gives them.
  private struct Outlet: TextOutputStream, Sendable {
    /// As above.
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
