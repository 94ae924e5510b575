// SPDX-License-Identifier: MIT

internal import Glibc
internal import Synchronization
package import SystemPackage

/// A thread for slow work that must not delay a frame.
package final class Worker {
  private var token: EventLoop.Token?
  private let shared: Shared
  private var lastJob: UInt64 = 0
  private var finishers: [UInt64: () -> Void] = [:]

  package var load: Int { finishers.count }

  /// The thread ends after its last job once the worker is released.
  package init(on loop: EventLoop) throws(Errno) {
    shared = try Shared()
    try shared.start()
    token = try loop.watch(shared.done.rawValue) { [unowned self] _ in finish() }
  }

  deinit { shared.stop() }

  /// Runs jobs in order, and calls `whenDone` on the loop's thread.
  package func run<Result>(
    _ work: @escaping @Sendable () -> sending Result, whenDone: @escaping (sending Result) -> Void
  ) {
    let mailbox = Mailbox<Result>()
    lastJob += 1
    finishers[lastJob] = { if let result = mailbox.open() { whenDone(result) } }
    shared.add(lastJob) { mailbox.post(work()) }
  }

  private func finish() {
    for job in shared.takeDone() { finishers.removeValue(forKey: job)?() }
  }
}

private final class Shared: Sendable {
  private struct State {
    var jobs: [(number: UInt64, work: @Sendable () -> Void)] = []
    var done: [UInt64] = []
    var isStopped = false
  }

  private let state = Mutex(State())
  private let wake: EventCounter
  let done: EventCounter

  init() throws(Errno) {
    wake = try EventCounter(isBlocking: true)
    done = try EventCounter()
  }

  func start() throws(Errno) { pthread_detach(try startThread { self.work() }) }

  func stop() {
    state.withLock { $0.isStopped = true }
    wake.signal()
  }

  func add(_ number: UInt64, _ work: @escaping @Sendable () -> Void) {
    state.withLock { $0.jobs.append((number, work)) }
    wake.signal()
  }

  func takeDone() -> [UInt64] {
    done.acknowledge()
    return state.withLock { state in
      defer { state.done = [] }
      return state.done
    }
  }

  private func work() {
    while true {
      wake.acknowledge()
      let (jobs, isStopped) = state.withLock { state in
        defer { state.jobs = [] }
        return (state.jobs, state.isStopped)
      }
      for job in jobs {
        job.work()
        state.withLock { $0.done.append(job.number) }
        done.signal()
      }
      if isStopped { return }
    }
  }
}
