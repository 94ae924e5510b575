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
    guard let program = arguments.first, !program.isEmpty,
      arguments.allSatisfy({ !$0.utf8.contains(0) })
    else { throw .invalidArgument }
    let process = try spawn(program, arguments)
    let handle = OwnedDescriptor(adopting: try retryingOnInterrupt { pidfd_open(process, 0) })
    _ = try Reaper(process: process, handle: handle, loop: loop, whenDone: whenDone)
  }

  private static func spawn(_ program: String, _ arguments: [String]) throws(Errno) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    // Initialised here and destroyed at the end of the scope, whichever way it is left.
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    var none = sigset_t()
    var all = sigset_t()
    unsafe sigemptyset(&none)
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    // 0x80 is POSIX_SPAWN_SETSID, which <spawn.h> shows to GNU programs only.
    let flags = 0x80 | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))

    // The copies live until the program has been loaded, which is when the call returns.
    var copies = unsafe arguments.map { unsafe strdup($0) } + [nil]
    defer { unsafe copies.forEach { unsafe free($0) } }
    var process: pid_t = 0
    let failure = unsafe posix_spawnp(&process, program, &actions, &attributes, &copies, environ)
    guard failure == 0 else { throw Errno(rawValue: failure) }
    return process
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
