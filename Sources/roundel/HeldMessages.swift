// SPDX-License-Identifier: MIT

import Glibc
import LinuxIO
import SystemPackage

/// What this process and those that it starts write to the standard error while the terminal shows a
/// picture; it is held back until the picture has gone.
final class HeldMessages {
  private let terminal: OwnedDescriptor
  private let pipe: Pipe
  private var isReleased = false

  /// Nil where the standard error is no terminal, and everything may be written to it as ever.
  init?() {
    do throws(Errno) {
      guard StandardError.isTerminal else { return nil }
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
  func release() {
    StandardError.write(take())
  }

  /// Gives the terminal back to the standard error, and returns what was held back.
  func take() -> String {
    guard !isReleased else { return "" }
    isReleased = true
    dup2(terminal.rawValue, 2)
    var bytes: [UInt8] = []
    while let more = try? pipe.output.receive(upTo: 4096), !more.isEmpty { bytes += more }
    return String(decoding: bytes, as: UTF8.self)
  }
}
