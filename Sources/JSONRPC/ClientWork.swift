// SPDX-License-Identifier: MIT

internal import CLinux
internal import Glibc
package import LinuxIO
internal import Motion

/// Work for a client, done piece by piece.
package protocol ClientTask: AnyObject {
  var client: ClientID { get }
  /// Does a piece, which takes no more than a millisecond or so; false where none is left for now.
  func proceed() -> Bool
}

/// All work for clients. It gets some time of each turn of the loop, a piece for each client in turn.
///
/// Work that does not fit into a turn goes on in the next one, after the frame. So neither the number
/// of clients nor their requests delay a frame, and no client delays another.
package final class ClientWork {
  /// The processor time of the turn that took longest, in seconds.
  package private(set) var longestTurn = 0.0
  /// Called when the work of a turn has been done as far as there was time.
  var onPause: () -> Void = {}

  private let loop: EventLoop
  private let limits: Limits
  /// Clients with tasks, the next one first.
  private var line: [ClientID] = []
  /// Tasks of a client, the next one first.
  private var tasks: [ClientID: [any ClientTask]] = [:]
  private var queued: Set<ObjectIdentifier> = []
  private var token: EventLoop.Token?
  private var isRunning = false
  /// Whether there is more to send than `run` has seen.
  private var isUnsettled = false

  /// The turn of the loop that is counted.
  private var turn = -1
  /// Seconds of it that tasks have taken; nil where none has.
  private var taken: Double?
  /// Processor time of it that was spent on clients, within `measure` or by tasks.
  private var spent = 0.0
  private var isMeasuring = false

  package init(on loop: EventLoop, limits: Limits) {
    self.loop = loop
    self.limits = limits
  }

  /// Adds a task, to be done in this turn or the next ones. A task that waits already is not added again.
  package func add(_ task: any ClientTask) {
    if queued.insert(ObjectIdentifier(task)).inserted {
      if tasks[task.client] == nil { line.append(task.client) }
      tasks[task.client, default: []].append(task)
    }
    schedule()
  }

  /// Drops the remaining tasks of a client that has gone.
  func remove(_ client: ClientID) {
    for task in tasks.removeValue(forKey: client) ?? [] { queued.remove(ObjectIdentifier(task)) }
    line.removeAll { $0 == client }
  }

  /// Schedules one call of `run` in this turn, after the handlers of all that is ready.
  func schedule() {
    guard token == nil, !isRunning else {
      isUnsettled = true
      return
    }
    token = loop.schedule(at: loop.now) { [unowned self] in run() }
  }

  /// Does as much work as this turn still has time for.
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
    // It may have been added again, or its client may have gone.
    if hasMore, queued.insert(ObjectIdentifier(task)).inserted {
      tasks[client, default: []].append(task)
    }
    if tasks[client]?.isEmpty == true { tasks[client] = nil }
    if tasks[client] != nil, !line.contains(client) { line.append(client) }
  }

  // MARK: Time

  /// Counts the processor time that `body` takes as spent on clients.
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

  /// The processor time of this thread, in seconds.
  private static var processorTime: Double {
    var time = timespec()
    // The clock of the calling thread always exists.
    _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
