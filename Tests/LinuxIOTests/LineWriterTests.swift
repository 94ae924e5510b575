// SPDX-License-Identifier: MIT

import Glibc
import LinuxIO
import RoundelMotion
import SystemPackage
import Testing

/// Sets O_NONBLOCK, so that a broken test fails instead of hanging.
private func unblock(_ descriptor: borrowing OwnedDescriptor) {
  _ = fcntl(descriptor.rawValue, F_SETFL, fcntl(descriptor.rawValue, F_GETFL) | O_NONBLOCK)
}

/// The data that can be read now.
private func text(_ descriptor: borrowing OwnedDescriptor, upTo maximum: Int = .max) -> String {
  var bytes: [UInt8] = []
  while bytes.count < maximum,
    let more = try? descriptor.receive(upTo: min(4096, maximum - bytes.count)), !more.isEmpty
  {
    bytes += more
  }
  return String(decoding: bytes, as: UTF8.self)
}

/// Fills `descriptor` except for `bounds` bytes and returns the number of bytes written.
private func fill(_ descriptor: borrowing OwnedDescriptor, butFor bounds: Int = 0) throws -> Int {
  let number = descriptor.rawValue
  let flags = fcntl(number, F_GETFL)
  _ = fcntl(number, F_SETFL, flags | O_NONBLOCK)
  defer { _ = fcntl(number, F_SETFL, flags) }
  let chunk = [UInt8](repeating: UInt8(ascii: "."), count: 4096)
  var count = 0
  while true {
    let written = unsafe write(number, chunk, chunk.count)
    guard written > 0 else { break }
    count += written
  }
  return count
}

private func loss(_ count: Int) -> String { "lost \(count)" }

/// Whether the loop sleeps until its deadline.
private func sleeps(_ loop: EventLoop) throws -> Bool {
  let before = loop.wakeUps
  let deadline = MonotonicClock.now + 0.02
  try loop.turn(until: deadline)
  return loop.wakeUps == before + 1 && MonotonicClock.now >= deadline
}

/// A FIFO in the file system, removed at the end.
private final class NamedPipe {
  let path = "/tmp/roundel-test-\(UInt64.random(in: 0 ... .max))"

  init() { _ = unsafe mkfifo(path, 0o600) }

  deinit { _ = unsafe unlink(path) }

  func reader() throws -> OwnedDescriptor {
    try OwnedDescriptor(opening: path, O_RDONLY | O_NONBLOCK)
  }
}

@Suite struct LineWriterTests {
  private let loop: EventLoop

  init() throws {
    loop = try EventLoop()
  }

  @Test func `a line is written immediately if there is space`() throws {
    let pipe = try Pipe()
    unblock(pipe.output)
    let lines = try LineWriter(to: pipe.input.rawValue, on: loop, lossLine: loss)
    lines.write("one")
    lines.write("two")
    #expect(text(pipe.output) == "one\ntwo\n")
    #expect(try sleeps(loop))
  }

  @Test func `an unread pipe doesn't block or wake the loop, and is written later`() throws {
    let pipe = try Pipe()
    unblock(pipe.output)
    let lines = try LineWriter(to: pipe.input.rawValue, on: loop, lossLine: loss)
    for number in 0..<20_000 { lines.write("line \(number)") }
    #expect(try sleeps(loop))
    var seen = ""
    while !seen.hasSuffix("line 19999\n") {
      seen += text(pipe.output)
      try loop.turn(until: MonotonicClock.now + 1)
    }
    #expect(seen == (0..<20_000).map { "line \($0)\n" }.joined())
    #expect(try sleeps(loop))
  }

  @Test func `a shared descriptor keeps its flags`() throws {
    let pipe = try Pipe()
    let lines = try LineWriter(to: pipe.input.rawValue, on: loop, lossLine: loss)
    lines.write("one")
    #expect(fcntl(pipe.input.rawValue, F_GETFL) & O_NONBLOCK == 0)
  }

  @Test func `a line that exceeds a pipe's free space is written when there is space`() throws {
    let pipe = try Pipe()
    unblock(pipe.output)
    let count = try fill(pipe.input)
    // A pipe with less space than a page isn't reported as writable.
    #expect(text(pipe.output, upTo: 100).count == 100)
    let lines = try LineWriter(to: pipe.input.rawValue, on: loop, lossLine: loss)
    let line = String(repeating: "x", count: 200)
    lines.write(line)
    #expect(try sleeps(loop))
    #expect(text(pipe.output).count == count - 100)
    try loop.turn(until: MonotonicClock.now + 1)
    #expect(text(pipe.output) == line + "\n")
    #expect(try sleeps(loop))
  }

  @Test
  func `lines beyond the backlog are dropped, and their number follows the kept lines`() throws {
    let pipe = try Pipe()
    unblock(pipe.output)
    let count = try fill(pipe.input)
    let lines = try LineWriter(
      to: pipe.input.rawValue, maximumBacklogBytes: 40, on: loop, lossLine: loss)
    for number in 10..<30 { lines.write("line \(number)") }
    #expect(text(pipe.output).count == count)
    try loop.turn(until: MonotonicClock.now + 1)
    #expect(text(pipe.output) == "line 10\nline 11\nline 12\nline 13\nline 14\nlost 15\n")
    lines.write("line 30")
    #expect(text(pipe.output) == "line 30\n")
  }

