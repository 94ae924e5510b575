// SPDX-License-Identifier: MIT

internal import RoundelExpressions

/// The symbols of an icon font by name, such as `lock`.
///
/// The names are the font's ligatures: a program that writes `lock` in the font sees a lock.
package struct IconFont {
  private let symbols: [String: Unicode.Scalar]

  /// Reads an OpenType table `GSUB`. Ligatures without their own character are skipped, and damaged
  /// parts have no names.
  ///
  /// - Parameter scalars: The character of each glyph that has one.
  init(_ table: [UInt8], _ scalars: [UInt32: Unicode.Scalar]) {
    let table = BigEndianBytes(table)
    var symbols: [String: Unicode.Scalar] = [:]
    // The version is followed by the places of the scripts, the features and the lookups.
    let lookups = table[8] ?? 0
    for lookup in table.offsets(at: lookups, count: lookups) {
      guard table[lookup] == Self.ligatures else { continue }
      for part in table.offsets(at: lookup, count: lookup + 4) {
        let coverage = table.coverage(at: part + (table[part + 2] ?? 0))
        for (first, set) in zip(coverage, table.offsets(at: part, count: part + 4)) {
          guard let first = scalars[first] else { continue }
          for ligature in table.offsets(at: set, count: set) {
            guard let glyph = table[ligature], let count = table[ligature + 2],
              let symbol = scalars[UInt32(glyph)], (2...64).contains(count)
            else { continue }
            var name = String.UnicodeScalarView([first])
            for place in 1..<count {
              guard let part = table[ligature + 2 + 2 * place], let letter = scalars[UInt32(part)]
              else { break }
              name.append(letter)
            }
            if name.count == count { symbols[String(name)] = symbol }
          }
        }
      }
    }
    self.symbols = symbols
  }

  /// The type of a lookup that replaces several glyphs by one.
  private static let ligatures = 4

  package subscript(name: String) -> Unicode.Scalar? { symbols[name] }

  package var names: [String] { symbols.keys.sorted() }
}

/// A table of an OpenType font. Places outside of it have no number.
private struct BigEndianBytes {
  private let bytes: [UInt8]
  /// More than an icon font has.
  private static let maximumCount = 20_000

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The number of 16 bits at a place.
  subscript(place: Int) -> Int? {
    guard place >= 0, place + 1 < bytes.count else { return nil }
    return Int(bytes[place]) << 8 | Int(bytes[place + 1])
  }

  /// Returns the places in a list of offsets from `base`, which follows its count.
  func offsets(at base: Int, count place: Int) -> [Int] {
    guard let count = self[place] else { return [] }
    return (0..<min(count, Self.maximumCount)).compactMap { index in
      self[place + 2 + 2 * index].map { base + $0 }
    }
  }

  /// Returns the glyphs of a coverage table.
  func coverage(at place: Int) -> [UInt32] {
    guard let count = self[place + 2] else { return [] }
    switch self[place] {
    case 1:
      return (0..<count).compactMap { index in self[place + 4 + 2 * index].map { UInt32($0) } }
    case 2:
      var glyphs: [UInt32] = []
      for index in 0..<count {
        let range = place + 4 + 6 * index
        guard let first = self[range], let last = self[range + 2], first <= last,
          glyphs.count + last - first < 65_536
        else { break }
        glyphs += (first...last).map { UInt32($0) }
      }
      return glyphs
    default: return []
    }
  }
}
