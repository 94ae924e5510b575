// SPDX-License-Identifier: MIT

internal import JSON
internal import LinuxIO
internal import Motion
internal import Remote

/// What clients wait for.
///
/// A wait is looked at when something has changed, and then as a piece of its client's work: patterns
/// that take long delay neither a frame nor another client.
final class Waits {
  /// A client that waits.
  private final class Wait {
    let condition: Condition
    let reply: Reply
    let reservation: Reservation
    var timeout: EventLoop.Token?

    init(_ condition: Condition, _ reply: Reply, _ reservation: Reservation) {
      self.condition = condition
      self.reply = reply
      self.reservation = reservation
    }
  }

  /// The waits of one client.
  private final class Line: ClientTask {
    let client: ClientID
    private unowned let waits: Waits
    /// The next one first.
    var all: [Wait] = []
    /// How many have not been looked at since something has changed.
    var unseen = 0

    init(_ client: ClientID, of waits: Waits) {
      self.client = client
      self.waits = waits
    }

    func proceed() -> Bool {
      unseen = min(unseen, all.count)
      guard unseen > 0 else { return false }
      unseen -= 1
      let wait = all.removeFirst()
      if waits.holds(wait.condition) {
        waits.end(wait, holds: true)
      } else {
        all.append(wait)
      }
      return unseen > 0
    }
  }

  /// Whether a condition holds now.
  var holds: (Condition) -> Bool = { _ in false }
  /// The result that tells of a condition.
  var result: (_ condition: Condition, _ holds: Bool) -> JSONValue = { _, _ in .null }

  private let limits: Limits
  private let budget: ByteBudget
  private let work: ClientWork
  private let loop: EventLoop
  private var lines: [ClientID: Line] = [:]

  init(limits: Limits, budget: ByteBudget, work: ClientWork, loop: EventLoop) {
    self.limits = limits
    self.budget = budget
    self.work = work
    self.loop = loop
  }

  deinit {
    for line in lines.values { for wait in line.all { cancelTimeout(of: wait) } }
  }

  var isEmpty: Bool { lines.isEmpty }

  /// Keeps a request until its condition holds, which has some `bytes`, or until `timeout`.
  func add(
    _ condition: Condition, bytes: Int, until timeout: Instant, _ reply: Reply
  ) throws(RemoteError) {
    guard lines.values.reduce(0, { $0 + $1.all.count }) < limits.maximumWaits else {
      throw RemoteError(
        exceeding: "maximumWaits", limits.maximumWaits,
        "\(limits.maximumWaits) requests wait already; try again later")
    }
    let wait = Wait(condition, reply, try budget.reserve(bytes, for: reply.client))
    wait.timeout = loop.schedule(at: timeout) { [unowned self, unowned wait] in
      work.measure { end(wait, holds: holds(wait.condition)) }
    }
    let line = lines[reply.client] ?? Line(reply.client, of: self)
    lines[reply.client] = line
    line.all.append(wait)
  }

  /// Something has changed.
  func noteChange() {
    for line in lines.values {
      line.unseen = line.all.count
      work.add(line)
    }
  }

  func forget(_ client: ClientID) {
    for wait in lines.removeValue(forKey: client)?.all ?? [] { cancelTimeout(of: wait) }
  }

  private func end(_ wait: Wait, holds: Bool) {
    cancelTimeout(of: wait)
    let client = wait.reply.client
    lines[client]?.all.removeAll { $0 === wait }
    if lines[client]?.all.isEmpty == true { lines[client] = nil }
    wait.reply.give(result(wait.condition, holds))
  }

  private func cancelTimeout(of wait: Wait) {
    if let timeout = wait.timeout { loop.cancel(timeout) }
  }
}
