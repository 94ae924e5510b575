// SPDX-License-Identifier: MIT

internal import Declarations
internal import Expressions
internal import JSON

/// A change of a list that has been set before. Only new rows are read.
struct ListChange {
  /// The source of each row: the index of a former row or, as its complement, the index of a new one.
  let sources: [Int]
  /// All rows, as a file would have them.
  let node: Node

  private let reading: @Sendable ([(index: Int, node: Node)], Reader) -> (any Sendable)?
  private let new: [(index: Int, node: Node)]

  /// The change of the key `name` to a value. Nil if the whole list has to be read: it was not set before, a key of one
  /// of its items was, or the new list is not valid.
  init?(
    of name: String, at site: KeySites.Site, from present: [String: Value], to value: Value,
    in source: FileControl
  ) {
    guard site.map == nil, case .list(let old)? = present[name], case .list(let rows) = value,
      let items = site.declaration.items, let reading = items.read,
      let objects = site.declaration.objects?(), let list = site.node, list.kind == .list,
      list.items.count == old.count, rows.count >= items.minimum,
      rows.count <= items.maximum ?? .max,
      !present.keys.contains(where: { source.isKey($0, ofItemsIn: name) })
    else { return nil }
    let sources = Self.sources(of: rows, among: old)
    guard Self.haveUniqueIDs(rows, sources, among: old) else { return nil }
    self.sources = sources
    self.reading = reading
    var new: [(index: Int, node: Node)] = []
    let former = list.items
    let nodes = sources.enumerated().map { index, place in
      guard place < 0 else { return former[place] }
      let node = source.context.styles.applied(
        to: Node(JSONValue(rows[index]), at: list.mark), objects)
      new.append((index, node))
      return node
    }
    self.new = new
    node = Node(.list(nodes), at: list.mark)
  }

  /// Reads the new rows. Nil after reporting mistakes.
  func read(_ reader: Reader) -> (any Sendable)? { reading(new, reader) }

  /// Finds rows among former rows: before and after all changes, in the same place, and then anywhere. O(n).
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
    // A list that is sorted or shifted has the same rows in other places.
    var places: [Value: Int] = [:]
    for place in start..<(end + shift) { places[old[place]] = place }
    var count = 0
    for index in missing {
      if let place = places[rows[index]] {
        sources[index] = place
      } else {
        sources[index] = ~count
        count += 1
      }
    }
    return sources
  }

  /// Whether no id is there twice. Rows that stay in their places, or keep their ids there, have been compared before.
  private static func haveUniqueIDs(
    _ rows: [Value], _ sources: [Int], among old: [Value]
  ) -> Bool {
    let areSame =
      rows.count == old.count
      && sources.enumerated().allSatisfy { index, place in
        place == index || ids(in: rows[index]) == ids(in: old[index])
      }
    if areSame { return true }
    var seen: Set<String> = []
    return rows.allSatisfy { row in ids(in: row).allSatisfy { seen.insert($0).inserted } }
  }

  /// The ids of a row and of all items in it.
  private static func ids(in row: Value) -> [String] {
    switch row {
    case .record(let fields):
      fields.flatMap { field in
        field.name == "id"
          ? [JSONValue(field.value).string ?? JSONValue(field.value).text]
          : ids(in: field.value)
      }
    case .list(let items): items.flatMap { ids(in: $0) }
    case .text, .number, .flag, .time: []
    }
  }
}
