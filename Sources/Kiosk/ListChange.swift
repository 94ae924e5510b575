// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelExpressions

/// A change to an earlier list. Only new rows are decoded.
struct ListChange {
  /// The index of each row's former row, or the bitwise complement of a new row's index.
  private let sources: [Int]
  private let rows: [Value]
  private let decodeItems:
    ([Value], [Int], inout DecodingContext) throws(InvalidValueError) -> any Sendable
  private let key: String

  /// Returns nil if the whole list must be decoded: it wasn't set before, a key of an item was set,
  /// or the new list is invalid.
  init?(
    of name: String, at site: Declaration.Site, from present: [String: Value], to value: Value,
    in source: Declaration
  ) {
    guard site.map == nil, case .list(let old)? = present[name], case .list(let rows) = value,
      let items = site.key.items, let decode = items.decode, case .list(let declared)? = site.value,
      declared.count == old.count,
      !present.keys.contains(where: { source.isKey($0, ofItemsIn: name) })
    else { return nil }
    sources = Self.sources(of: rows, among: old)
    guard Self.haveUniqueIDs(rows, sources, among: old) else { return nil }
    self.rows = rows
    decodeItems = decode
    key = site.key.name
  }

  func decode(_ context: inout DecodingContext) throws(InvalidValueError) -> ItemChange {
    do throws(InvalidValueError) {
      let new = rows.indices.filter { sources[$0] < 0 }
      return ItemChange(sources: sources, new: try decodeItems(rows, new, &context))
    } catch {
      throw error.inside(key: key)
    }
  }

  /// Finds the former rows: first the common prefix and suffix, then equal positions, then anywhere. O(n).
  private static func sources(of rows: [Value], among old: [Value]) -> [Int] {
    let shorter = min(rows.count, old.count)
    var start = 0
    while start < shorter, rows[start] == old[start] { start += 1 }
    let shift = old.count - rows.count
    var end = rows.count
    while end > start, end + shift > start, rows[end - 1] == old[end - 1 + shift] { end -= 1 }
    var sources = Array(0..<start)
    sources.reserveCapacity(rows.count)
    var missing: [Int] = []
    for index in start..<end {
      if shift == 0, rows[index] == old[index] {
        sources.append(index)
      } else {
        missing.append(index)
        sources.append(~(missing.count - 1))
      }
    }
    sources += (end..<rows.count).map { $0 + shift }
    guard missing.count > 1 else { return sources }
    // A sorted or shifted list has the same rows at other positions.
    var positions: [Value: Int] = [:]
    for position in start..<(end + shift) { positions[old[position]] = position }
    var count = 0
    for index in missing {
      if let position = positions[rows[index]] {
        sources[index] = position
      } else {
        sources[index] = ~count
        count += 1
      }
    }
    return sources
  }

  /// Whether ids are unique. Rows with an unchanged position or id were checked earlier.
  private static func haveUniqueIDs(_ rows: [Value], _ sources: [Int], among old: [Value]) -> Bool {
    let areSame =
      rows.count == old.count
      && sources.enumerated().allSatisfy { index, position in
        position == index || ids(in: rows[index]) == ids(in: old[index])
      }
    if areSame { return true }
    var seen: Set<String> = []
    return rows.allSatisfy { row in ids(in: row).allSatisfy { seen.insert($0).inserted } }
  }

  /// Includes the ids of nested items.
  private static func ids(in row: Value) -> [String] {
    switch row {
    case .record(let fields):
      fields.flatMap { field in
        field.name == "id" ? [field.value.scalarText] : ids(in: field.value)
      }
    case .list(let items): items.flatMap { ids(in: $0) }
    case .text, .number, .flag, .time: []
    }
  }
}
