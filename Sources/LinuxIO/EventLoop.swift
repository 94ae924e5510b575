// SPDX-License-Identifier: MIT

internal import CLinux
internal import Glibc
package import Motion
package import SystemPackage

/// Waits for descriptors and timers on one thread, and calls their handlers.
///
/// One turn: wait, call the handlers of all ready descriptors, call the timers that are due, then
/// ask the caller of `run` for its own next deadline. Without a deadline it waits indefinitely: an
/// idle loop does not wake up.
///
/// Handlers are numbered, and no number is used twice: the kernel gives a closed descriptor's number
/// to the next one, which must not receive an event that was meant for the old. The loop keeps a
/// handler until its token is released; a handler that names the loop or its owner should hold it
/// unowned.
package final class EventLoop {
  /// A watch or a timer. It ends when its token is released: its handler is not called again, not even
  /// for an event that was already reported in this turn. An owner of the watched descriptor, too,
  /// declares the token above it: a watch ends before its descriptor is closed.
  package final class Token {
    fileprivate let number: UInt64
    /// Nil once the loop is gone, and all its handlers with it.
    private weak var loop: EventLoop?

    fileprivate init(_ number: UInt64, of loop: EventLoop) {
      self.number = number
      self.loop = loop
    }

    deinit { loop?.cancel(number) }
  }

  /// The state of a descriptor to wait for. Errors and hang-ups are always reported.
  package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Data can be read, or the other side has closed. C: EPOLLIN.
    package static let readable = Readiness(rawValue: roundel_EPOLLIN)
    /// A write would not block. C: EPOLLOUT.
    package static let writable = Readiness(rawValue: roundel_EPOLLOUT)
    /// C: EPOLLERR.
    package static let failed = Readiness(rawValue: roundel_EPOLLERR)
    /// C: EPOLLHUP.
    package static let hungUp = Readiness(rawValue: roundel_EPOLLHUP)
  }

  private struct Watch {
    let descriptor: CInt
    let isPatient: Bool
    let handler: (Readiness) -> Void
  }

  /// The number of wake-ups since the loop was made.
  package private(set) var wakeUps = 0

  /// Until then patient watches cause no wake-ups, so that their events cost one wake-up together. They
  /// are still polled in each turn.
  package var quietUntil: Timestamp?

  /// Nil for the machine's.
  private let clock: (() -> Timestamp)?
  private let poll: OwnedDescriptor
  /// The epoll set of patient watches, itself a member of `poll`.
  private let patient: OwnedDescriptor
  private let timer: OwnedDescriptor
  private var watches: [UInt64: Watch] = [:]
  private var timers = TimerQueue()
  private var lastToken = patientToken
  /// The present setting of the timerfd, to avoid redundant calls.
  private var armed: Timestamp?
  /// Whether `poll` reports what `patient` does.
  private var isQuiet = false
  private var isStopped = false

  /// - Parameter clock: the clock of timers and deadlines; nil for CLOCK_MONOTONIC. Another one, as a
  ///   test's, does not go on while the loop waits, so that it then waits for descriptors alone.
  package init(clock: (() -> Timestamp)? = nil) throws(Errno) {
    self.clock = clock
    poll = OwnedDescriptor(
      adopting: try retryingOnInterrupt { epoll_create1(CInt(EPOLL_CLOEXEC)) })
    timer = OwnedDescriptor(
      adopting: try retryingOnInterrupt {
        timerfd_create(CLOCK_MONOTONIC, CInt(TFD_CLOEXEC | TFD_NONBLOCK))
      })
    patient = OwnedDescriptor(
      adopting: try retryingOnInterrupt { epoll_create1(CInt(EPOLL_CLOEXEC)) })
    try control(EPOLL_CTL_ADD, timer.rawValue, token: Self.timerToken, .readable)
    try control(EPOLL_CTL_ADD, patient.rawValue, token: Self.patientToken, .readable)
  }

  private static let timerToken: UInt64 = 0
  private static let patientToken: UInt64 = 1

  /// The present moment of the loop's clock.
  package var now: Timestamp { clock?() ?? MonotonicClock.now }

  /// The moment of the first timer; nil where there is none.
  package var nextTimer: Timestamp? { timers.next }

  /// Calls `handler` whenever `descriptor` is ready, until the token is released, which must happen
  /// before the descriptor is closed. Level triggered: data that is not read is reported again.
  ///
  /// - Parameter patiently: whether it can wait until `quietUntil`.
  package func watch(
    _ descriptor: CInt, for readiness: Readiness = .readable, patiently: Bool = false,
    _ handler: @escaping (Readiness) -> Void
  ) throws(Errno) -> Token {
    let number = nextNumber()
    try control(EPOLL_CTL_ADD, descriptor, token: number, readiness, isPatient: patiently)
    watches[number] = Watch(descriptor: descriptor, isPatient: patiently, handler: handler)
    return Token(number, of: self)
  }

  /// Changes the readiness that a watch waits for.
  package func change(_ token: Token, to readiness: Readiness) throws(Errno) {
    guard let watch = watches[token.number] else { return }
    try control(
      EPOLL_CTL_MOD, watch.descriptor, token: token.number, readiness,
      isPatient: watch.isPatient)
  }

  /// Calls `handler` once, at `instant` of the loop's clock or as soon as possible after it,
  /// unless the token is released before.
  package func schedule(at instant: Timestamp, _ handler: @escaping () -> Void) -> Token {
    let number = nextNumber()
    timers.insert(number, at: instant, handler)
    return Token(number, of: self)
  }

  /// Calls `handler` once, at `instant` of the loop's clock or as soon as possible after it.
  /// Nothing but the end of the loop prevents that.
  package func perform(at instant: Timestamp, _ handler: @escaping () -> Void) {
    timers.insert(nextNumber(), at: instant, handler)
  }

  private func cancel(_ number: UInt64) {
    if let watch = watches.removeValue(forKey: number) {
      // It fails only for a descriptor closed too early, which has left the set by that.
      try? control(
        EPOLL_CTL_DEL, watch.descriptor, token: number, [], isPatient: watch.isPatient)
    } else {
      // Handlers are released after the queue has been changed: they may own further tokens.
      _ = timers.remove(number)
    }
  }

  /// Makes a turn, in which the owner of the loop looks at what has changed.
  package func wakeUp() { perform(at: now) {} }

  /// Makes `run` return at the end of this turn.
  package func stop() { isStopped = true }

  /// Runs until `stop`. Before each wait it calls `beforeWait`, which returns the deadline of the wait;
  /// nil for none.
  package func run(beforeWait: () -> Timestamp? = { nil }) throws(Errno) {
    isStopped = false
    while true {
      let deadline = beforeWait()
      if isStopped { return }
      try turn(until: deadline)
      if isStopped { return }
    }
  }

  /// Waits once, until an event or `deadline`, and calls all handlers that are due.
  package func turn(until deadline: Timestamp? = nil) throws(Errno) {
    let quiet = quietUntil.flatMap { $0 > now ? $0 : nil }
    try setQuiet(quiet != nil)
    let next = [deadline, timers.next, quiet].compactMap { $0 }.min()
    if clock == nil { try arm(next) }
    let isDue = clock != nil && next.map { $0 <= now } ?? false
    var ready: [(token: UInt64, readiness: Readiness)] = []
    try collect(from: poll.rawValue, milliseconds: isDue ? 0 : -1, into: &ready)
    wakeUps += 1
    if isQuiet || ready.contains(where: { $0.token == Self.patientToken }) {
      try collect(from: patient.rawValue, milliseconds: 0, into: &ready)
    }
    for event in ready {
      // A handler called earlier in this turn may have cancelled this one.
      guard let watch = watches[event.token] else { continue }
      watch.handler(event.readiness)
    }
    // Only those due now: one that is scheduled by a timer, even for the past, waits for the next turn.
    for token in timers.removeDue(at: now) { timers.take(token)?() }
  }

  private func nextNumber() -> UInt64 {
    lastToken += 1
    return lastToken
  }

  private func control(
    _ operation: CInt, _ descriptor: CInt, token: UInt64, _ readiness: Readiness,
    isPatient: Bool = false
  ) throws(Errno) {
    var event = unsafe epoll_event()
    unsafe event.events = readiness.rawValue
    unsafe event.data.u64 = token
    // The kernel copies the event before the call returns.
    let set = isPatient ? patient.rawValue : poll.rawValue
    try retryingOnInterrupt { unsafe epoll_ctl(set, operation, descriptor, &event) }
  }

  private func setQuiet(_ quiet: Bool) throws(Errno) {
    guard quiet != isQuiet else { return }
    try control(
      EPOLL_CTL_MOD, patient.rawValue, token: Self.patientToken, quiet ? [] : .readable)
    isQuiet = quiet
  }

  private func arm(_ deadline: Timestamp?) throws(Errno) {
    guard deadline != armed else { return }
    var setting = itimerspec()
    if let deadline {
      // A moment of 0 would disarm the timer; anything in the past fires at once.
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
      // Memory for one event and more has an address.
      guard let first = events.baseAddress else { return }
      let count = try retryingOnInterrupt {
        unsafe epoll_wait(set, first, CInt(events.count), milliseconds)
      }
      for index in 0..<Int(count) {
        // The kernel has filled the first `count`; `u64` is the member that `control` wrote.
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
    // Never blocks (TFD_NONBLOCK); the count does not matter.
    _ = unsafe Glibc.read(timer.rawValue, &expirations, 8)
    armed = nil
  }
}
