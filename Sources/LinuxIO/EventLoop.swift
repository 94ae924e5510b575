// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import Glibc
package import RoundelMotion
package import SystemPackage

/// Calls handlers of descriptors and timers on one thread.
///
/// An iteration waits, calls handlers of ready descriptors and due timers, and asks the caller of
/// `run` for its next deadline. Without deadlines, an idle loop doesn't wake up.
///
/// Handlers have unique numbers, because the kernel reuses descriptors'. The loop keeps a handler
/// until its token is released, so it should capture the loop and its owner unowned.
package final class EventLoop {
  /// A watch or a timer. After its release, its handler isn't called, even for an event already
  /// reported. Declare the token before the watched descriptor, so that the watch ends before the
  /// descriptor is closed.
  package final class Token {
    fileprivate let number: UInt64
    private weak var loop: EventLoop?

    fileprivate init(_ number: UInt64, of loop: EventLoop) {
      self.number = number
      self.loop = loop
    }

    deinit { loop?.cancel(number) }
  }

  /// A descriptor's state to wait for. Errors and hang-ups are always reported.
  package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Data, or the end of the connection. C: EPOLLIN.
    package static let readable = Readiness(rawValue: roundel_EPOLLIN)
    /// C: EPOLLOUT.
    package static let writable = Readiness(rawValue: roundel_EPOLLOUT)
    /// C: EPOLLERR.
    package static let failed = Readiness(rawValue: roundel_EPOLLERR)
    /// C: EPOLLHUP.
    package static let hungUp = Readiness(rawValue: roundel_EPOLLHUP)
  }

  private struct Watch {
    let descriptor: CInt
    let isDeferrable: Bool
    let handler: (Readiness) -> Void
  }

  /// The number of wake-ups since the loop was created.
  package private(set) var wakeUps = 0

  /// The time before which deferrable watches cause no wake-ups. They are still polled in each
  /// iteration.
  package var quietUntil: Timestamp?

  /// The clock, or nil for CLOCK_MONOTONIC.
  private let clock: (() -> Timestamp)?
  private let poll: OwnedDescriptor
  /// A member of `poll`.
  private let deferrable: OwnedDescriptor
  private let timer: OwnedDescriptor
  private var watches: [UInt64: Watch] = [:]
  private var timers = TimerQueue()
  private var lastToken = deferrableToken
  /// The timerfd's current setting, to avoid redundant calls.
  private var armed: Timestamp?
  /// Whether `poll` excludes `deferrable`.
  private var isQuiet = false
  private var isStopped = false

  /// - Parameter clock: The clock, or nil to use CLOCK_MONOTONIC. A test's clock doesn't advance
  ///   while the loop waits, so the loop then waits only for descriptors.
  package init(clock: (() -> Timestamp)? = nil) throws(Errno) {
    self.clock = clock
    poll = OwnedDescriptor(
      adopting: try retryingOnInterrupt { epoll_create1(CInt(EPOLL_CLOEXEC)) })
    timer = OwnedDescriptor(
      adopting: try retryingOnInterrupt {
        timerfd_create(CLOCK_MONOTONIC, CInt(TFD_CLOEXEC | TFD_NONBLOCK))
      })
    deferrable = OwnedDescriptor(
      adopting: try retryingOnInterrupt { epoll_create1(CInt(EPOLL_CLOEXEC)) })
    try control(EPOLL_CTL_ADD, timer.rawValue, token: Self.timerToken, .readable)
    try control(EPOLL_CTL_ADD, deferrable.rawValue, token: Self.deferrableToken, .readable)
  }

  private static let timerToken: UInt64 = 0
  private static let deferrableToken: UInt64 = 1

  package var now: Timestamp { clock?() ?? MonotonicClock.now }

  package var nextTimer: Timestamp? { timers.next }

  /// Release the token before the descriptor is closed. Level triggered: unread data is reported
  /// again.
  ///
  /// - Parameter isDeferrable: Whether events can wait until `quietUntil`.
  package func watch(
    _ descriptor: CInt, for readiness: Readiness = .readable, isDeferrable: Bool = false,
    _ handler: @escaping (Readiness) -> Void
  ) throws(Errno) -> Token {
    let number = nextNumber()
    try control(EPOLL_CTL_ADD, descriptor, token: number, readiness, isDeferrable: isDeferrable)
    watches[number] = Watch(descriptor: descriptor, isDeferrable: isDeferrable, handler: handler)
    return Token(number, of: self)
  }

  package func change(_ token: Token, to readiness: Readiness) throws(Errno) {
    guard let watch = watches[token.number] else { return }
    try control(
      EPOLL_CTL_MOD, watch.descriptor, token: token.number, readiness,
      isDeferrable: watch.isDeferrable)
  }

  /// Calls `handler` once, unless the token is released first.
  package func schedule(at instant: Timestamp, _ handler: @escaping () -> Void) -> Token {
    let number = nextNumber()
    timers.insert(number, at: instant, handler)
    return Token(number, of: self)
  }

  /// Calls `handler` once, at `instant` or later.
  package func perform(at instant: Timestamp, _ handler: @escaping () -> Void) {
    timers.insert(nextNumber(), at: instant, handler)
  }

  private func cancel(_ number: UInt64) {
    if let watch = watches.removeValue(forKey: number) {
      // Fails only for a descriptor that was closed too early and so has left the set.
      try? control(
        EPOLL_CTL_DEL, watch.descriptor, token: number, [], isDeferrable: watch.isDeferrable)
    } else {
      // Handlers are released last, because they may own other tokens.
      _ = timers.remove(number)
    }
  }

  /// Causes an iteration, so that the loop's owner checks for changes.
  package func wakeUp() { perform(at: now) {} }

  package func stop() { isStopped = true }

  /// Runs until `stop`. Before each wait it calls `beforeWait`, which returns the deadline of the wait, or nil.
  package func run(beforeWait: () -> Timestamp? = { nil }) throws(Errno) {
    isStopped = false
    while true {
      let deadline = beforeWait()
      if isStopped { return }
      try turn(until: deadline)
      if isStopped { return }
    }
  }

  package func turn(until deadline: Timestamp? = nil) throws(Errno) {
    let quiet = quietUntil.flatMap { $0 > now ? $0 : nil }
    try setQuiet(quiet != nil)
    let next = [deadline, timers.next, quiet].compactMap { $0 }.min()
    if clock == nil { try arm(next) }
    let isDue = clock != nil && next.map { $0 <= now } ?? false
    var ready: [(token: UInt64, readiness: Readiness)] = []
    try collect(from: poll.rawValue, milliseconds: isDue ? 0 : -1, into: &ready)
    wakeUps += 1
    if isQuiet || ready.contains(where: { $0.token == Self.deferrableToken }) {
      try collect(from: deferrable.rawValue, milliseconds: 0, into: &ready)
    }
    for event in ready {
      // An earlier handler may have cancelled this one.
      guard let watch = watches[event.token] else { continue }
      watch.handler(event.readiness)
    }
    // A timer scheduled by another one waits for the next iteration.
    for token in timers.removeDue(at: now) { timers.take(token)?() }
  }

  private func nextNumber() -> UInt64 {
    lastToken += 1
    return lastToken
  }

  private func control(
    _ operation: CInt, _ descriptor: CInt, token: UInt64, _ readiness: Readiness,
    isDeferrable: Bool = false
  ) throws(Errno) {
    var event = unsafe epoll_event()
    unsafe event.events = readiness.rawValue
    unsafe event.data.u64 = token
    // The kernel copies the event.
    let set = isDeferrable ? deferrable.rawValue : poll.rawValue
    try retryingOnInterrupt { unsafe epoll_ctl(set, operation, descriptor, &event) }
  }

  private func setQuiet(_ quiet: Bool) throws(Errno) {
    guard quiet != isQuiet else { return }
    try control(
      EPOLL_CTL_MOD, deferrable.rawValue, token: Self.deferrableToken, quiet ? [] : .readable)
    isQuiet = quiet
  }

  private func arm(_ deadline: Timestamp?) throws(Errno) {
    guard deadline != armed else { return }
    var setting = itimerspec()
    if let deadline {
      // A time of 0 would disarm the timer.
      let microseconds = max(deadline.microseconds, 1)
      setting.it_value.tv_sec = Int(microseconds / 1_000_000)
      setting.it_value.tv_nsec = Int(microseconds % 1_000_000) * 1000
    }
    try retryingOnInterrupt {
      unsafe timerfd_settime(timer.rawValue, CInt(TFD_TIMER_ABSTIME), &setting, nil)
    }
    armed = deadline
  }

  private func collect(
    from set: CInt, milliseconds: CInt, into ready: inout [(token: UInt64, readiness: Readiness)]
  ) throws(Errno) {
    try unsafe withTemporaryMemory(of: epoll_event.self, capacity: 16) {
      (events) throws(Errno) in
      // Memory for at least one event has an address.
      guard let first = events.baseAddress else { return }
      let count = try retryingOnInterrupt {
        unsafe epoll_wait(set, first, CInt(events.count), milliseconds)
      }
      for index in 0..<Int(count) {
        // Filled by the kernel. `u64` is the member that `control` wrote.
        let event = unsafe events[index]
        if unsafe event.data.u64 == Self.timerToken {
          acknowledgeTimer()
        } else {
          unsafe ready.append((event.data.u64, Readiness(rawValue: event.events)))
        }
      }
    }
  }

  private func acknowledgeTimer() {
    var expirations: UInt64 = 0
    // Never blocks (TFD_NONBLOCK).
    _ = unsafe Glibc.read(timer.rawValue, &expirations, 8)
    armed = nil
  }
}
