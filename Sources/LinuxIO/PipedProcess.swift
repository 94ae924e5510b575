// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import Glibc
package import SystemPackage

/// A program with pipes as standard input and output. It shares this process's terminal and
/// standard error.
package final class PipedProcess {
  private let process: pid_t
  /// The exit, once it was awaited. Afterwards, the process id may be reused.
  private var exit: ChildProcess.Exit?
  /// The caller owns it.
  package let input: CInt
  /// The caller owns it.
  package let output: CInt

  package init(_ arguments: [String], blockingInterrupt: Bool = false) throws(Errno) {
    let toProgram = try Pipe()
    let fromProgram = try Pipe()
    var spawn = Spawn(
      descriptors: [
        (0, .descriptor(toProgram.output.rawValue)), (1, .descriptor(fromProgram.input.rawValue)),
      ],
      isApart: false)
    spawn.blocksInterrupt = blockingInterrupt
    process = try spawn(arguments)
    input = toProgram.input.release()
    output = fromProgram.output.release()
  }

  package func wait() throws(Errno) -> ChildProcess.Exit {
    while true {
      if let exit = try poll(0) { return exit }
    }
  }

  /// Returns nil while the program runs.
  package func poll() throws(Errno) -> ChildProcess.Exit? { try poll(WNOHANG) }

  private func poll(_ options: CInt) throws(Errno) -> ChildProcess.Exit? {
    if let exit { return exit }
    var status: CInt = 0
    // Writes the local.
    if try retryingOnInterrupt({ unsafe waitpid(process, &status, options) }) == process {
      exit = ChildProcess.Exit(status: status)
    }
    return exit
  }

  /// Calls `handler` when the program has ended, until the result is released.
  package func watchEnd(
    on loop: EventLoop, _ handler: @escaping () -> Void
  ) throws(Errno) -> EndWatch {
    // After the wait, the process id may be reused.
    guard exit == nil else { throw .noSuchProcess }
    let handle = OwnedDescriptor(
      adopting: try retryingOnInterrupt { pidfd_open(process, 0) })
    let token = try loop.watch(handle.rawValue) { _ in handler() }
    return EndWatch(token, handle)
  }

  package final class EndWatch {
    // The watch ends before its descriptor is closed.
    private let token: EventLoop.Token
    private let handle: OwnedDescriptor

    fileprivate init(_ token: EventLoop.Token, _ handle: consuming OwnedDescriptor) {
      self.token = token
      self.handle = handle
    }
  }

  package func terminate() {
    if exit == nil { kill(process, SIGTERM) }
  }

  /// Returns the end of the output of a program without input.
  package static func output(
    of arguments: [String], upTo maximumBytes: Int = 1 << 16
  ) throws(Errno) -> (String, ChildProcess.Exit) {
    let process = try PipedProcess(arguments)
    let output = OwnedDescriptor(adopting: process.output)
    _ = OwnedDescriptor(adopting: process.input)
    var report: [UInt8] = []
    while true {
      let chunk = try output.receive(upTo: 1 << 16)
      if chunk.isEmpty { break }
      report += chunk
      if report.count > 2 * maximumBytes { report.removeFirst(report.count - maximumBytes) }
    }
    return (String(decoding: report.suffix(maximumBytes), as: UTF8.self), try process.wait())
  }
}
