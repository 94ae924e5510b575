// SPDX-License-Identifier: MIT

/// The rows of a list, and the headings above those that begin a section: where each is, counted from the
/// top of the first one.
struct ListSections: Hashable, Sendable {
  /// Neighbours of the same section.
  private struct Section: Hashable {
    /// Their first row.
    var start: Int
    /// Whether they have a heading.
    var hasHeading: Bool
    /// The number of headings down to its own.
    var headings: Int
  }

  /// A heading and the rows that it is for.
  struct Heading: Hashable {
    /// The first of its rows.
    var row: Int
    /// Its top.
    var top: Double
    /// The bottom of its last row.
    var end: Double
  }

  private let count: Int
  private let rowHeight: Double
  private let sections: [Section]
  /// The height of a heading.
  let headingHeight: Double

  /// Rows of one height, with the names of their sections; empty names give no heading.
  init(_ names: some Collection<String>, rowHeight: Double) {
    count = names.count
    self.rowHeight = rowHeight
    headingHeight = rowHeight * 0.6
    var sections: [Section] = []
    var last = ""
    for (row, name) in names.enumerated() where name != last {
      last = name
      sections.append(
        Section(
          start: row, hasHeading: !name.isEmpty,
          headings: (sections.last?.headings ?? 0) + (name.isEmpty ? 0 : 1)))
    }
    self.sections = sections
  }

  /// The height of all of it.
  var height: Double {
    rowHeight * Double(count) + headingHeight * Double(sections.last?.headings ?? 0)
  }

  /// The top of a row. O(log n) of the sections.
  func top(of row: Int) -> Double {
    let headings = section(of: row).map { sections[$0].headings } ?? 0
    return rowHeight * Double(row) + headingHeight * Double(headings)
  }

  /// Whether a heading is right above a row.
  func hasHeading(above row: Int) -> Bool {
    guard let section = section(of: row).map({ sections[$0] }) else { return false }
    return section.start == row && section.hasHeading
  }

  /// The rows that are between two heights at least in part, or whose heading is.
  func rows(between top: Double, and bottom: Double) -> Range<Int> {
    let first = Self.first(of: count) { self.top(of: $0) + rowHeight > top }
    let end = Self.first(of: count) { row in
      self.top(of: row) - (hasHeading(above: row) ? headingHeight : 0) >= bottom
    }
    return first..<max(first, end)
  }

  /// The headings of those rows, from top to bottom.
  func headings(of rows: Range<Int>) -> [Heading] {
    guard let first = rows.first, let last = rows.last, let end = section(of: last) else {
      return []
    }
    return ((section(of: first) ?? 0)...end).filter { sections[$0].hasHeading }.map {
      let section = sections[$0]
      let next = $0 + 1 < sections.count ? sections[$0 + 1].start : count
      return Heading(
        row: section.start, top: top(of: section.start) - headingHeight,
        end: top(of: next - 1) + rowHeight)
    }
  }

  /// The last section that begins at a row or before it.
  private func section(of row: Int) -> Int? {
    let after = Self.first(of: sections.count) { sections[$0].start > row }
    return after > 0 ? after - 1 : nil
  }

  /// The first of `count` numbers for which a condition holds that also holds for all after it: a binary search.
  private static func first(of count: Int, where holds: (Int) -> Bool) -> Int {
    var range = 0..<count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = holds(middle) ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    return range.lowerBound
  }
}
