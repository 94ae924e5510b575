// SPDX-License-Identifier: MIT

import Glibc
import LinuxIO
import RoundelControls
import RoundelInput
import RoundelMotion
import Testing

@testable import InputDevices

/// Key codes of a US layout, in linux/input-event-codes.h.
private let codes: [Character: UInt16] = [
  "1": 2, "2": 3, "3": 4, "4": 5, "5": 6, "6": 7, "7": 8, "8": 9, "9": 10, "0": 11, "a": 30,
  "b": 48,
  "-": 12, "\n": 28, "\t": 15,
]
private let (control, shift): (UInt16, UInt16) = (29, 42)

@Suite struct ScannerTests {
  private typealias Result = ScannerLines.Result

  private func lines(_ scanners: Scanner...) throws -> ScannerLines {
    ScannerLines(scanners, try #require(Keymap(LayoutNames(layout: "us"))))
  }

  private func key(_ code: UInt16, _ lines: inout ScannerLines) -> Result? {
    let results = [
      lines.handle(type: 1, code: code, value: 1), lines.handle(type: 0, code: 0, value: 0),
      lines.handle(type: 1, code: code, value: 2), lines.handle(type: 1, code: code, value: 0),
    ]
    return results.compactMap(\.self).first
  }

  private func type(_ text: String, _ lines: inout ScannerLines) throws -> [Result] {
    try text.compactMap { key(try #require(codes[$0]), &lines) }
  }

  @Test func `a line is its characters up to Enter`() throws {
    var lines = try lines(Scanner(device: "*"))
    #expect(try type("4006381333931\n", &lines) == [.scanned("4006381333931")])
    // An empty line is the second key of an end.
    #expect(try type("\n12\n\n", &lines) == [.scanned("12")])
  }

  @Test func `Shift types capital letters, and control characters are dropped`() throws {
    var lines = try lines(Scanner(device: "*"))
    _ = lines.handle(type: 1, code: shift, value: 1)
    #expect(try type("a1", &lines) == [])
    _ = lines.handle(type: 1, code: shift, value: 0)
    _ = lines.handle(type: 1, code: control, value: 1)
    #expect(try type("b", &lines) == [])
    _ = lines.handle(type: 1, code: control, value: 0)
    #expect(try type("\tb\n", &lines) == [.scanned("A!b")])
  }

  @Test func `a prefix isn't part of the text, and other lines are dropped`() throws {
    var lines = try lines(
      Scanner(device: "*", prefix: "1-"), Scanner(device: "*", prefix: "2", end: .tab))
    #expect(try type("1-aa\n", &lines) == [.scanned("aa")])
    #expect(try type("2bb\n", &lines) == [.unexpected])
    #expect(try type("2bb\t1-\n", &lines) == [.scanned("bb"), .scanned("")])
  }

  @Test func `a line has at most 4096 characters, and an overlong one is reported once`() throws {
    var lines = try lines(Scanner(device: "*"))
    let longest = String(repeating: "7", count: Scanner.maximumLength)
    #expect(try type(longest + "\n", &lines) == [.scanned(longest)])
    #expect(try type(longest + longest + longest, &lines) == [.overlong])
    #expect(try type("12\n34\n", &lines) == [.scanned("34")])
  }

  @Test func `a line is dropped if the kernel lost a part of it`() throws {
    var lines = try lines(Scanner(device: "*"))
    #expect(try type("12", &lines) == [])
    #expect(lines.handle(type: 0, code: 3, value: 0) == .incomplete)
    #expect(try type("34\n56\n", &lines) == [.scanned("56")])
  }

  @Test(arguments: [
    ("*", "", true), ("Honeywell*", "Honeywell 1470g", true), ("*14?0g", "Honeywell 1470g", true),
    ("honeywell*", "Honeywell", false), ("Honeywell", "Honeywell 1", false),
    ("*a*b*", "xxaxbx", true),
    ("a*b", "aXbXc", false), ("?", "é", true), ("", "x", false), ("[ab]", "a", false),
  ])
  func `a device is named by a pattern`(_ pattern: String, _ name: String, _ matches: Bool) {
    #expect(Scanner(device: pattern).matches(name) == matches)
  }

  @Test func `a pattern of many stars takes no longer than its length times the name's`() {
    let pattern = String(repeating: "*a", count: 2000) + "b"
    #expect(!Scanner(device: pattern).matches(String(repeating: "a", count: 2000)))
  }

  // MARK: Threads

  /// Reads the bytes of a pipe as the lines of a scanner do.
  @Test func `a reader gets everything while the loop is busy, and the end of its device`() throws {
    let loop = try EventLoop()
    var ends: [CInt] = [0, 0]
    // Writes two descriptors.
    #expect(unsafe pipe(&ends) == 0)
    let (source, sink) = (ends[0], ends[1])
    var received: [UInt8] = []
    var isPresent = true
    let reader = try DeviceReader<UInt8>(
      source, on: loop,
      reading: {
        {
          var buffer = [UInt8](repeating: 0, count: 16)
          // Writes at most the buffer's size.
          let count = unsafe Glibc.read(source, &buffer, buffer.count)
          return (Array(buffer.prefix(max(count, 0))), count != 0)
        }
      },
      whenRead: { items, isStill in
        received += items
        isPresent = isStill
      })
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
    // The pipe keeps all bytes. A turn of the loop takes only the bytes that the thread has read.
    #expect(unsafe write(sink, bytes, bytes.count) == bytes.count)
    close(sink)
    let end = MonotonicClock.now + 60
    while isPresent, MonotonicClock.now < end {
      try loop.turn(until: MonotonicClock.now + 0.01)
    }
    #expect(received == bytes && !isPresent)
    withExtendedLifetime(reader) {}
    close(source)
  }
}
