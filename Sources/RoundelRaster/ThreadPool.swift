// SPDX-License-Identifier: MIT

internal import Glibc
internal import Synchronization

/// Threads that share the painting of large damage. They start on first use, and sleep when idle.
package final class ThreadPool: Sendable {
  /// The number of threads working at once, including the caller.
  package let width: Int
  /// In filled pixels.
  let minimumShare: Int
  private let shared = Shared()
  private let isStarted = Mutex(false)

  /// More threads only compete for memory bandwidth.
  package static let maximumDefaultWidth = 4

  /// One thread per processor, at most 4.
  package convenience init() {
    self.init(width: min(max(sysconf(CInt(_SC_NPROCESSORS_ONLN)), 1), Self.maximumDefaultWidth))
  }

  /// - Parameters:
  ///   - width: At least 1. With 1 the caller does all the work.
  ///   - minimumShare: The minimum work per thread, in filled pixels, at least 1. The default takes
  ///     about 60 µs, several times the cost of waking a thread.
  package init(width: Int, minimumShare: Int = 1 << 16) {
    precondition(width >= 1 && minimumShare >= 1, "at least one thread must work")
    self.width = width
    self.minimumShare = minimumShare
  }

  deinit { shared.end(width - 1) }

  /// Runs `work` on this thread, as number 0, and up to `count − 1` others, until all return. A
  /// late thread gets no number, so the others must be able to do all the work. One caller at a
  /// time.
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
      for _ in 1..<width { shared.startThread() }
    }
  }
}

// Safe: this object owns the memory, and only the thread-safe semaphore functions access it.
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

private final class Shared: Sendable {
  private struct State {
    /// The closure passed to `run`, valid only during that call. Nil once no more threads may
    /// start.
    var work: (@Sendable (Int) -> Void)?
    var nextNumber = 1
    var maximumNumber = 0
    var working = 0
    var isEnded = false
  }

  private let state = Mutex(State())
  /// Posted once per requested thread.
  private let wake = Semaphore()
  /// Posted by each thread that leaves closed work.
  private let left = Semaphore()

  func startThread() {
    var thread = pthread_t()
    var attributes = pthread_attr_t()
    var all = sigset_t()
    var old = sigset_t()
    unsafe pthread_attr_init(&attributes)
    unsafe pthread_attr_setstacksize(&attributes, 256 << 10)
    // A thread inherits its creator's signal mask. Signals are only for the event loop's thread.
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &old)
    // Balanced by `takeRetainedValue` on the new thread.
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

  /// Returns once no thread runs the work.
  func close() {
    let working = state.withLock { state in
      state.work = nil
      return state.working
    }
    for _ in 0..<working { left.wait() }
  }

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

  /// Returns false if there isn't any work. Keeps no reference to the work.
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
