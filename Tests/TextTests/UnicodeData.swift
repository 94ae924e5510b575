// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// Unicode's own tests, as Debian's package unicode-data has them. They are long: bytes are many times
/// faster than letters.
struct UnicodeData {
  typealias Field = ArraySlice<UInt8>

  /// A line without its comment, and the comment.
  struct Line {
    var fields: Field
    var comment: Field
  }

  let lines: [Line]

  /// - Parameter name: the path in the package's folder.
  init(_ name: String) throws {
    let path = "/usr/share/unicode/\(name)"
    let data = try #require(
      FileManager.default.contents(atPath: path),
      "there is no \(path): install unicode-data, as deploy/test does")
    lines = Array(data).split(separator: UInt8(ascii: "\n")).compactMap { line in
      let end = line.firstIndex(of: UInt8(ascii: "#")) ?? line.endIndex
      return end == line.startIndex
        ? nil : Line(fields: line[..<end], comment: line[end...].dropFirst())
    }
  }
}

extension ArraySlice<UInt8> {
  /// Parts between separators.
  func parts(_ separator: Unicode.Scalar) -> [Self] {
    split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false)
  }

  /// Words between white space.
  var words: [Self] { split { $0 <= UInt8(ascii: " ") } }

  var text: String { String(decoding: self, as: UTF8.self) }

  /// A number without a sign, with digits of up to 16; nil for anything else.
  func number(radix: Int = 10) -> Int? {
    var number = 0
    for byte in self {
      // 0 … 9, A … F.
      let digit = Int(byte) - (byte < 65 ? 48 : 55)
      guard (0..<radix).contains(digit) else { return nil }
      number = number * radix + digit
    }
    return isEmpty ? nil : number
  }

  /// The numbers of a list, nil for what is none.
  var numbers: [Int?] { words.map { $0.number() } }

  /// The letters that are listed by their codes.
  var scalars: [Unicode.Scalar] {
    words.compactMap { $0.number(radix: 16).flatMap { Unicode.Scalar(UInt32($0)) } }
  }
}
