// SPDX-License-Identifier: MIT

internal import Motion

/// Handlers scheduled for a time. There are few (the timeout of a flip, a retry), so a list is sufficient.
struct TimerQueue {
  private struct Entry {
    let token: UInt64
    let instant: Timestamp
    let handler: () -> Void
  }

  private var entries: [Entry] = []
  /// Removed by `removeDue`, but not yet called.
  private var due: [UInt64: () -> Void] = [:]

  /// The earliest time.
  var next: Timestamp? { entries.map(\.instant).min() }

  mutating func insert(_ token: UInt64, at instant: Timestamp, _ handler: @escaping () -> Void) {
    entries.append(Entry(token: token, instant: instant, handler: handler))
  }

  /// Returns the handler, if it was scheduled.
  mutating func remove(_ token: UInt64) -> (() -> Void)? {
    if let handler = due.removeValue(forKey: token) { return handler }
    return entries.firstIndex { $0.token == token }.map { entries.remove(at: $0).handler }
  }

  /// Removes all timers due at `now`, and returns their tokens by time, then by order of scheduling, for `take`.
  mutating func removeDue(at now: Timestamp) -> [UInt64] {
    let ready = entries.filter { $0.instant <= now }
      .sorted { ($0.instant, $0.token) < ($1.instant, $1.token) }
    entries.removeAll { $0.instant <= now }
    for entry in ready { due[entry.token] = entry.handler }
    return ready.map(\.token)
  }

  /// The handler of a due token, unless it has since been removed.
  mutating func take(_ token: UInt64) -> (() -> Void)? {
    due.removeValue(forKey: token)
  }
}
