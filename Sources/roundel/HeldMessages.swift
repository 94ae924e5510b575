// SPDX-License-Identifier: MIT

import Glibc

/// What this process and those that it starts write to the standard error while the terminal shows a
/// picture; it is held back until the picture has gone.
final class HeldMessages {
  private let terminal: CInt
  private let pipe: CInt
  private var isReleased = false

  /// Nil where the standard error is no terminal, and everything may be written to it as ever.
  init?() {
    guard StandardError.isTerminal else { return nil }
    var ends: [CInt] = [-1, -1]
    let copy = fcntl(2, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0, unsafe Glibc.pipe(&ends) == 0 else { return nil }
    // A pipe keeps 64 KiB; what is more is lost, which nobody must wait for.
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
    dup2(ends[1], 2)
    close(ends[1])
    (terminal, pipe) = (copy, ends[0])
  }

  deinit { release() }

  /// Writes what was held back.
  func release() {
    guard !isReleased else { return }
    isReleased = true
    dup2(terminal, 2)
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      // As many as the array has.
      let count = unsafe read(pipe, &bytes, bytes.count)
      guard count > 0 else { break }
      StandardError.write(String(decoding: bytes[..<count], as: UTF8.self))
    }
    close(terminal)
    close(pipe)
  }
}
