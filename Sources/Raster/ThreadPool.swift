// SPDX-License-Identifier: MIT

internal import Glibc
internal import Synchronization

/// Threads that share the painting of large damage with the thread that has it. They are started by the first
/// that needs them, and sleep while there is none.
package final class ThreadPool: Sendable {
  /// The threads that work at once, with the one that has the work.
  package let width: Int
  /// The filled pixels for which it is worth waking a thread.
  let minimumShare: Int
  private let shared = Shared()
  private let isStarted = Mutex(false)

  /// More threads than this wait for memory, not for each other.
  package static let maximumDefaultWidth = 4

  /// A pool of as many threads as there are processors, at most 4.
  package convenience init() {
    self.init(width: min(max(sysconf(CInt(_SC_NPROCESSORS_ONLN)), 1), Self.maximumDefaultWidth))
  }

  /// - Parameters:
  ///   - width: 1 …; with 1 the caller does all work.
  ///   - minimumShare: the work that each thread gets at least, in pixels that are filled, 1 …; by default it
  ///     takes about 60 µs, several times what it takes to wake a thread.
  package init(width: Int, minimumShare: Int = 1 << 16) {
    precondition(width >= 1 && minimumShare >= 1, "somebody must work")
    self.width = width
    self.minimumShare = minimumShare
  }

  deinit { shared.end(width - 1) }

  /// Runs `work` on this thread, as number 0, and on up to `count − 1` others, as numbers 1 and up, at the same
  /// time; returns when all have returned. Another thread that is late gets no number: the work must be such
  /// that the threads that come do all of it. To be called by one thread at a time.
  func run(on count: Int, _ work: @Sendable (_ number: Int) -> Void) {
    let others = min(count, width) - 1
    guard others > 0 else { return work(0) }
    start()
    withoutActuallyEscaping(work) { work in
      shared.open(work, for: others)
      work(0)
      shared.close()
    }
  }

  private func start() {
    isStarted.withLock { isStarted in
      guard !isStarted else { return }
      isStarted = true
      // A thread that cannot be started is one that is always late.
      for _ in 1..<width { shared.startThread() }
    }
  }
}

/// A count that threads wait for.
// Safe: the memory is this object's own, and only the functions for semaphores touch it, on any thread.
@safe private final class Semaphore: @unchecked Sendable {
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { unsafe sem_init(semaphore, 0, 0) }

  deinit {
    unsafe sem_destroy(semaphore)
    unsafe semaphore.deallocate()
  }

  func post() { unsafe sem_post(semaphore) }

  func wait() { while unsafe sem_wait(semaphore) != 0, errno == EINTR {} }
}

/// The state that all threads touch.
private final class Shared: Sendable {
  private struct State {
    /// Lent by `run`; nil once nobody is to begin.
    var work: (@Sendable (Int) -> Void)?
    var nextNumber = 1
    var maximumNumber = 0
    /// The threads in the work.
    var working = 0
    var isEnded = false
  }

  private let state = Mutex(State())
  /// Posted for each thread that there is work for.
  private let wake = Semaphore()
  /// Posted by each thread that leaves work that is closed.
  private let left = Semaphore()

  func startThread() {
    var thread = pthread_t()
    var attributes = pthread_attr_t()
    var all = sigset_t()
    var old = sigset_t()
    unsafe pthread_attr_init(&attributes)
    unsafe pthread_attr_setstacksize(&attributes, 256 << 10)
    // A thread begins with its maker's mask: signals are for the loop's thread alone.
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &old)
    // The thread gives back the reference that it is given here.
    let reference = unsafe Unmanaged.passRetained(self)
    let failure = unsafe pthread_create(
      &thread, &attributes,
      { reference in
        if let reference = unsafe reference {
          unsafe Unmanaged<Shared>.fromOpaque(reference).takeRetainedValue().serve()
        }
        return nil
      }, reference.toOpaque())
    unsafe pthread_sigmask(SIG_SETMASK, &old, nil)
    unsafe pthread_attr_destroy(&attributes)
    if failure == 0 { pthread_detach(thread) } else { unsafe reference.release() }
  }

  func open(_ work: @escaping @Sendable (Int) -> Void, for others: Int) {
    state.withLock { state in
      state.work = work
      state.nextNumber = 1
      state.maximumNumber = others
    }
    for _ in 0..<others { wake.post() }
  }

  /// Returns once nobody is in the work.
  func close() {
    let working = state.withLock { state in
      state.work = nil
      return state.working
    }
    for _ in 0..<working { left.wait() }
  }

  /// Ends as many threads.
  func end(_ count: Int) {
    state.withLock { $0.isEnded = true }
    for _ in 0..<count { wake.post() }
  }

  private func serve() {
    while true {
      wake.wait()
      if state.withLock({ $0.isEnded }) { return }
      guard takePart() else { continue }
      let isAwaited = state.withLock { state in
        state.working -= 1
        return state.work == nil
      }
      if isAwaited { left.post() }
    }
  }

  /// Does a part of the work; false where there is none. When it returns it no longer refers to the work.
  @inline(never)
  private func takePart() -> Bool {
    let part = state.withLock { state -> (work: @Sendable (Int) -> Void, number: Int)? in
      let number = state.nextNumber
      guard let work = state.work, number <= state.maximumNumber else { return nil }
      state.nextNumber += 1
      state.working += 1
      return (work, number)
    }
    guard let part else { return false }
    part.work(part.number)
    return true
  }
}
