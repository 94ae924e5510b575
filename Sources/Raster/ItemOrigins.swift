// SPDX-License-Identifier: MIT

internal import Drawing

/// Where the items of a list come from, each from one of the list before or from none, in the same order.
///
/// Items that are the same in both are found even where a few items come, go or change before them, as when a
/// finger on a row adds a plate and takes two lines away.
struct ItemOrigins {
  /// An item of the list before.
  struct Origin {
    var index: Int
    /// Whether the item is the same, and need not change.
    var isSame: Bool
  }

  /// The origin of each item of the new list; nil for an item that comes from none.
  private var origins: [Origin?] = []

  var indices: Range<Int> { origins.indices }

  subscript(index: Int) -> Origin? { origins[index] }

  /// How many items side by side may come or go. More are found at the end of a list alone.
  private static let maximumShift = 8
  /// The same where it seems that an item has only moved, as all do in most frames of a motion.
  private static let shiftOfMoved = 2

  /// An item of more tiles hardly ever changes completely.
  private static let fewTiles = 16

  /// Compares two lists. O(n) in the number of their tiles.
  mutating func trace(from old: DisplayList, to new: DisplayList) {
    origins.removeAll(keepingCapacity: true)
    origins.reserveCapacity(128)
    let (oldCount, newCount) = (old.spans.count, new.spans.count)
    var tail = 0
    if oldCount != newCount {
      while tail < min(oldCount, newCount),
        old.hasSameItem(oldCount - 1 - tail, as: new, newCount - 1 - tail)
      {
        tail += 1
      }
    }
    trace(from: old, 0..<oldCount - tail, to: new, 0..<newCount - tail)
    for index in 0..<tail {
      origins.append(Origin(index: oldCount - tail + index, isSame: true))
    }
  }

  private mutating func trace(
    from old: DisplayList, _ oldRange: Range<Int>, to new: DisplayList, _ newRange: Range<Int>
  ) {
    let isAsLong = oldRange.count == newRange.count
    var (next, index) = (oldRange.lowerBound, newRange.lowerBound)
    while index < newRange.upperBound, next < oldRange.upperBound {
      if old.hasSameItem(next, as: new, index) {
        origins.append(Origin(index: next, isSame: true))
      } else {
        let reach = isAsLong ? shift(old, next, new, index) : Self.maximumShift
        if let gone = (1..<reach + 1).first(where: {
          next + $0 < oldRange.upperBound && old.hasSameItem(next + $0, as: new, index)
        }) {
          next += gone
          continue
        }
        if let come = (1..<reach + 1).first(where: {
          index + $0 < newRange.upperBound && old.hasSameItem(next, as: new, index + $0)
        }) {
          origins.append(contentsOf: repeatElement(nil, count: come))
          index += come
          continue
        }
        // Where items come and go, those of few tiles get memory from others that fits them better.
        let count = old.spans[next].tiles.count
        let mayChange =
          count == new.spans[index].tiles.count && (isAsLong || count > Self.fewTiles)
        origins.append(mayChange ? Origin(index: next, isSame: false) : nil)
      }
      next += 1
      index += 1
    }
    origins.append(contentsOf: repeatElement(nil, count: newRange.upperBound - index))
  }

  /// How many items may have come or gone before an item that is not the same as one before: none before a text
  /// that is the same one elsewhere, and hardly any before another shape of its kind.
  private func shift(_ old: DisplayList, _ index: Int, _ new: DisplayList, _ newIndex: Int) -> Int {
    let (own, their) = (old.spans[index].tiles, new.spans[newIndex].tiles)
    guard own.count == their.count else { return Self.maximumShift }
    guard !own.isEmpty else { return Self.shiftOfMoved }
    switch (old.tiles[own.lowerBound].shape, new.tiles[their.lowerBound].shape) {
    case (.text(let own), .text(let their)): return own.text == their.text ? 0 : Self.maximumShift
    case (.sector, .sector), (.roundedRect, .roundedRect), (.polygon, .polygon), (.rim, .rim),
      (.modules, .modules):
      return Self.shiftOfMoved
    default: return Self.maximumShift
    }
  }
}
