// SPDX-License-Identifier: MIT

internal import Glibc
internal import RoundelJSON
internal import LinuxIO
internal import SystemPackage

/// Messages to standard error, also of children, while the picture covers the terminal.
package final class HeldMessages {
  private let terminal: OwnedDescriptor
  private let pipe: Pipe
  private var isReleased = false

  /// Returns nil if the standard error isn't a terminal.
  package init?() {
    do throws(Errno) {
      guard isatty(2) == 1 else { return nil }
      terminal = OwnedDescriptor(
        adopting: try retryingOnInterrupt { fcntl(2, F_DUPFD_CLOEXEC, 3) })
      // A pipe keeps 64 KiB. Further bytes are lost, so that writers never block.
      pipe = try Pipe(isBlocking: false)
      let input = pipe.input.rawValue
      try retryingOnInterrupt { dup2(input, 2) }
    } catch {
      return nil
    }
  }

  deinit { release() }

  package func release() {
    // If this fails, there is no way to report it.
    _ = try? FileDescriptor.standardError.writeAll(take().printableLines.utf8)
  }

  /// Redirects the standard error back to the terminal, and returns the messages.
  package func take() -> String {
    guard !isReleased else { return "" }
    isReleased = true
    dup2(terminal.rawValue, 2)
    var bytes: [UInt8] = []
    while let more = try? pipe.output.receive(upTo: 4096), !more.isEmpty { bytes += more }
    return String(decoding: bytes, as: UTF8.self)
  }
}
