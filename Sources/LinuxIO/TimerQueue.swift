// SPDX-License-Identifier: MIT

internal import Motion

/// Handlers waiting for their moment. There are few (a flip's time-out, a retry), so a list is enough.
struct TimerQueue {
  private struct Entry {
    let token: UInt64
    let instant: Timestamp
    let handler: () -> Void
  }

  private var entries: [Entry] = []
  /// Taken out by `removeDue` and not run yet.
  private var due: [UInt64: () -> Void] = [:]

  /// The earliest moment.
  var next: Timestamp? { entries.map(\.instant).min() }

  mutating func insert(_ token: UInt64, at instant: Timestamp, _ handler: @escaping () -> Void) {
    entries.append(Entry(token: token, instant: instant, handler: handler))
  }

  /// Returns the handler, if it was waiting.
  mutating func remove(_ token: UInt64) -> (() -> Void)? {
    if let handler = due.removeValue(forKey: token) { return handler }
    return entries.firstIndex { $0.token == token }.map { entries.remove(at: $0).handler }
  }

  /// Takes out all up to `now`, the earliest first and those of one moment in the order in which
  /// they came, for `take` to be asked for one by one.
  mutating func removeDue(at now: Timestamp) -> [UInt64] {
    let ready = entries.filter { $0.instant <= now }
      .sorted { ($0.instant, $0.token) < ($1.instant, $1.token) }
    entries.removeAll { $0.instant <= now }
    for entry in ready { due[entry.token] = entry.handler }
    return ready.map(\.token)
  }

  /// The handler of a token that was due, unless it has been removed since.
  mutating func take(_ token: UInt64) -> (() -> Void)? {
    due.removeValue(forKey: token)
  }
}
