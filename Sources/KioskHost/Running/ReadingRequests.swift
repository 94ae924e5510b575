// SPDX-License-Identifier: MIT

internal import Kiosk

/// Requests that arrive during a reading share the next one.
struct ReadingRequests {
  /// Gets the error message, or nil on success.
  typealias Handler = (_ problem: String?) -> Void

  private struct Request {
    var cause: Cause
    var handler: Handler
  }

  private var current: [Request] = []
  private var next: [Request] = []

  /// A command if any current request came from one, otherwise time.
  var cause: Cause { current.contains { $0.cause == .command } ? .command : .time }

  /// Returns whether the caller must start a reading.
  mutating func add(by cause: Cause, _ handler: @escaping Handler) -> Bool {
    let request = Request(cause: cause, handler: handler)
    guard current.isEmpty else {
      next.append(request)
      return false
    }
    current = [request]
    return true
  }

  /// Returns the reading's handlers, and whether another reading must start.
  mutating func end() -> (handlers: [Handler], beginsAnother: Bool) {
    defer { (current, next) = (next, []) }
    return (current.map(\.handler), !next.isEmpty)
  }
}
