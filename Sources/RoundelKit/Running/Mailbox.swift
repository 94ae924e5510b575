// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import Glibc
internal import LinuxIO
internal import Synchronization
internal import SystemPackage

/// Closures from other threads for the thread of a kiosk.
final class Mailbox: Sendable {
  /// Called with nil if the kiosk has ended.
  typealias Job = @Sendable (Session?) -> Void

  private struct State {
    var jobs: [Job] = []
    /// The session that runs the jobs, or nil before the first one.
    var owner: ObjectIdentifier?
    /// Whether no session runs the jobs any more.
    var isEnded = false
  }

  private let state = Mutex(State())
  private let wake: OwnedDescriptor

  init() throws(Errno) {
    wake = OwnedDescriptor(
      adopting: try retryingOnInterrupt { eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK)) })
  }

  /// Readable while there are jobs.
  var descriptor: CInt { wake.rawValue }

  /// Queues a closure, from any thread.
  func post(_ job: @escaping Job) {
    let isEnded = state.withLock { state in
      if !state.isEnded { state.jobs.append(job) }
      return state.isEnded
    }
    guard !isEnded else { return job(nil) }
    var one: UInt64 = 1
    // An eventfd reads and writes eight bytes.
    _ = unsafe Glibc.write(wake.rawValue, &one, 8)
  }

  /// Runs the queued closures on the kiosk's thread. Later ones wait for the next call.
  func run(on session: Session) {
    guard state.withLock({ $0.owner == ObjectIdentifier(session) }) else { return }
    var count: UInt64 = 0
    _ = unsafe Glibc.read(wake.rawValue, &count, 8)
    let jobs = state.withLock { state in
      defer { state.jobs = [] }
      return state.jobs
    }
    for job in jobs { job(session) }
  }

  /// Gives all closures to a session, instead of an earlier one.
  func begin(_ session: Session) {
    state.withLock { state in
      state.owner = ObjectIdentifier(session)
      state.isEnded = false
    }
  }

  /// Refuses closures, unless another session runs them.
  ///
  /// - Parameter session: The ended session, or nil for a kiosk that no session can show any more.
  func end(_ session: Session?) {
    let jobs = state.withLock { state -> [Job] in
      guard state.owner == session.map({ ObjectIdentifier($0) }) else { return [] }
      defer { state.jobs = [] }
      state.isEnded = true
      return state.jobs
    }
    for job in jobs { job(nil) }
  }
}
