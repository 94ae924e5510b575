// SPDX-License-Identifier: MIT

internal import Glibc
internal import SystemPackage

package struct SystemProgram: Sendable {
  private let arguments: [String]

  package init(_ arguments: [String]) { self.arguments = arguments }

  package struct Outcome: Sendable {
    package let exit: ChildProcess.Exit
    package let bytes: [UInt8]
    package let errors: String
    package let isTooLong: Bool

    package var output: String { String(decoding: bytes, as: UTF8.self) }

    /// The last line on the standard error, or a description of the exit.
    package var lastWords: String {
      errors.split(separator: "\n").last.map(String.init) ?? "it \(exit)"
    }
  }

  private static let maximumErrorBytes = 1 << 16

  package func run(input: [UInt8] = [], maximumBytes: Int) throws(Failure) -> Outcome {
    let name = arguments.first ?? ""
    do {
      let given = try Self.memory(named: "input")
      try FileDescriptor(rawValue: given.rawValue).writeAll(input)
      _ = lseek(given.rawValue, 0, SEEK_SET)
      let errors = try Self.memory(named: "errors")
      let pipe = try Pipe()
      let spawn = Spawn(
        descriptors: [
          (0, .descriptor(given.rawValue)), (1, .descriptor(pipe.input.rawValue)),
          (2, .descriptor(errors.rawValue)),
        ], isApart: false)
      let process: Int32
      do throws(Errno) {
        process = try spawn(arguments)
      } catch {
        let hint = error == .noSuchFileOrDirectory ? "; install its package" : ""
        throw Failure(.unavailable, "cannot run \(name): \(error)\(hint)")
      }
      let output = pipe.takeOutput()
      var bytes: [UInt8] = []
      var isTooLong = false
      while let chunk = try? output.receive(upTo: 1 << 16), !chunk.isEmpty {
        bytes += chunk
        if bytes.count > maximumBytes {
          isTooLong = true
          _ = kill(process, SIGKILL)
          break
        }
      }
      var status: CInt = 0
      // Writes a local.
      while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
      _ = lseek(errors.rawValue, 0, SEEK_SET)
      let message = (try? errors.receive(upTo: Self.maximumErrorBytes)) ?? []
      return Outcome(
        exit: ChildProcess.Exit(status: status), bytes: bytes,
        errors: String(decoding: message, as: UTF8.self), isTooLong: isTooLong)
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(.didNotHold, "cannot run \(name): \(error)")
    }
  }

  private static func memory(named name: String) throws(Errno) -> OwnedDescriptor {
    try OwnedDescriptor(memoryOf: 0, named: name)
  }
}
