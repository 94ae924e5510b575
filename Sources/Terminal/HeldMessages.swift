// SPDX-License-Identifier: MIT

internal import Glibc
internal import JSON
internal import LinuxIO
internal import SystemPackage

/// The messages that this process and its children write to the standard error while the terminal shows a
/// picture. They are held back until the picture has gone.
package final class HeldMessages {
  private let terminal: OwnedDescriptor
  private let pipe: Pipe
  private var isReleased = false

  /// Nil where the standard error is not a terminal, and everything may be written to it as usual.
  package init?() {
    do throws(Errno) {
      guard isatty(2) == 1 else { return nil }
      terminal = OwnedDescriptor(
        adopting: try retryingOnInterrupt { fcntl(2, F_DUPFD_CLOEXEC, 3) })
      // A pipe keeps 64 KiB; further bytes are lost, so that no writer waits.
      pipe = try Pipe(isBlocking: false)
      let input = pipe.input.rawValue
      try retryingOnInterrupt { dup2(input, 2) }
    } catch {
      return nil
    }
  }

  deinit { release() }

  /// Writes the messages.
  package func release() {
    // Where this fails, there is no place left to report it.
    _ = try? FileDescriptor.standardError.writeAll(take().printableLines.utf8)
  }

  /// Gives the terminal back to the standard error, and returns the messages.
  package func take() -> String {
    guard !isReleased else { return "" }
    isReleased = true
    dup2(terminal.rawValue, 2)
    var bytes: [UInt8] = []
    while let more = try? pipe.output.receive(upTo: 4096), !more.isEmpty { bytes += more }
    return String(decoding: bytes, as: UTF8.self)
  }
}
