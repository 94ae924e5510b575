// SPDX-License-Identifier: MIT

internal import RoundelDrawing

/// Maps the items of a list to items of the previous list, in order.
///
/// Finds identical items after a few added, removed or changed ones: touching a row may add a plate
/// and remove two lines.
struct ItemOrigins {
  struct Origin {
    var index: Int
    var isSame: Bool
  }

  private var origins: [Origin?] = []

  var indices: Range<Int> { origins.indices }

  subscript(index: Int) -> Origin? { origins[index] }

  /// Adjacent items added or removed. More are found only at the end of a list.
  private static let maximumShift = 8
  /// For items that seem to have only moved, as in most frames of an animation.
  private static let shiftOfMoved = 2

  /// An item with more tiles rarely changes completely.
  private static let fewTiles = 16

  /// O(n) in the tiles.
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
        // If items are added and removed, new items with few tiles reuse memory of better fitting
        // items.
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

  /// The shift to try for an item that differs: none for the same text elsewhere, few for a shape
  /// of the same kind.
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
