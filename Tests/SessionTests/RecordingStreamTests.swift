// SPDX-License-Identifier: MIT

import Kiosk
import Motion
import Session
import Testing

@Suite struct RecordingStreamTests {
  @Test func `lines come out whole, however they came in`() throws {
    let text = "{\"t\":0,\"go\":\"one\"}\n{\"t\":1,\"go\":\"two\"}\r\n{\"t\":2,\"go\":\"three\"}"
    for size in [1, 7, 20, 100] {
      var stream = RecordingStream(path: "r")
      var parts: [RecordingStream.Part] = []
      var rest = Array(text.utf8)[...]
      while !stream.isEnded {
        let piece = Array(rest.prefix(size))
        rest = rest.dropFirst(size)
        if let part = try stream.take(piece) { parts.append(part) }
      }
      #expect(parts.map(\.text).joined() == text)
      #expect(
        parts.flatMap(\.steps).map(\.time) == [.zero, Instant(seconds: 1), Instant(seconds: 2)])
      #expect(parts.dropLast().allSatisfy { $0.text.utf8.last == 10 })
    }
  }

  @Test func `a mistake has its line in the whole`() throws {
    var stream = RecordingStream(path: "taps")
    _ = try stream.take(Array("{\"t\":0,\"go\":\"one\"}\n\n{\"t\":1,".utf8))
    #expect { try stream.take(Array("\"og\":\"two\"}\n".utf8)) } throws: {
      "\($0)".hasPrefix("taps:3: error: unknown \"og\"")
    }
  }

  @Test func `a line that does not end is a mistake, not all the memory there is`() throws {
    var stream = RecordingStream(path: "taps")
    _ = try stream.take(Array("{\"t\":0,\"go\":\"one\"}\n".utf8))
    let piece = [UInt8](repeating: 0x20, count: RecordingStream.maximumPieceBytes)
    #expect {
      for _ in 0..<3 { _ = try stream.take(piece) }
    } throws: {
      "\($0)" == "taps:2: error: a line of more than 128 KiB"
    }
  }
}
