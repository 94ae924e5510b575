// SPDX-License-Identifier: MIT

internal import CLinux
internal import Glibc
public import SystemPackage

/// Programs started without a shell and without waiting for them.
public enum ChildProcess {
  /// How a program ended.
  public enum Exit: Hashable, Sendable, CustomStringConvertible {
    case status(Int)
    case signal(Int)

    /// From what `waitpid` gives: WIFSIGNALED, WTERMSIG and WEXITSTATUS are macros; this is what they
    /// compute.
    init(status: CInt) {
      let signal = Int(status & 0x7f)
      self = signal == 0 ? .status(Int(status >> 8 & 0xff)) : .signal(signal)
    }

    public var description: String {
      switch self {
      case .status(let status): "ended with status \(status)"
      case .signal(let signal): "was ended by signal \(signal)"
      }
    }
  }

  /// Starts `arguments[0]`, looked up in PATH unless it holds a slash, and calls `whenDone` once it
  /// has ended.
  ///
  /// It runs in a session of its own, so that it does not own the kiosk's console, reads nothing
  /// and writes nowhere but to this process's stderr. It inherits no blocked or ignored signal.
  /// `arguments` must hold no zero byte and at least the program; else the error is
  /// `invalidArgument`.
  public static func start(
    _ arguments: [String], on loop: EventLoop, whenDone: @escaping (Exit) -> Void
  ) throws(Errno) {
    let spawn = Spawn(descriptors: [(0, .nothing), (1, .nothing)], isApart: true)
    let process = try spawn(arguments)
    let handle = OwnedDescriptor(adopting: try retryingOnInterrupt { pidfd_open(process, 0) })
    _ = try Reaper(process: process, handle: handle, loop: loop, whenDone: whenDone)
  }
}

/// Waits for one process's end. The loop's handler keeps it alive, and it ends that watch itself.
private final class Reaper {
  private let process: pid_t
  private let handle: OwnedDescriptor
  private var token: EventLoop.Token?

  init(
    process: pid_t, handle: consuming OwnedDescriptor, loop: EventLoop,
    whenDone: @escaping (ChildProcess.Exit) -> Void
  ) throws(Errno) {
    self.process = process
    self.handle = handle
    // A descriptor of a process becomes readable when it ends.
    token = try loop.watch(self.handle.rawValue) { _ in
      guard let exit = self.reap() else { return }
      if let token = self.token { loop.cancel(token) }
      self.token = nil
      whenDone(exit)
    }
  }

  private func reap() -> ChildProcess.Exit? {
    var status: CInt = 0
    guard unsafe waitpid(process, &status, WNOHANG) == process else { return nil }
    return ChildProcess.Exit(status: status)
  }
}
