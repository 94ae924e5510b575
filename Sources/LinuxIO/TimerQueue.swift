// SPDX-License-Identifier: MIT

internal import RoundelMotion

/// Handlers with a time, so few (the timeout of a flip, a retry) that a list is sufficient.
struct TimerQueue {
  private struct Entry {
    let token: UInt64
    let instant: Timestamp
    let handler: () -> Void
  }

  private var entries: [Entry] = []
  private var due: [UInt64: () -> Void] = [:]

  var next: Timestamp? { entries.map(\.instant).min() }

  mutating func insert(_ token: UInt64, at instant: Timestamp, _ handler: @escaping () -> Void) {
    entries.append(Entry(token: token, instant: instant, handler: handler))
  }

  mutating func remove(_ token: UInt64) -> (() -> Void)? {
    if let handler = due.removeValue(forKey: token) { return handler }
    return entries.firstIndex { $0.token == token }.map { entries.remove(at: $0).handler }
  }

  /// Returns tokens for `take`, by time, then by order of scheduling.
  mutating func removeDue(at now: Timestamp) -> [UInt64] {
    let ready = entries.filter { $0.instant <= now }
      .sorted { ($0.instant, $0.token) < ($1.instant, $1.token) }
    entries.removeAll { $0.instant <= now }
    for entry in ready { due[entry.token] = entry.handler }
    return ready.map(\.token)
  }

  mutating func take(_ token: UInt64) -> (() -> Void)? {
    due.removeValue(forKey: token)
  }
}
