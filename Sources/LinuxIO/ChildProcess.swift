// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import Glibc
package import RoundelMotion
package import SystemPackage

package enum ChildProcess {
  package enum Exit: Hashable, Sendable, CustomStringConvertible {
    case status(Int)
    case signal(Int)

    /// Decodes a wait status like the macros WIFSIGNALED, WTERMSIG and WEXITSTATUS.
    init(status: CInt) {
      let signal = Int(status & 0x7f)
      self = signal == 0 ? .status(Int(status >> 8 & 0xff)) : .signal(signal)
    }

    package var description: String {
      switch self {
      case .status(let status): "exited with status \(status)"
      case .signal(let signal): "was killed by signal \(signal)"
      }
    }
  }

  package enum StartError: Error, Hashable, CustomStringConvertible {
    case limit(Int)
    case failed(Errno)

    package var description: String {
      switch self {
      case .limit(let maximumCount):
        "the maximum of \(maximumCount) programs is already running"
      case .failed(let error): "\(error)"
      }
    }
  }
}

/// Starts programs without a shell and without waiting for them, and reaps each.
package final class ChildProcesses {
  package static let defaultMaximumCount = 16
  private static let pollInterval = 0.25

  private final class Child {
    let whenDone: (ChildProcess.Exit) -> Void
    /// Whether the other processes of its group are killed when it ends.
    let endsGroup: Bool
    /// The watch for its end, or nil if it can't be watched.
    private(set) var token: EventLoop.Token?
    /// Closed after the watch has ended.
    private var handle: OwnedDescriptor?

    init(endsGroup: Bool, whenDone: @escaping (ChildProcess.Exit) -> Void) {
      self.endsGroup = endsGroup
      self.whenDone = whenDone
    }

    func wait(until deadline: Timestamp) {
      let left = max(0, deadline - MonotonicClock.now)
      let milliseconds = CInt(min(left * 1000 + 1, 1e6))
      // Without a descriptor, the end isn't reported.
      let interval = handle == nil ? min(milliseconds, 10) : milliseconds
      var entry = pollfd(fd: handle?.rawValue ?? -1, events: Int16(POLLIN), revents: 0)
      // Safe: `poll` accesses exactly one entry.
      _ = unsafe poll(&entry, 1, interval)
    }

    func watch(_ process: pid_t, on loop: EventLoop, onEnd: @escaping () -> Void) throws(Errno) {
      let number = try retryingOnInterrupt { pidfd_open(process, 0) }
      handle = OwnedDescriptor(adopting: number)
      token = try loop.watch(number) { _ in onEnd() }
    }
  }

  private let maximumCount: Int
  private let loop: EventLoop
  private var children: [pid_t: Child] = [:]
  private var pollTimer: EventLoop.Token?

  package init(maximumCount: Int = defaultMaximumCount, on loop: EventLoop) {
    self.maximumCount = maximumCount
    self.loop = loop
  }

  /// Starts `arguments[0]`, looked up in PATH unless it contains a slash. Calls `whenDone` at its
  /// end.
  ///
  /// The program's own session keeps it from controlling the kiosk's console. It inherits standard
  /// error, but no blocked or ignored signals. Throws `invalidArgument` if `arguments` are empty or
  /// contain zero bytes.
  ///
  /// - Parameter endsGroup: Whether other processes of its group are killed when it ends.
  /// - Returns: The process id, valid until `whenDone` is called.
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
    // The program is running. An error now would prevent it from being reaped.
    let child = Child(endsGroup: endsGroup, whenDone: whenDone)
    children[process] = child
    do throws(Errno) {
      try child.watch(process, on: loop) { [unowned self] in reap(process) }
    } catch {
      schedulePoll()
    }
    return process
  }

  /// Signals the process group of an unreaped program.
  package func signal(_ number: CInt, to process: Int32) {
    if children[process] != nil { _ = kill(-process, number) }
  }

  /// Terminates, and at `deadline` kills a program. Calls `whenDone` before it returns.
  package func end(_ process: Int32, by deadline: Timestamp) {
    signal(SIGTERM, to: process)
    wait(for: [process], until: deadline)
    signal(SIGKILL, to: process)
    while let child = children[process] {
      child.wait(until: MonotonicClock.now + 1)
      reap(process)
    }
  }

  /// Blocks until programs have ended, or until `deadline`, and calls their `whenDone`.
  package func wait(for processes: Set<Int32>, until deadline: Timestamp) {
    for process in processes {
      while let child = children[process], MonotonicClock.now < deadline {
        child.wait(until: deadline)
        reap(process)
      }
    }
  }

  package var running: Set<Int32> { Set(children.keys) }

  package func endAll(by deadline: Timestamp) {
    for process in children.keys { end(process, by: deadline) }
  }

  private func reap(_ process: pid_t) {
    if children[process]?.endsGroup == true {
      var info = unsafe siginfo_t()
      // Writes a local. WNOWAIT keeps the program unreaped, so that its process id isn't reused
      // yet.
      let flags = WEXITED | WNOHANG | WNOWAIT
      guard unsafe waitid(P_PID, id_t(process), &info, flags) == 0, unsafe info.si_signo != 0
      else { return }
      _ = kill(-process, SIGKILL)
    }
    var status: CInt = 0
    // Writes a local.
    let found = unsafe waitpid(process, &status, WNOHANG)
    guard found == process, let child = children.removeValue(forKey: process) else { return }
    child.whenDone(ChildProcess.Exit(status: status))
  }

  private func schedulePoll() {
    guard pollTimer == nil, children.values.contains(where: { $0.token == nil }) else { return }
    pollTimer = loop.schedule(at: MonotonicClock.now + Self.pollInterval) { [unowned self] in
      pollTimer = nil
      for (process, child) in children where child.token == nil { reap(process) }
      schedulePoll()
    }
  }
}
