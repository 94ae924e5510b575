// SPDX-License-Identifier: MIT

internal import Glibc
internal import SystemPackage

/// A program without input, with merged standard output and error. Releasing the object ends the
/// program.
package final class PrintingProgram {
  package var onOutput: ([UInt8]) -> Void = { _ in }
  /// Called after the program has ended and all its output was read.
  package var onEnd: (_ exit: ChildProcess.Exit, _ output: [UInt8]) -> Void = { _, _ in }

  /// The limit of the kept output, counted from its end.
  private let maximumBytes: Int
  private let programs: ChildProcesses
  private var process: Int32?
  private var exit: ChildProcess.Exit?
  private var printed: [UInt8] = []
  private var watch: EventLoop.Token?
  private let output: OwnedDescriptor

  package init(
    _ arguments: [String], keeping maximumBytes: Int = 1 << 16, _ programs: ChildProcesses,
    on loop: EventLoop
  ) throws(ChildProcess.StartError) {
    self.maximumBytes = maximumBytes
    self.programs = programs
    let ends: (output: CInt, input: CInt)
    do throws(Errno) {
      let pipe = try Pipe()
      ends = (pipe.output.release(), pipe.input.release())
    } catch {
      throw .failed(error)
    }
    output = OwnedDescriptor(adopting: ends.output)
    let input = OwnedDescriptor(adopting: ends.input)
    do throws(Errno) {
      watch = try loop.watch(output.rawValue) { [unowned self] _ in receive() }
    } catch {
      throw .failed(error)
    }
    let target = Spawn.Target.descriptor(input.rawValue)
    process = try programs.start(
      arguments, descriptors: [(0, .nothing), (1, target), (2, target)],
      endsGroup: true
    ) { [weak self] exit in
      self?.process = nil
      self?.exit = exit
      self?.endIfDone()
    }
  }

  deinit {
    if let process { programs.signal(SIGTERM, to: process) }
  }

  private func receive() {
    guard let chunk = try? output.receive(upTo: 1 << 16), !chunk.isEmpty else {
      watch = nil
      return endIfDone()
    }
    printed += chunk
    if printed.count > 2 * maximumBytes { printed.removeFirst(printed.count - maximumBytes) }
    onOutput(chunk)
  }

  private func endIfDone() {
    guard let exit, watch == nil else { return }
    onEnd(exit, Array(printed.suffix(maximumBytes)))
  }
}
