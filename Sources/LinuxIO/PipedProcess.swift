// SPDX-License-Identifier: MIT

internal import CLinux
internal import Glibc
package import SystemPackage

/// A program whose standard input and output are pipes to this process. It shares its terminal and
/// its standard error.
package struct PipedProcess: Sendable {
  package let process: Int32
  /// What is written here, the program reads. The caller owns it.
  package let input: CInt
  /// What the program writes, is read here. The caller owns it.
  package let output: CInt

  /// Starts `arguments[0]`, as `Spawn` does.
  package init(_ arguments: [String]) throws(Errno) {
    let toProgram = try Pipe()
    let fromProgram = try Pipe()
    let spawn = Spawn(
      descriptors: [
        (0, .descriptor(toProgram.output.rawValue)), (1, .descriptor(fromProgram.input.rawValue)),
      ],
      isApart: false)
    process = try spawn(arguments)
    input = toProgram.input.release()
    output = fromProgram.output.release()
  }

  /// Waits until the program has ended and returns its exit. Must be called only once.
  package func wait() throws(Errno) -> ChildProcess.Exit {
    var status: CInt = 0
    try retryingOnInterrupt { unsafe waitpid(process, &status, 0) }
    return ChildProcess.Exit(status: status)
  }
}
