// SPDX-License-Identifier: MIT

internal import Kiosk

/// The requests to read a file. A request that comes during a reading is answered by another reading after it.
struct ReadingRequests {
  /// Called with what went wrong, if something did.
  typealias Handler = (_ problem: String?) -> Void

  private struct Request {
    var cause: Cause
    var handler: Handler
  }

  /// The requests of the reading that is under way; empty where there is none.
  private var current: [Request] = []
  private var next: [Request] = []

  /// The cause of the reading that is under way: a command where one has asked for it, else time.
  var cause: Cause { current.contains { $0.cause == .command } ? .command : .time }

  /// Adds a request; returns whether a reading is to begin for it.
  mutating func add(by cause: Cause, _ handler: @escaping Handler) -> Bool {
    let request = Request(cause: cause, handler: handler)
    guard current.isEmpty else {
      next.append(request)
      return false
    }
    current = [request]
    return true
  }

  /// Ends a reading; returns the handlers that waited for it, and whether another one is to begin.
  mutating func end() -> (handlers: [Handler], beginsAnother: Bool) {
    defer { (current, next) = (next, []) }
    return (current.map(\.handler), !next.isEmpty)
  }
}
