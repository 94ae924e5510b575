// SPDX-License-Identifier: MIT

internal import RoundelJSON
internal import LinuxIO

/// Parses short messages immediately, long messages on a worker.
///
/// The worker parses one message at a time, because small values need up to
/// `JSONValue.maximumMemoryFactor` times their size before the client's limit applies.
final class MessageReader {
  /// The message's approximate size in memory, in bytes.
  struct Message: Sendable {
    let json: JSONValue
    let bytes: Int
  }

  typealias Outcome = Result<Message, RemoteError>

  private let limits: Limits
  private let worker: Worker
  private let work: ClientWork
  /// The worker is parsing the first one.
  private var waiting: [(text: [UInt8], whenDone: (Outcome) -> Void)] = []

  init(_ limits: Limits, _ worker: Worker, _ work: ClientWork) {
    self.limits = limits
    self.worker = worker
    self.work = work
  }

  /// Calls `whenDone` immediately or later, on the loop's thread.
  func read(_ text: [UInt8], whenDone: @escaping (Outcome) -> Void) {
    guard text.count > limits.maximumPromptBytes else { return whenDone(Self.parse(text)) }
    waiting.append((text, whenDone))
    if waiting.count == 1 { readNext() }
  }

  private func readNext() {
    guard let text = waiting.first?.text else { return }
    worker.run {
      Self.parse(text)
    } whenDone: { [weak self] outcome in
      guard let self else { return }
      let whenDone = waiting.removeFirst().whenDone
      work.measure { whenDone(outcome) }
      readNext()
    }
  }

  private static func parse(_ text: [UInt8]) -> Outcome {
    do throws(JSONValue.SyntaxError) {
      let json = try JSONValue(parsing: text)
      return .success(Message(json: json, bytes: json.memoryBytes() ?? .max))
    } catch {
      return .failure(RemoteError(.parseError, error.description))
    }
  }
}
