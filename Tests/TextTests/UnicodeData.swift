// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// Unicode's own tests, from Debian's package unicode-data. Bytes are much faster here than
/// characters.
struct UnicodeData {
  typealias Field = ArraySlice<UInt8>

  /// A line's fields and its comment.
  struct Line {
    var fields: Field
    var comment: Field
  }

  let lines: [Line]

  /// - Parameter name: The path in the package's folder.
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
  /// The parts between separators.
  func parts(_ separator: Unicode.Scalar) -> [Self] {
    split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false)
  }

  /// The words between white space.
  var words: [Self] { split { $0 <= UInt8(ascii: " ") } }

  var text: String { String(decoding: self, as: UTF8.self) }

  /// A number without a sign in a base of up to 16, or nil for other text.
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

  /// The numbers of a list, with nil for other words.
  var numbers: [Int?] { words.map { $0.number() } }

  /// The characters listed by their codes.
  var scalars: [Unicode.Scalar] {
    words.compactMap { $0.number(radix: 16).flatMap { Unicode.Scalar(UInt32($0)) } }
  }
}
