// SPDX-License-Identifier: MIT

internal import CLinux
internal import Glibc
public import SystemPackage

/// A program whose standard input and output are pipes to this process. It shares its terminal and
/// its standard error.
public struct PipedProcess: Sendable {
  public let process: Int32
  /// What is written here, the program reads. The caller owns it.
  public let input: CInt
  /// What the program writes, is read here. The caller owns it.
  public let output: CInt

  /// Starts `arguments[0]`, looked up in PATH unless it holds a slash.
  public init(_ arguments: [String]) throws(Errno) {
    guard let program = arguments.first, !arguments.contains(where: { $0.utf8.contains(0) }) else {
      throw .invalidArgument
    }
    var (toProgram, fromProgram) = (
      [CInt](repeating: -1, count: 2), [CInt](repeating: -1, count: 2)
    )
    try retryingOnInterrupt { unsafe pipe(&toProgram) }
    do throws(Errno) {
      try retryingOnInterrupt { unsafe pipe(&fromProgram) }
    } catch {
      toProgram.forEach { close($0) }
      throw error
    }
    let ends = toProgram + fromProgram
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }

    var actions = unsafe posix_spawn_file_actions_t()
    // Initialised here and destroyed at the end of the scope, whichever way it is left.
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, toProgram[0], 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, fromProgram[1], 1)
    // The copies live until the program has been loaded, which is when the call returns.
    var copies = unsafe arguments.map { unsafe strdup($0) } + [nil]
    defer { unsafe copies.forEach { unsafe free($0) } }
    var process: pid_t = 0
    let failure = unsafe posix_spawnp(&process, program, &actions, nil, &copies, environ)
    guard failure == 0 else {
      ends.forEach { close($0) }
      throw Errno(rawValue: failure)
    }
    close(toProgram[0])
    close(fromProgram[1])
    self.process = process
    input = toProgram[1]
    output = fromProgram[0]
  }

  /// Waits until the program has ended, and tells how. To be called once.
  public func wait() throws(Errno) -> ChildProcess.Exit {
    var status: CInt = 0
    try retryingOnInterrupt { unsafe waitpid(process, &status, 0) }
    return ChildProcess.Exit(status: status)
  }
}
