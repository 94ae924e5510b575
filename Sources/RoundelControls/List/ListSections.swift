// SPDX-License-Identifier: MIT

struct ListSections: Hashable, Sendable {
  private struct Section: Hashable {
    var start: Int
    var hasHeading: Bool
    /// The number of headings up to and including the section's own.
    var headings: Int
  }

  struct Heading: Hashable {
    /// The first row below the heading.
    var row: Int
    var top: Double
    var end: Double
  }

  private let count: Int
  private let rowHeight: Double
  private let sections: [Section]
  let headingHeight: Double

  /// Empty names have no heading.
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

  var height: Double {
    rowHeight * Double(count) + headingHeight * Double(sections.last?.headings ?? 0)
  }

  /// O(log n) in the sections.
  func top(of row: Int) -> Double {
    let headings = section(of: row).map { sections[$0].headings } ?? 0
    return rowHeight * Double(row) + headingHeight * Double(headings)
  }

  func hasHeading(above row: Int) -> Bool {
    guard let section = section(of: row).map({ sections[$0] }) else { return false }
    return section.start == row && section.hasHeading
  }

  /// Includes rows with only a visible heading.
  func rows(between top: Double, and bottom: Double) -> Range<Int> {
    let first = Self.first(of: count) { self.top(of: $0) + rowHeight > top }
    let end = Self.first(of: count) { row in
      self.top(of: row) - (hasHeading(above: row) ? headingHeight : 0) >= bottom
    }
    return first..<max(first, end)
  }

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

  private func section(of row: Int) -> Int? {
    let after = Self.first(of: sections.count) { sections[$0].start > row }
    return after > 0 ? after - 1 : nil
  }

  /// Finds the first number for a monotonic condition by binary search.
  private static func first(of count: Int, where holds: (Int) -> Bool) -> Int {
    var range = 0..<count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = holds(middle) ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    return range.lowerBound
  }
}
