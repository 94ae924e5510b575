// SPDX-License-Identifier: MIT

internal import Glibc
internal import LinuxIO
internal import Motion
internal import SystemPackage

/// Reads a program's standard error line by line, a piece at a time.
///
/// A program that writes more than a piece in an interval waits for the next one, so that a flood
/// costs neither frames nor a core.
final class ErrorMessages {
  private static let pieceBytes = 4 << 10
  /// Seconds between two pieces.
  private static let interval = 0.02
  /// Bytes of a line; a longer one is cut.
  private static let maximumLineBytes = 1 << 10
  /// Pieces that are read at the end: all that a pipe holds.
  private static let maximumLastPieces = 16

  private let loop: EventLoop
  private let onLine: (String) -> Void
  /// The wait for the next piece. It ends before the pipe goes.
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
    token = try loop.watch(pipe.rawValue, patiently: true) { [unowned self] _ in
      guard read() else {
        token = nil
        return
      }
      token = loop.schedule(at: loop.now + Self.interval) { [unowned self] in
        // Without a watch nothing more is read, and the program waits.
        try? watch()
      }
    }
  }

  /// Reads what a program has left that has ended.
  func finish() {
    token = nil
    var pieces = 0
    while pieces < Self.maximumLastPieces, read() { pieces += 1 }
    endLine()
  }

  /// Reads a piece; false where nothing more comes, or nothing is there.
  private func read() -> Bool {
    guard let piece = try? pipe.receive(upTo: Self.pieceBytes), !piece.isEmpty else { return false }
    for byte in piece {
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
