// SPDX-License-Identifier: MIT

public import Geometry
public import Motion

/// A part of a control that a finger can aim at: a wedge, a leaf, a label, a row.
public struct ControlItem: Hashable, Sendable {
  /// Unique in the control; nested items are `outer/inner`.
  public var id: String
  /// The place to touch it, in design pixels; nil while it cannot be seen.
  public var place: Point?
  /// Whether a finger on it does something.
  public var isEnabled: Bool

  /// An item at its present place.
  public init(_ id: String, at place: Point?, isEnabled: Bool = true) {
    self.id = id
    self.place = place
    self.isEnabled = isEnabled
  }
}

extension Control {
  /// The place of an item by its id.
  func itemPlace(_ id: String, at now: Instant) -> Point? {
    items(at: now).first { $0.id == id }?.place
  }
}

extension Button {
  /// The centre; a button has no items.
  public func place(of item: String?, at now: Instant) -> Point? { item == nil ? center : nil }
}

extension Label {
  /// The centre; a label has no items.
  public func place(of item: String?, at now: Instant) -> Point? { item == nil ? center : nil }
}

extension Picture {
  /// The centre; an image has no items.
  public func place(of item: String?, at now: Instant) -> Point? { item == nil ? center : nil }
}

extension Pinwheel {
  /// The middle of a wedge, or the hub.
  public func place(of item: String?, at now: Instant) -> Point? {
    item.map { itemPlace($0, at: now) } ?? center
  }

  /// The wedges; the middle of one is half-way between hole and rim.
  public func items(at now: Instant) -> [ControlItem] {
    wedges.indices.map { index in
      let way = sector(index).middle.unit * ((hole + radius) / 2)
      return ControlItem(
        wedges[index].id, at: center + way, isEnabled: wedges[index].isEnabled)
    }
  }
}

extension Menu {
  /// The disc of a leaf in an open ring, or that of the root.
  public func place(of item: String?, at now: Instant) -> Point? {
    item.map { itemPlace($0, at: now) } ?? position(0, at: now)
  }

  /// The leaves; those in closed rings have no place.
  public func items(at now: Instant) -> [ControlItem] {
    nodes.indices.dropFirst().map { node in
      let isReachable = isOpen(nodes[node].parent)
      // Fingers choose a leaf by its direction, even while it moves.
      let place = isOpen(node) ? nodes[node].center : nodes[node].place
      return ControlItem(
        path(node).joined(separator: "/"), at: isReachable ? place : nil,
        isEnabled: nodes[node].item.isEnabled)
    }
  }
}

extension Dial {
  /// A label on the turned face, or the centre.
  public func place(of item: String?, at now: Instant) -> Point? {
    item.map { itemPlace($0, at: now) } ?? center
  }

  /// The labels, where they stand on the face.
  public func items(at now: Instant) -> [ControlItem] {
    // In a theme with another em size labels stand a little farther in or out, in the same directions.
    let distance = max(radius - offset, radius / 2)
    return labels.indices.map { index in
      let direction = pointer + turn(at: now) + step * Double(index)
      return ControlItem(labels[index], at: center + direction.unit * distance)
    }
  }
}

extension Picker {
  /// A wheel, or a visible row of it, or the centre.
  public func place(of item: String?, at now: Instant) -> Point? {
    item.map { itemPlace($0, at: now) } ?? center
  }

  /// The wheels, each followed by its rows as `wheel/label`.
  public func items(at now: Instant) -> [ControlItem] {
    columns.indices.flatMap { column in
      let window = window(column)
      let position = wheels[column].position(at: now)
      let count = Double(columns[column].items.count)
      let rows = columns[column].items.enumerated().map { index, item in
        var way = Double(index) - position
        // On a wheel that wraps, the copy of the row nearest to the middle.
        if columns[column].wraps { way -= count * (way / count).rounded() }
        let place = Point(window.center.x, window.center.y + way * rowHeight)
        return ControlItem(
          "\(columns[column].id)/\(item.label)", at: window.contains(place) ? place : nil)
      }
      return [ControlItem(columns[column].id, at: window.center)] + rows
    }
  }
}

extension Resistor {
  /// As of a picker: bands are wheels `0`, `1` … from the left.
  public func place(of item: String?, at now: Instant) -> Point? {
    item == nil ? center : picker.place(of: item, at: now)
  }

  /// The wheels of the bands, from left to right, and their rows.
  public func items(at now: Instant) -> [ControlItem] { picker.items(at: now) }
}

extension Slots {
  /// The middle row of a reel, or the centre.
  public func place(of item: String?, at now: Instant) -> Point? {
    item.map { itemPlace($0, at: now) } ?? frame.center
  }

  /// The reels.
  public func items(at now: Instant) -> [ControlItem] {
    reels.indices.map { reel in
      let width = frame.width / Double(reels.count)
      let x = frame.x0 + width * (Double(reel) + 0.5)
      return ControlItem(reels[reel].id, at: Point(x, frame.center.y))
    }
  }
}

extension Keypad {
  /// A key of the layer that is shown, or the centre.
  public func place(of item: String?, at now: Instant) -> Point? {
    item.map { itemPlace($0, at: now) } ?? center
  }

  /// The keys that are shown, by what they type now, then the others, which have no place: those of the
  /// other layer, and the letters that shift leads to. Those that type nothing go by their names.
  public func items(at now: Instant) -> [ControlItem] {
    let shown = places.map { place in
      ControlItem(
        action(place).name, at: outline(of: place).rect.center, isEnabled: isUsable(place))
    }
    var known = Set(shown.map(\.id))
    return shown
      + possibleActions.map(\.name).filter { known.insert($0).inserted }.map {
        ControlItem($0, at: nil)
      }
  }
}
