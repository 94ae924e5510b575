// SPDX-License-Identifier: MIT

internal import CLinux
internal import Glibc
package import Motion
package import SystemPackage

/// A program that was started beside this one.
package enum ChildProcess {
  /// How a program ended.
  package enum Exit: Hashable, Sendable, CustomStringConvertible {
    case status(Int)
    case signal(Int)

    /// From what `waitpid` gives: WIFSIGNALED, WTERMSIG and WEXITSTATUS are macros; this is what they
    /// compute.
    init(status: CInt) {
      let signal = Int(status & 0x7f)
      self = signal == 0 ? .status(Int(status >> 8 & 0xff)) : .signal(signal)
    }

    package var description: String {
      switch self {
      case .status(let status): "ended with status \(status)"
      case .signal(let signal): "was ended by signal \(signal)"
      }
    }
  }

  /// The reason why a program was not started.
  package enum StartError: Error, Hashable, CustomStringConvertible {
    /// As many run as may run at once.
    case limit(Int)
    case failed(Errno)

    package var description: String {
      switch self {
      case .limit(let maximumCount):
        "\(maximumCount) programs run already, the maximum at once; it was not started"
      case .failed(let error): "\(error)"
      }
    }
  }
}

/// Programs started without a shell and without waiting for them, a limited number at once. Each is
/// reaped when it has ended.
package final class ChildProcesses {
  package static let defaultMaximumCount = 16
  /// Seconds between two looks at programs whose end nothing reports.
  private static let lookInterval = 0.25

  private final class Child {
    let whenDone: (ChildProcess.Exit) -> Void
    /// Whether what it has started ends with it.
    let endsGroup: Bool
    /// The watch for its end; nil where there is none.
    private(set) var token: EventLoop.Token?
    /// Closed after the watch has ended.
    private var handle: OwnedDescriptor?

    init(endsGroup: Bool, whenDone: @escaping (ChildProcess.Exit) -> Void) {
      self.endsGroup = endsGroup
      self.whenDone = whenDone
    }

    /// Waits until it may have ended.
    func wait(until deadline: Timestamp) {
      let left = max(0, deadline - MonotonicClock.now)
      let milliseconds = CInt(min(left * 1000 + 1, 1e6))
      // Without a descriptor nothing reports the end.
      let interval = handle == nil ? min(milliseconds, 10) : milliseconds
      var entry = pollfd(fd: handle?.rawValue ?? -1, events: Int16(POLLIN), revents: 0)
      // One entry, which lives here.
      _ = unsafe poll(&entry, 1, interval)
    }

    func watch(_ process: pid_t, on loop: EventLoop, onEnd: @escaping () -> Void) throws(Errno) {
      let number = try retryingOnInterrupt { pidfd_open(process, 0) }
      handle = OwnedDescriptor(adopting: number)
      // A descriptor of a process becomes readable when it ends.
      token = try loop.watch(number) { _ in onEnd() }
    }
  }

  private let maximumCount: Int
  private let loop: EventLoop
  private var children: [pid_t: Child] = [:]
  /// The next look at programs whose end nothing reports.
  private var look: EventLoop.Token?

  package init(maximumCount: Int = defaultMaximumCount, on loop: EventLoop) {
    self.maximumCount = maximumCount
    self.loop = loop
  }

  /// Starts `arguments[0]`, looked up in PATH unless it holds a slash, and calls `whenDone` once it
  /// has ended.
  ///
  /// It runs in a session of its own, so that it does not own the kiosk's console. Without
  /// `descriptors` it reads nothing and writes nowhere but to this process's stderr. It inherits no
  /// blocked or ignored signal. `arguments` must hold no zero byte and at least the program; else
  /// the error is `invalidArgument`.
  ///
  /// - Parameter endsGroup: whether what it has started in its session is killed when it has ended.
  /// - Returns: its number, valid until `whenDone` is called.
  @discardableResult
  package func start(
    _ arguments: [String],
    descriptors: [(number: CInt, target: Spawn.Target)] = [(0, .nothing), (1, .nothing)],
    endsGroup: Bool = false, whenDone: @escaping (ChildProcess.Exit) -> Void
  ) throws(ChildProcess.StartError) -> Int32 {
    guard children.count < maximumCount else { throw .limit(maximumCount) }
    let spawn = Spawn(descriptors: descriptors, isApart: true)
    let process: pid_t
    do throws(Errno) {
      process = try spawn(arguments)
    } catch {
      throw .failed(error)
    }
    // It runs: from here on nothing may fail, or it would never be reaped.
    let child = Child(endsGroup: endsGroup, whenDone: whenDone)
    children[process] = child
    do throws(Errno) {
      try child.watch(process, on: loop) { [unowned self] in reap(process) }
    } catch {
      // Out of descriptors.
      scheduleLook()
    }
    return process
  }

  /// Sends a signal to a program that has not been reaped, and to all of its session that share its
  /// process group.
  package func signal(_ number: CInt, to process: Int32) {
    if children[process] != nil { _ = kill(-process, number) }
  }

  /// Ends a program: asks it to, and kills it where it has not ended by `deadline`. `whenDone` is
  /// called before this returns.
  package func end(_ process: Int32, by deadline: Timestamp) {
    signal(SIGTERM, to: process)
    wait(for: [process], until: deadline)
    signal(SIGKILL, to: process)
    while let child = children[process] {
      child.wait(until: MonotonicClock.now + 1)
      reap(process)
    }
  }

  /// Waits until programs have ended, at most until `deadline`. `whenDone` of those that have ended is called before
  /// this returns.
  package func wait(for processes: Set<Int32>, until deadline: Timestamp) {
    for process in processes {
      while let child = children[process], MonotonicClock.now < deadline {
        child.wait(until: deadline)
        reap(process)
      }
    }
  }

  /// The programs that have not been reaped.
  package var running: Set<Int32> { Set(children.keys) }

  /// Ends all programs, as `end` does each.
  package func endAll(by deadline: Timestamp) {
    for process in children.keys { end(process, by: deadline) }
  }

  private func reap(_ process: pid_t) {
    if children[process]?.endsGroup == true {
      var info = unsafe siginfo_t()
      // Writes into a local. It leaves the program unreaped: until then its number is nobody else's.
      let flags = WEXITED | WNOHANG | WNOWAIT
      guard unsafe waitid(P_PID, id_t(process), &info, flags) == 0, unsafe info.si_signo != 0
      else { return }
      _ = kill(-process, SIGKILL)
    }
    var status: CInt = 0
    // Writes into a local.
    let found = unsafe waitpid(process, &status, WNOHANG)
    guard found == process, let child = children.removeValue(forKey: process) else { return }
    child.whenDone(ChildProcess.Exit(status: status))
  }

  private func scheduleLook() {
    guard look == nil, children.values.contains(where: { $0.token == nil }) else { return }
    look = loop.schedule(at: MonotonicClock.now + Self.lookInterval) { [unowned self] in
      look = nil
      for (process, child) in children where child.token == nil { reap(process) }
      scheduleLook()
    }
  }
}
