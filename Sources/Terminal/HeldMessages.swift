// SPDX-License-Identifier: MIT

internal import Glibc
internal import JSON
internal import LinuxIO
internal import SystemPackage

/// What this process and those that it starts write to the standard error while the terminal shows a
/// picture; it is held back until the picture has gone.
package final class HeldMessages {
  private let terminal: OwnedDescriptor
  private let pipe: Pipe
  private var isReleased = false

  /// Nil where the standard error is no terminal, and everything may be written to it as ever.
  package init?() {
    do throws(Errno) {
      guard isatty(2) == 1 else { return nil }
      terminal = OwnedDescriptor(
        adopting: try retryingOnInterrupt { fcntl(2, F_DUPFD_CLOEXEC, 3) })
      // A pipe keeps 64 KiB; what is more is lost, which nothing must wait for.
      pipe = try Pipe(isBlocking: false)
      let input = pipe.input.rawValue
      try retryingOnInterrupt { dup2(input, 2) }
    } catch {
      return nil
    }
  }

  deinit { release() }

  /// Writes what was held back.
  package func release() {
    // Where this fails, there is no place left to report it.
    _ = try? FileDescriptor.standardError.writeAll(take().printableLines.utf8)
  }

  /// Gives the terminal back to the standard error, and returns what was held back.
  package func take() -> String {
    guard !isReleased else { return "" }
    isReleased = true
    dup2(terminal.rawValue, 2)
    var bytes: [UInt8] = []
    while let more = try? pipe.output.receive(upTo: 4096), !more.isEmpty { bytes += more }
    return String(decoding: bytes, as: UTF8.self)
  }
}
