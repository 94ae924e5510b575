// SPDX-License-Identifier: MIT

import RoundelJSON
import Kiosk
import RoundelMotion
import RoundelSession
import Testing

@Suite struct RecordingStreamTests {
  @Test func `lines are complete, however they arrive`() throws {
    let text = "{\"t\":0,\"go\":\"one\"}\n{\"t\":1,\"go\":\"two\"}\r\n{\"t\":2,\"go\":\"three\"}"
    for size in [1, 7, 20, 100] {
      var stream = RecordingStream(path: "r")
      var parts: [RecordingStream.Part] = []
      var rest = Array(text.utf8)[...]
      while !stream.isEnded {
        let piece = Array(rest.prefix(size))
        rest = rest.dropFirst(size)
        parts += try stream.take(piece)
      }
      #expect(
        parts.flatMap(\.lines).map { $0["go"]?.string } == ["one", "two", "three"])
      #expect(
        parts.flatMap(\.steps).map(\.time) == [.zero, Instant(seconds: 1), Instant(seconds: 2)])
    }
  }

  @Test func `an error has its line number in the whole recording`() throws {
    var stream = RecordingStream(path: "taps")
    _ = try stream.take(Array("{\"t\":0,\"go\":\"one\"}\n\n{\"t\":1,".utf8))
    #expect { try stream.take(Array("\"og\":\"two\"}\n".utf8)) } throws: {
      "\($0)".hasPrefix("taps:3: error: unknown \"og\"")
    }
  }

  @Test func `an endless line is an error that uses limited memory`() throws {
    var stream = RecordingStream(path: "taps")
    _ = try stream.take(Array("{\"t\":0,\"go\":\"one\"}\n".utf8))
    let piece = [UInt8](repeating: 0x20, count: RecordingStream.maximumChunkBytes)
    #expect {
      for _ in 0..<10 { _ = try stream.take(piece) }
    } throws: {
      "\($0)" == "taps:2: error: a line of more than \(Recording.maximumLineBytes) bytes"
    }
  }

  @Test func `parts fit into messages, however long their lines are`() throws {
    var stream = RecordingStream(path: "r")
    let long = #"{"t":0,"set":{"rows":[""# + String(repeating: "x", count: 1 << 20) + "\"]}}\n"
    let text = Array(
      (String(repeating: "{\"t\":0,\"get\":\"a\"}\n", count: 30_000) + long + long).utf8)
    var parts: [RecordingStream.Part] = []
    for start in stride(from: 0, to: text.count, by: RecordingStream.maximumChunkBytes) {
      parts += try stream.take(Array(text[start...].prefix(RecordingStream.maximumChunkBytes)))
    }
    parts += try stream.take([])
    #expect(parts.flatMap(\.lines).count == 30_002)
    #expect(parts.flatMap(\.steps).count == 30_002)
    let sizes = parts.map { $0.lines.reduce(0) { $0 + $1.text.utf8.count + 1 } }
    #expect(sizes.allSatisfy { $0 <= Recording.maximumLineBytes + 1 })
  }
}
