// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import Glibc
package import LinuxIO
package import SystemPackage

/// A non-blocking connection to a client: a socket or two pipes.
package struct Channel: ~Copyable, Sendable {
  private let input: OwnedDescriptor
  /// The writing pipe, or nil for a socket.
  private let output: OwnedDescriptor?

  package init(_ socket: consuming OwnedDescriptor) {
    input = socket
    output = nil
  }

  /// Uses pipes to and from a program. Makes this process ignore SIGPIPE.
  package init(
    reading input: consuming OwnedDescriptor, writing output: consuming OwnedDescriptor
  ) throws(Errno) {
    _ = signal(SIGPIPE, SIG_IGN)
    let (reading, writing) = (input.rawValue, output.rawValue)
    try retryingOnInterrupt { fcntl(reading, F_SETFL, O_NONBLOCK) }
    try retryingOnInterrupt { fcntl(writing, F_SETFL, O_NONBLOCK) }
    self.input = input
    self.output = consume output
  }

  /// Receives up to `count` bytes. Returns an empty array at the end of the stream.
  func receive(upTo count: Int) throws(Errno) -> [UInt8] { try input.receive(upTo: count) }

  /// Returns the number of sent bytes, or 0 if the buffer is full.
  func send(_ bytes: ArraySlice<UInt8>) throws(Errno) -> Int {
    guard let pipe = writingPipe else { return try LocalSocket.send(bytes, to: input.rawValue) }
    do throws(Errno) {
      return try retryingOnInterrupt {
        // The slice lives until the call returns.
        unsafe bytes.withUnsafeBytes { unsafe write(pipe, $0.baseAddress, $0.count) }
      }
    } catch .resourceTemporarilyUnavailable {
      return 0
    }
  }

  /// Calls `handler` when the channel is ready. The watch initially waits for readability.
  func watch(
    on loop: EventLoop, _ handler: @escaping (EventLoop.Readiness) -> Void
  ) throws(Errno) -> ChannelWatch {
    let watch = ChannelWatch(reading: input.rawValue, writing: writingPipe, on: loop, handler)
    try watch.wait(for: .readable)
    return watch
  }

  /// The descriptor to watch when `send` returns 0.
  var outputDescriptor: CInt { writingPipe ?? input.rawValue }

  private var writingPipe: CInt? {
    switch output {
    case .some(let pipe): pipe.rawValue
    case .none: nil
    }
  }
}

/// A watch of a channel. It must end before the channel is closed.
final class ChannelWatch {
  private let reading: CInt
  private let writing: CInt?
  private let loop: EventLoop
  private let handler: (EventLoop.Readiness) -> Void
  private var readiness: EventLoop.Readiness = []
  private var input: EventLoop.Token?
  private var output: EventLoop.Token?

  fileprivate init(
    reading: CInt, writing: CInt?, on loop: EventLoop,
    _ handler: @escaping (EventLoop.Readiness) -> Void
  ) {
    self.reading = reading
    self.writing = writing
    self.loop = loop
    self.handler = handler
  }

  /// A socket's end is always reported, a pipe's only while waiting for it, because a program that
  /// closes its output may still read.
  func wait(for readiness: EventLoop.Readiness) throws(Errno) {
    guard readiness != self.readiness else { return }
    if let writing {
      input = try watch(reading, for: readiness.intersection(.readable), instead: input)
      output = try watch(writing, for: readiness.intersection(.writable), instead: output)
    } else if let input {
      try loop.change(input, to: readiness)
    } else {
      input = try loop.watch(reading, for: readiness, handler)
    }
    self.readiness = readiness
  }

  func end() {
    input = nil
    output = nil
  }

  private func watch(
    _ pipe: CInt, for readiness: EventLoop.Readiness, instead token: EventLoop.Token?
  ) throws(Errno) -> EventLoop.Token? {
    guard !readiness.isEmpty else { return nil }
    if let token { return token }
    // The read or write detects the closed end.
    return try loop.watch(pipe, for: readiness) { [handler] _ in handler(readiness) }
  }
}
