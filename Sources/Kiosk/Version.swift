// SPDX-License-Identifier: MIT

/// A version of Roundel, which determines the keys of a kiosk file and their meaning.
package struct Version: Comparable, Sendable, CustomStringConvertible {
  /// Three numbers, each less than a million.
  private let parts: [Int]

  /// The first version in CHANGELOG.md.
  package static let current = Version(4, 0, 0)

  private init(_ parts: Int...) { self.parts = parts }

  /// Parses `2`, `2.1` or `2.1.0`. Missing parts are zero.
  package init?(_ text: String) {
    let words = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard 1...3 ~= words.count else { return nil }
    var parts: [Int] = []
    for word in words {
      guard 1...6 ~= word.count, word.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
      else { return nil }
      parts.append(word.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
    }
    self.parts = parts + Array(repeating: 0, count: 3 - parts.count)
  }

  package var description: String { "\(parts[0]).\(parts[1]).\(parts[2])" }

  package static func < (one: Version, other: Version) -> Bool {
    one.parts.lexicographicallyPrecedes(other.parts)
  }
}
