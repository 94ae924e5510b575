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

  /// Starts `arguments[0]`, as `Spawn` does.
  public init(_ arguments: [String]) throws(Errno) {
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

    let spawn = Spawn(
      descriptors: [(0, .descriptor(toProgram[0])), (1, .descriptor(fromProgram[1]))],
      isApart: false)
    do throws(Errno) {
      process = try spawn(arguments)
    } catch {
      ends.forEach { close($0) }
      throw error
    }
    close(toProgram[0])
    close(fromProgram[1])
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
