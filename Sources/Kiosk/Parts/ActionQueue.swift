// SPDX-License-Identifier: MIT

internal import RoundelMotion

/// The delayed actions of a kiosk.
///
/// Returns the next time in O(1), and adds an action in O(log n) comparisons.
struct ActionQueue: Sendable {
  private struct Deadline: Comparable {
    var time: Instant
    /// The order of triggering.
    var number: UInt64

    static func < (a: Deadline, b: Deadline) -> Bool { (a.time, a.number) < (b.time, b.number) }
  }

  static let maximumCount = 4096

  private var entries: [UInt64: PendingAction] = [:]
  /// The deadlines, the next one last.
  private var deadlines: [Deadline] = []
  /// The deadlines of each action, the oldest first.
  private var deadlinesByAction: [Action: [Deadline]] = [:]
  private var lastNumber: UInt64 = 0
  /// Whether a loss was reported since the queue was at most half full.
  private var hasReportedLoss = false

  var nextTime: Instant? { deadlines.last?.time }

  /// In a full queue, an action replaces the oldest entry of the same action, otherwise the oldest
  /// of all.
  ///
  /// Returns the message of the first loss, or nil.
  mutating func add(_ pending: PendingAction, at time: Instant) -> String? {
    var message: String?
    if deadlines.count >= Self.maximumCount,
      let oldest = deadlinesByAction[pending.action]?.first
        ?? deadlines.min(by: { $0.number < $1.number })
    {
      let lost = remove(oldest)?.action
      if !hasReportedLoss, let lost {
        hasReportedLoss = true
        message =
          "more than \(Self.maximumCount) delayed actions are waiting; the oldest, \(lost), was dropped"
      }
    }
    lastNumber += 1
    let deadline = Deadline(time: time, number: lastNumber)
    deadlines.insert(deadline, at: position(of: deadline))
    deadlinesByAction[pending.action, default: []].append(deadline)
    entries[lastNumber] = pending
    return message
  }

  /// Takes the due actions, in the order of triggering.
  mutating func takeDue(by now: Instant) -> [PendingAction] {
    guard let next = nextTime, next <= now else { return [] }
    let first = position(of: Deadline(time: now, number: .max))
    return deadlines[first...].sorted { $0.number < $1.number }.compactMap { remove($0) }
  }

  mutating func takeAll() -> [PendingAction] {
    defer { self = ActionQueue() }
    return deadlines.reversed().compactMap { entries[$0.number] }
  }

  /// Drops the actions of a page, but not actions of its end.
  mutating func leave(page: Int) {
    removeAll { $0.page == page && !$0.isEnding }
  }

  mutating func adopt(_ mapping: PlanMapping) {
    removeAll { !$0.isEnding && $0.page.map { mapping.page($0) == nil } ?? false }
    entries = entries.mapValues { pending in
      var pending = pending
      pending.page = pending.page.flatMap { mapping.page($0) }
      return pending
    }
  }

  private mutating func removeAll(where isRemoved: (PendingAction) -> Bool) {
    for deadline in deadlines where entries[deadline.number].map(isRemoved) == true {
      _ = remove(deadline)
    }
  }

  /// The index of the first deadline that is not later than `deadline`.
  private func position(of deadline: Deadline) -> Int {
    var (low, high) = (0, deadlines.count)
    while low < high {
      let middle = (low + high) / 2
      if deadline < deadlines[middle] { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private mutating func remove(_ deadline: Deadline) -> PendingAction? {
    guard let entry = entries.removeValue(forKey: deadline.number) else { return nil }
    deadlines.remove(at: position(of: deadline))
    if let index = deadlinesByAction[entry.action]?.firstIndex(of: deadline) {
      deadlinesByAction[entry.action]?.remove(at: index)
    }
    if deadlinesByAction[entry.action]?.isEmpty == true {
      deadlinesByAction[entry.action] = nil
    }
    if deadlines.count <= Self.maximumCount / 2 { hasReportedLoss = false }
    return entry
  }
}
