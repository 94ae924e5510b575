// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import Glibc
package import LinuxIO
internal import RoundelMotion

package protocol ClientTask: AnyObject {
  var client: ClientID { get }
  /// Does about a millisecond of work. Returns false if no work is left for now.
  func proceed() -> Bool
}

/// The work for all clients in turn, in a time slice per iteration.
///
/// Work that exceeds its time slice continues after the frame. Clients therefore delay neither
/// frames nor each other.
package final class ClientWork {
  /// The processor time of the longest iteration in seconds.
  package private(set) var longestTurn = 0.0
  var onPause: () -> Void = {}

  private let loop: EventLoop
  private let limits: Limits
  private var line: [ClientID] = []
  private var tasks: [ClientID: [any ClientTask]] = [:]
  private var queued: Set<ObjectIdentifier> = []
  private var token: EventLoop.Token?
  private var isRunning = false
  /// Whether output was produced since `run` started.
  private var isUnsettled = false

  private var turn = -1
  /// The seconds that tasks have taken in this iteration, or nil if none has run.
  private var taken: Double?
  /// The processor time spent on clients in this iteration.
  private var spent = 0.0
  private var isMeasuring = false

  package init(on loop: EventLoop, limits: Limits) {
    self.loop = loop
    self.limits = limits
  }

  /// No effect if already queued.
  package func add(_ task: any ClientTask) {
    if queued.insert(ObjectIdentifier(task)).inserted {
      if tasks[task.client] == nil { line.append(task.client) }
      tasks[task.client, default: []].append(task)
    }
    schedule()
  }

  func remove(_ client: ClientID) {
    for task in tasks.removeValue(forKey: client) ?? [] { queued.remove(ObjectIdentifier(task)) }
    line.removeAll { $0 == client }
  }

  /// Schedules one `run` in this iteration, after the handlers of ready descriptors.
  func schedule() {
    guard token == nil, !isRunning else {
      isUnsettled = true
      return
    }
    token = loop.schedule(at: loop.now) { [unowned self] in run() }
  }

  package func run() {
    guard !isRunning, token != nil || !line.isEmpty else { return }
    token = nil
    isRunning = true
    measure {
      let begin = MonotonicClock.now
      let before = taken ?? 0
      while taken.map({ $0 < limits.maximumTurnSeconds }) ?? true, let client = line.first {
        line.removeFirst()
        proceed(for: client)
        taken = before + (MonotonicClock.now - begin)
      }
      isUnsettled = false
      onPause()
    }
    isRunning = false
    if isUnsettled || !line.isEmpty { schedule() }
  }

  private func proceed(for client: ClientID) {
    guard let task = tasks[client]?.removeFirst() else { return }
    queued.remove(ObjectIdentifier(task))
    let hasMore = task.proceed()
    // The task may have been added again, or its client may have disconnected.
    if hasMore, queued.insert(ObjectIdentifier(task)).inserted {
      tasks[client, default: []].append(task)
    }
    if tasks[client]?.isEmpty == true { tasks[client] = nil }
    if tasks[client] != nil, !line.contains(client) { line.append(client) }
  }

  // MARK: Time

  package func measure(_ body: () -> Void) {
    if turn != loop.wakeUps {
      turn = loop.wakeUps
      taken = nil
      spent = 0
    }
    guard !isMeasuring else { return body() }
    isMeasuring = true
    let begin = Self.processorTime
    body()
    spent += Self.processorTime - begin
    longestTurn = max(longestTurn, spent)
    isMeasuring = false
  }

  /// The processor time of this thread in seconds.
  private static var processorTime: Double {
    var time = timespec()
    // The clock always exists.
    _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
