// SPDX-License-Identifier: MIT

internal import Glibc
internal import LinuxIO
internal import RoundelMotion
internal import SystemPackage

/// Splits a program's standard error into lines.
///
/// Only one chunk is read per interval, so a flood of output delays no frames and doesn't occupy a
/// core.
final class ErrorMessages {
  private static let chunkBytes = 4 << 10
  /// Seconds between two chunks.
  private static let interval = 0.02
  /// A limit in bytes. Longer lines are split.
  private static let maximumLineBytes = 1 << 10
  /// The number of chunks in a full pipe buffer.
  private static let maximumLastPieces = 16

  private let loop: EventLoop
  private let onLine: (String) -> Void
  /// The watch or timer. It must end before `pipe` is closed.
  private var token: EventLoop.Token?
  private let pipe: OwnedDescriptor
  private var line: [UInt8] = []

  init(
    _ pipe: consuming OwnedDescriptor, on loop: EventLoop, onLine: @escaping (String) -> Void
  ) throws(Errno) {
    let number = pipe.rawValue
    try retryingOnInterrupt { fcntl(number, F_SETFL, O_NONBLOCK) }
    self.pipe = pipe
    self.loop = loop
    self.onLine = onLine
    try watch()
  }

  private func watch() throws(Errno) {
    token = try loop.watch(pipe.rawValue, isDeferrable: true) { [unowned self] _ in
      guard read() else {
        token = nil
        return
      }
      token = loop.schedule(at: loop.now + Self.interval) { [unowned self] in
        // If the watch fails, the program blocks.
        try? watch()
      }
    }
  }

  func finish() {
    token = nil
    var pieces = 0
    while pieces < Self.maximumLastPieces, read() { pieces += 1 }
    endLine()
  }

  private func read() -> Bool {
    guard let chunk = try? pipe.receive(upTo: Self.chunkBytes), !chunk.isEmpty else { return false }
    for byte in chunk {
      if byte == UInt8(ascii: "\n") {
        endLine()
      } else {
        line.append(byte)
        if line.count == Self.maximumLineBytes { endLine() }
      }
    }
    return true
  }

  private func endLine() {
    guard !line.isEmpty else { return }
    onLine(String(decoding: line, as: UTF8.self))
    line = []
  }
}
