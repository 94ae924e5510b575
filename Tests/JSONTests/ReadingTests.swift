// SPDX-License-Identifier: MIT

import RoundelExpressions
import RoundelJSON
import TestSupport
import Testing

@Suite struct ReadingTests {
  private func read(_ text: String) throws -> JSONValue {
    try JSONValue(parsing: Array(text.utf8))
  }

  @Test(arguments: [
    ("null", JSONValue.null),
    (" true ", .bool(true)),
    ("[1,-0,2.5,-1e3,1E+2,5e-1]", .array([1, 0, 2.5, -1000, 100, 0.5].map { .number($0) })),
    ("\"\\u00e4\\ud83c\\udfb0\\n\\/\\\"\\\\\"", .string("ä🎰\n/\"\\")),
    ("{\"b\":1,\"a\":[]}", .object([.init("b", .number(1)), .init("a", .array([]))])),
    ("{}", .object([])),
    ("\u{feff}[ ]", .array([])),
    ("9007199254740993", .number(9_007_199_254_740_992)),
    ("123456789012345.6", .number(123456789012345.6)),
    ("1e-400", .number(0)),
  ])
  func `valid JSON is parsed`(_ text: String, _ value: JSONValue) throws {
    #expect(try read(text) == value)
  }

  @Test(arguments: [
    "", " ", "nul", "nulll", "truth", "[", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "]", "{", "{\"a\"",
    "{\"a\":", "{\"a\":1", "{\"a\":1,}", "{a:1}", "{1:1}", "{\"a\" 1}", "01", "-", "+1", "1.", ".5",
    "1e", "1e+", "0x10", "1e400", "-1e400", "NaN", "Infinity", "\"", "\"\\", "\"\\x\"", "\"\\u12\"",
    "\"\\u12g4\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"\t\"", "\"\u{1}\"", "1 2",
    "[] []", "'a'", "// c\n1", "\u{feff}",
  ])
  func `invalid JSON is rejected`(_ text: String) {
    #expect(throws: JSONValue.SyntaxError.self) { try read(text) }
  }

  @Test func `invalid UTF-8 is rejected`() {
    for bad: [UInt8] in [
      [0xff], [0xc0, 0x80], [0xe2, 0x28, 0xa1], [0xed, 0xa0, 0x80], [0xf0, 0x9f],
    ] {
      #expect(throws: JSONValue.SyntaxError.self) { try JSONValue(parsing: [0x22] + bad + [0x22]) }
    }
  }

  @Test func `an error is reported with its location`() {
    #expect { try read("[1,2,x]") } throws: { "\($0)".contains("a value is missing at byte 6") }
    #expect { try read("{\"a\":tru") } throws: { "\($0)".contains("unexpected end") }
  }

  @Test func `nesting is limited without a crash`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    _ = try read(nested(512))
    for depth in [513, 1_000_000] {
      #expect { try read(nested(depth)) } throws: { "\($0)".contains("512 levels") }
    }
    #expect(throws: JSONValue.SyntaxError.self) {
      try read(String(repeating: "{\"a\":", count: 1_000_000))
    }
  }

  @Test func `numbers are parsed to the nearest double`() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<20_000 {
      let digits = Int.random(in: 1...20, using: &random)
      var text = String(Int.random(in: 0...9, using: &random))
      if text != "0" {
        for _ in 1..<max(2, digits) { text += String(Int.random(in: 0...9, using: &random)) }
      }
      if Bool.random(using: &random) {
        text += "."
        for _ in 0..<Int.random(in: 1...12, using: &random) {
          text += String(Int.random(in: 0...9, using: &random))
        }
      }
      if Int.random(in: 0..<4, using: &random) == 0 {
        text += "e\(Int.random(in: -30...30, using: &random))"
      }
      #expect(try read(text).number == Double(text), "\(text)")
    }
  }

  @Test func `encoding and parsing gives the same value`() throws {
    var random = SeededGenerator(seed: 11)
    func value(_ depth: Int) -> JSONValue {
      switch Int.random(in: 0...(depth > 0 ? 6 : 4), using: &random) {
      case 0: .null
      case 1: .bool(Bool.random(using: &random))
      case 2: .number(Double(Int.random(in: -1_000_000...1_000_000, using: &random)) / 64)
      case 3: .number(Double.random(in: -1e300...1e300, using: &random))
      case 4: .string(text())
      case 5: .array((0..<Int.random(in: 0...4, using: &random)).map { _ in value(depth - 1) })
      default:
        .object(
          (0..<Int.random(in: 0...4, using: &random)).map { _ in .init(text(), value(depth - 1)) })
      }
    }
    func text() -> String {
      let scalars: [Unicode.Scalar] = ["a", "\"", "\\", "\n", "\u{1}", "é", "🎰", "\u{2028}", "/"]
      var text = ""
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        text.unicodeScalars.append(scalars[Int.random(in: 0..<scalars.count, using: &random)])
      }
      return text
    }
    for _ in 0..<2000 {
      let original = value(4)
      #expect(try read(original.text) == original)
      // Kiosk values have no null.
      if let known = Value(original) {
        #expect(known.jsonBytes == JSONValue(known).text.utf8.count)
        #expect(known.jsonBytes <= known.maximumJSONBytes)
      }
    }
  }

  @Test func `a value takes bounded memory per byte of its JSON`() throws {
    let nest = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
    for part in ["1", "[]", "[1]", "[[[[1]]]]", nest, #"{"":1}"#, #"{"a":{"":[]}}"#, #""text""#] {
      let text = "[" + repeatElement(part, count: 1000).joined(separator: ",") + "]"
      let bytes = try #require(try read(text).memoryBytes())
      #expect(bytes <= JSONValue.maximumMemoryFactor * text.utf8.count, "\(part.prefix(20))")
    }
  }

  @Test func `any bytes are parsed or rejected`() {
    let seeds = [
      "{\"jsonrpc\":\"2.0\",\"method\":\"get\",\"params\":{\"property\":\"a.b\"},\"id\":17}",
      "[1.5e3,\"\\ud83c\\udfb0\",{\"a\":[null,true,false]}]",
    ].map { Array($0.utf8) }
    var random = SeededGenerator(seed: 3)
    var readable = 0
    for round in 0..<30_000 {
      var bytes = seeds[round % seeds.count]
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0...2, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        default: if bytes.count > 1 { bytes.remove(at: place) }
        }
      }
      if (try? JSONValue(parsing: bytes)) != nil { readable += 1 }
    }
    #expect(readable > 100 && readable < 29_000)
  }
}