  @Test func `a line longer than the backlog is dropped and counted`() throws {
    let pipe = try Pipe()
    unblock(pipe.output)
    let lines = try LineWriter(
      to: pipe.input.rawValue, maximumBacklogBytes: 40, on: loop, lossLine: loss)
    lines.write(String(repeating: "x", count: 40))
    lines.write("next")
    #expect(text(pipe.output) == "lost 1\nnext\n")
  }

  @Test func `an unread socket doesn't block`() throws {
    let pair = SocketPair()
    unblock(pair.near)
    let lines = try LineWriter(to: pair.far.rawValue, on: loop, lossLine: loss)
    let line = String(repeating: "x", count: 999)
    for _ in 0..<900 { lines.write(line) }
    #expect(try sleeps(loop))
    var count = 0
    while count < 900_000 {
      count += text(pair.near).utf8.count
      try loop.turn(until: MonotonicClock.now + 1)
    }
    #expect(count == 900_000)
  }

  @Test func `a terminal stopped by Ctrl+S doesn't block, and continues with Ctrl+Q`() throws {
    let screen = try OwnedDescriptor(opening: "/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK)
    var (lock, number) = (CInt(0), CInt(-1))
    // TIOCSPTLCK reads an int, TIOCGPTN writes one.
    try retryingOnInterrupt { unsafe ioctl(screen.rawValue, 0x4004_5431, &lock) }
    try retryingOnInterrupt { unsafe ioctl(screen.rawValue, 0x8004_5430, &number) }
    let name = "/dev/pts/\(number)"
    let terminal = try OwnedDescriptor(opening: name, O_RDWR | O_NOCTTY)
    tcflow(terminal.rawValue, TCOOFF)
    let lines = try LineWriter(to: terminal.rawValue, on: loop, lossLine: loss)
    for number in 0..<1000 { lines.write("line \(number)") }
    #expect(try sleeps(loop))
    tcflow(terminal.rawValue, TCOON)
    var seen = ""
    while !seen.hasSuffix("line 999\r\n") {
      try loop.turn(until: MonotonicClock.now + 1)
      seen += text(screen)
    }
    #expect(seen.hasPrefix("line 0\r\n"))
  }

  @Test func `after an error the next line is retried, and nothing is lost`() throws {
    let pipe = NamedPipe()
    let lines: LineWriter
    do {
      let first = try pipe.reader()
      let input = try OwnedDescriptor(opening: pipe.path, O_WRONLY)
      lines = try LineWriter(to: input.rawValue, on: loop, lossLine: loss)
      lines.write("one")
      #expect(text(first) == "one\n")
    }
    lines.write("two")
    #expect(try sleeps(loop))
    let second = try pipe.reader()
    lines.write("three")
    #expect(text(second) == "two\nthree\n")
  }

  @Test func `a pipe that can't be reopened is written only while it has space`() throws {
    // The kernel refuses to open it without a reader, as if it belonged to another user.
    let pipe = NamedPipe()
    let input: OwnedDescriptor
    do {
      let first = try pipe.reader()
      input = try OwnedDescriptor(opening: pipe.path, O_WRONLY)
      withExtendedLifetime(first.rawValue) {}
    }
    let lines = try LineWriter(to: input.rawValue, on: loop, lossLine: loss)
    let reader = try pipe.reader()
    let count = try fill(input)
    for number in 0..<20_000 { lines.write("line \(number)") }
    #expect(try sleeps(loop))
    var seen = text(reader)
    while !seen.hasSuffix("line 19999\n") {
      try loop.turn(until: MonotonicClock.now + 1)
      seen += text(reader)
    }
    #expect(seen.dropFirst(count) == (0..<20_000).map { "line \($0)\n" }.joined()[...])
  }

  @Test func `a full disk loses lines, but costs neither time nor wake-ups`() throws {
    let full = try OwnedDescriptor(opening: "/dev/full", O_WRONLY)
    let lines = try LineWriter(
      to: full.rawValue, maximumBacklogBytes: 1000, on: loop, lossLine: loss)
    for number in 0..<1000 { lines.write("line \(number)") }
    #expect(try sleeps(loop))
    lines.finish(until: MonotonicClock.now + 1000)
  }

  @Test func `held lines are written on release`() throws {
    let pipe = try Pipe()
    unblock(pipe.output)
    let lines = try LineWriter(to: pipe.input.rawValue, on: loop, lossLine: loss)
    lines.isHeld = true
    lines.write("one")
    #expect(text(pipe.output) == "")
    lines.isHeld = false
    #expect(text(pipe.output) == "one\n")
  }

  @Test func `the end waits for a reader, but not forever`() throws {
    let pipe = try Pipe()
    unblock(pipe.output)
    _ = try fill(pipe.input)
    let lines = try LineWriter(to: pipe.input.rawValue, on: loop, lossLine: loss)
    lines.write("last")
    let deadline = MonotonicClock.now + 0.02
    lines.finish(until: deadline)
    #expect(MonotonicClock.now >= deadline && MonotonicClock.now < deadline + 5)
    #expect(text(pipe.output).hasSuffix("."))
    lines.finish(until: MonotonicClock.now + 1000)
    #expect(text(pipe.output) == "last\n")
  }
}
