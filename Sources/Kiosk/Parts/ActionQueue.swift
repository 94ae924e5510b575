// SPDX-License-Identifier: MIT

internal import Motion

/// The delayed actions of a kiosk.
///
/// Holds at most `maximumCount` actions. Finding the time of the next action takes O(1), adding an action O(log n)
/// comparisons.
struct ActionQueue: Sendable {
  /// A triggered action that is waiting for its time.
  private struct Entry {
    var pending: PendingAction
    /// Whether the action is dropped when its page is left.
    var isOfPage: Bool
  }

  /// The position of an action in the queue.
  private struct Deadline: Comparable {
    var time: Instant
    /// The position in the order of triggering.
    var number: UInt64

    static func < (a: Deadline, b: Deadline) -> Bool { (a.time, a.number) < (b.time, b.number) }
  }

  /// The maximum number of waiting actions.
  static let maximumCount = 4096

  private var entries: [UInt64: Entry] = [:]
  /// The deadlines, the next one last.
  private var deadlines: [Deadline] = []
  /// The deadlines of each of the file's actions, the oldest first.
  private var deadlinesByAction: [Action: [Deadline]] = [:]
  private var lastNumber: UInt64 = 0
  /// Whether a loss was reported since the queue was at most half full.
  private var hasReportedLoss = false

  /// The time of the next action, or nil if the queue is empty.
  var nextTime: Instant? { deadlines.last?.time }

  /// Adds an action. If the queue is full, the new action replaces the oldest entry of the same action, or the
  /// oldest of all if there is no such entry.
  ///
  /// Returns the message of the first loss, or nil.
  mutating func add(
    _ pending: PendingAction, at time: Instant, isOfPage: Bool
  ) -> String? {
    var message: String?
    if deadlines.count >= Self.maximumCount,
      let oldest = deadlinesByAction[pending.action]?.first
        ?? deadlines.min(by: { $0.number < $1.number })
    {
      let lost = remove(oldest)?.pending.action
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
    entries[lastNumber] = Entry(pending: pending, isOfPage: isOfPage)
    return message
  }

  /// Removes and returns the actions that are due, in the order of triggering.
  mutating func takeDue(by now: Instant) -> [PendingAction] {
    guard let next = nextTime, next <= now else { return [] }
    let first = position(of: Deadline(time: now, number: .max))
    return deadlines[first...].sorted { $0.number < $1.number }.compactMap { remove($0)?.pending }
  }

  /// Removes and returns all actions, by time.
  mutating func takeAll() -> [PendingAction] {
    defer { self = ActionQueue() }
    return deadlines.reversed().compactMap { entries[$0.number]?.pending }
  }

  /// Removes the actions that belong to the page.
  mutating func leavePage() {
    for deadline in deadlines where entries[deadline.number]?.isOfPage == true {
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

  private mutating func remove(_ deadline: Deadline) -> Entry? {
    guard let entry = entries.removeValue(forKey: deadline.number) else { return nil }
    deadlines.remove(at: position(of: deadline))
    if let index = deadlinesByAction[entry.pending.action]?.firstIndex(of: deadline) {
      deadlinesByAction[entry.pending.action]?.remove(at: index)
    }
    if deadlinesByAction[entry.pending.action]?.isEmpty == true {
      deadlinesByAction[entry.pending.action] = nil
    }
    if deadlines.count <= Self.maximumCount / 2 { hasReportedLoss = false }
    return entry
  }
}
