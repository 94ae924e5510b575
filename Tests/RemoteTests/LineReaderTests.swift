// SPDX-License-Identifier: MIT

import JSONRPC
import TestSupport
import Testing

@Suite struct LineReaderTests {
  private func lines(_ pieces: [String], limit: Int = 100, ended: Bool = false) -> [String] {
    var reader = LineReader(limit: limit)
    var lines: [String] = []
    func take() {
      while reader.hasLine {
        switch reader.next() {
        case .text(let bytes)?: lines.append(String(decoding: bytes, as: UTF8.self))
        case .tooLong?:
          lines.append("too long")
          return
        case nil: lines.append("nothing")
        }
      }
    }
    for piece in pieces {
      reader.append(piece.utf8)
      take()
    }
    if ended {
      reader.end()
      take()
    }
    return lines
  }

  @Test func `lines may span chunks`() {
    #expect(lines(["a\nb", "c\n", "\n", "d"]) == ["a", "bc", ""])
    #expect(lines(["a\r\nb\r", "\n"]) == ["a", "b"])
    #expect(lines(["", "a", "", "\n"]) == ["a"])
  }

  @Test func `the last line needs no terminator once the stream ends`() {
    #expect(lines(["a\nb"], ended: true) == ["a", "b"])
    #expect(lines(["a\n"], ended: true) == ["a"])
  }

  @Test func `a line has at most the maximum number of bytes`() {
    #expect(lines(["abc\n", "abcd\n"], limit: 3) == ["abc", "too long"])
    #expect(lines(["a\nab", "cd"], limit: 3) == ["a", "too long"])
    #expect(lines(["a\nabc"], limit: 3, ended: true) == ["a", "abc"])
  }

  @Test func `any chunking gives the same lines`() {
    var random = SeededGenerator(seed: 1)
    let text = (0..<200).map { String(repeating: "x", count: $0 % 7) }.joined(separator: "\n")
    let expected = lines([text], ended: true)
    #expect(expected.count == 200)
    for _ in 0..<200 {
      var pieces: [String] = []
      var rest = text[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...40, using: &random)
        pieces.append(String(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      #expect(lines(pieces, ended: true) == expected)
    }
  }
}
