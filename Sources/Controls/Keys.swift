// SPDX-License-Identifier: MIT

internal import Drawing
internal import Geometry
public import Motion

// What keys do on each control. Enter enters those that have parts or turn; then a key turns them or goes
// to another part, and Back leaves them.

extension Button {
  /// True.
  public var takesKeys: Bool { true }

  /// The outline.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? { .rect(outline) }

  /// Enter reports `pressed` and `selected`.
  public mutating func handle(
    _ key: Keystroke, on part: inout Int?, at now: Instant, events: inout [ControlEvent]
  ) -> Bool {
    guard key == .enter else { return false }
    press(at: now, events: &events)
    return true
  }
}

extension Slots {
  /// Whether a touch starts a spin.
  public var takesKeys: Bool { triggers.contains(.touch) }

  /// The window over all reels.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    .rect(RoundedRect(frame.inset(by: -4), radius: 8))
  }

  /// Enter starts a spin, unless one is under way.
  public mutating func handle(
    _ key: Keystroke, on part: inout Int?, at now: Instant, events: inout [ControlEvent]
  ) -> Bool {
    guard key == .enter else { return false }
    perform("spin", at: now, events: &events)
    return true
  }
}

extension Pinwheel {
  /// Whether a wedge can be chosen.
  public var takesKeys: Bool { wedges.contains(where: \.isEnabled) }

  /// A wedge, or the rim.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    guard let part, wedges.indices.contains(part) else {
      return .sector(Sector(center: center, radius: radius))
    }
    return .sector(sector(part))
  }

  /// Goes from wedge to wedge, past disabled ones. Enter reports `pressed` and `selected`.
  public mutating func handle(
    _ key: Keystroke, on part: inout Int?, at now: Instant, events: inout [ControlEvent]
  ) -> Bool {
    guard let wedge = part, wedges.indices.contains(wedge) else {
      guard key == .enter else { return false }
      part = wedges.indices.next(from: selectedWedge ?? 0, by: 1, startingHere: true) {
        wedges[$0].isEnabled
      }
      return true
    }
    switch key {
    case .enter: if wedges[wedge].isEnabled { press(wedge, at: now, events: &events) }
    case .back: part = nil
    case .next, .previous: return false
    case .left, .right, .up, .down:
      part = wedges.indices.next(from: wedge, by: key.way ?? 1) { wedges[$0].isEnabled }
    }
    return true
  }
}

extension Dial {
  /// True.
  public var takesKeys: Bool { true }

  /// The face.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    .sector(Sector(center: center, radius: radius))
  }

  /// Turns by one label: right and up to the next index, left and down to the one before.
  public mutating func handle(
    _ key: Keystroke, on part: inout Int?, at now: Instant, events: inout [ControlEvent]
  ) -> Bool {
    guard let way = key.way(in: &part) else { return false }
    if way != 0 { turn(by: way, at: now, events: &events) }
    return true
  }
}

extension Picker {
  /// True.
  public var takesKeys: Bool { true }

  /// A wheel, or all of them.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    var shown = frame
    if let part, columns.indices.contains(part) { shown = window(part) }
    return .rect(RoundedRect(shown, radius: min(rowHeight * 0.25, 14)))
  }

  /// Turns one wheel after the other by rows; Enter goes to the next one and, from the last, leaves.
  public mutating func handle(
    _ key: Keystroke, on part: inout Int?, at now: Instant, events: inout [ControlEvent]
  ) -> Bool {
    guard let happened = turned(by: key, on: &part, at: now) else { return false }
    events += happened.map(event)
    return true
  }

  /// What the wheels report of a key; nil where it does nothing here.
  mutating func turned(
    by key: Keystroke, on part: inout Int?, at now: Instant
  ) -> [WheelEvent]? {
    guard let wheel = part, columns.indices.contains(wheel) else {
      guard key == .enter else { return nil }
      part = 0
      return []
    }
    switch key {
    case .left, .right, .up, .down: return turned(wheel, by: key.way ?? 1, at: now)
    case .enter: part = wheel + 1 < columns.count ? wheel + 1 : nil
    case .back: part = nil
    case .next where wheel + 1 < columns.count: part = wheel + 1
    case .previous where wheel > 0: part = wheel - 1
    case .next, .previous: return nil
    }
    return []
  }
}

extension Resistor {
  /// True.
  public var takesKeys: Bool { true }

  /// A band's wheel, or resistor and wheels.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    part == nil
      ? .rect(RoundedRect(Rect(center: center, size: size), radius: 14))
      : picker.focusOutline(of: part, at: now)
  }

  /// As on a picker, band by band.
  public mutating func handle(
    _ key: Keystroke, on part: inout Int?, at now: Instant, events: inout [ControlEvent]
  ) -> Bool {
    var isUsed = false
    report(&events) { picker in
      let happened = picker.turned(by: key, on: &part, at: now)
      isUsed = happened != nil
      return happened ?? []
    }
    return isUsed
  }
}

extension Menu {
  /// True.
  public var takesKeys: Bool { true }

  /// A leaf of the innermost open ring, or the root.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    let node = reachableLeaf(part) ?? 0
    return .sector(Sector(center: position(node, at: now), radius: nodes[node].radius))
  }

  /// Enter opens the menu or a leaf's ring, or reports `selected`; a turn goes from leaf to leaf, past
  /// disabled ones; Back returns to the ring around, and closes the first one.
  public mutating func handle(
    _ key: Keystroke, on part: inout Int?, at now: Instant, events: inout [ControlEvent]
  ) -> Bool {
    let leaf = reachableLeaf(part)
    part = leaf
    // A finger uses it.
    guard !isHeld else { return true }
    guard let ring = openRing else {
      guard key == .enter else { return false }
      open(0, at: now, events: &events)
      part = pass(toLeafOf: 0, at: now, events: &events)
      return true
    }
    switch key {
    case .enter:
      guard let leaf else {
        part = pass(toLeafOf: ring, at: now, events: &events)
        break
      }
      guard nodes[leaf].item.isEnabled else { break }
      if nodes[leaf].ring != nil {
        open(leaf, at: now, events: &events)
        part = pass(toLeafOf: leaf, at: now, events: &events)
      } else {
        select(leaf, at: now, events: &events)
        part = nil
      }
    case .back where ring > 0:
      open(nodes[ring].parent, at: now, events: &events)
      part = ring
    case .back, .next, .previous:
      letGo(at: now, events: &events)
      part = nil
      return key == .back
    case .left, .right, .up, .down:
      part = pass(toLeafOf: ring, from: leaf, by: key.way ?? 1, at: now, events: &events)
    }
    return true
  }

  /// The part, if it is a leaf of the innermost open ring.
  private func reachableLeaf(_ part: Int?) -> Int? {
    guard let part, let ring = openRing, nodes[ring].leaves.contains(part) else { return nil }
    return part
  }

  /// The next leaf of a ring that can be chosen, or the first one; reports that it is passed.
  private func pass(
    toLeafOf ring: Int, from leaf: Int? = nil, by way: Int = 1, at now: Instant,
    events: inout [ControlEvent]
  ) -> Int? {
    let leaves = nodes[ring].leaves
    let next = leaves.next(
      from: leaf ?? leaves.lowerBound, by: way, startingHere: leaf == nil
    ) { nodes[$0].item.isEnabled }
    if let next, next != leaf { events.append(event("passing", next, at: now)) }
    return next
  }
}

extension Ring {
  /// Whether fingers can drag it.
  public var takesKeys: Bool { isInteractive && !isSpinning }

  /// The rim.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    .sector(Sector(center: center, radius: radius))
  }

  /// Goes by one step: up with right and up, down with left and down.
  public mutating func handle(
    _ key: Keystroke, on part: inout Int?, at now: Instant, events: inout [ControlEvent]
  ) -> Bool {
    guard let way = key.way(in: &part) else { return false }
    if way != 0 { step(by: way, at: now, events: &events) }
    return true
  }
}

extension Toggle {
  /// True.
  public var takesKeys: Bool { true }

  /// Label and switch.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    .rect(RoundedRect(Rect(center: center, size: size), radius: size.height / 4))
  }

  /// Enter reports `pressed` and `changed`.
  public mutating func handle(
    _ key: Keystroke, on part: inout Int?, at now: Instant, events: inout [ControlEvent]
  ) -> Bool {
    guard key == .enter else { return false }
    press(at: now, events: &events)
    return true
  }
}

extension List {
  /// Whether a row can be chosen.
  public var takesKeys: Bool { items.contains(where: \.isEnabled) }

  /// A row, as far as it is seen, or the box.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    guard let part, items.indices.contains(part) else { return .rect(RoundedRect(frame)) }
    let top = top(of: part, at: now)
    let row = Rect(x0: frame.x0, y0: top, x1: frame.x1, y1: top + rowHeight).intersection(frame)
    return row.isEmpty ? nil : .rect(RoundedRect(row))
  }

  /// Goes from row to row, past disabled ones, and scrolls to each. Enter reports `selected`.
  public mutating func handle(
    _ key: Keystroke, on part: inout Int?, at now: Instant, events: inout [ControlEvent]
  ) -> Bool {
    guard let row = part, items.indices.contains(row) else {
      guard key == .enter else { return false }
      part = items.indices.next(
        from: selection ?? shownRows(at: now).first ?? 0, by: 1, startingHere: true
      ) { items[$0].isEnabled }
      if let part { show(part, at: now) }
      return true
    }
    switch key {
    case .enter: select(row, at: now, events: &events)
    case .back: part = nil
    case .next, .previous: return false
    case .left, .right, .up, .down:
      // A list has two ends.
      let rows = (key.way ?? 1) > 0 ? row + 1..<items.count : 0..<row
      let next =
        (key.way ?? 1) > 0
        ? rows.first { items[$0].isEnabled } : rows.last { items[$0].isEnabled }
      if let next {
        part = next
        show(next, at: now)
      }
    }
    return true
  }
}

extension Keypad {
  /// Whether what is typed is no secret: the mark would show it.
  public var takesKeys: Bool { !isSecret }

  /// A key, or all of them.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    let places = places
    guard let part, places.indices.contains(part) else { return .rect(RoundedRect(frame)) }
    return .rect(outline(of: places[part]))
  }

  /// Goes from key to key. Enter types the key.
  public mutating func handle(
    _ key: Keystroke, on part: inout Int?, at now: Instant, events: inout [ControlEvent]
  ) -> Bool {
    let places = places
    guard let current = part, places.indices.contains(current) else {
      guard key == .enter else { return false }
      part = 0
      return true
    }
    switch key {
    case .enter: type(places[current], at: now, events: &events)
    case .back: part = nil
    case .next, .previous: return false
    case .left, .right: part = places.indices.next(from: current, by: key.way ?? 1) { _ in true }
    case .up, .down: part = place(besides: places[current], by: key.way ?? 1, among: places)
    }
    return true
  }

  /// The key in the row above or below that is nearest; the last row is followed by the first.
  private func place(besides place: Place, by way: Int, among places: [Place]) -> Int? {
    let rows = (places.last?.row ?? 0) + 1
    let row = (place.row + way + rows) % rows
    let middle = outline(of: place).rect.center.x
    return places.indices.filter { places[$0].row == row }.min {
      abs(outline(of: places[$0]).rect.center.x - middle)
        < abs(outline(of: places[$1]).rect.center.x - middle)
    }
  }
}

extension Keystroke {
  /// How many steps something goes that has one part, which Enter enters: up with right and up, down with
  /// left and down, none where it is entered or left; nil where the key does nothing there.
  fileprivate func way(in part: inout Int?) -> Int? {
    guard part != nil else {
      guard self == .enter else { return nil }
      part = 0
      return 0
    }
    switch self {
    case .right, .up: return 1
    case .left, .down: return -1
    case .enter, .back:
      part = nil
      return 0
    case .next, .previous: return nil
    }
  }
}

extension Range<Int> {
  /// The next number that suits, once round at most: the last is followed by the first.
  fileprivate func next(
    from start: Int, by way: Int, startingHere: Bool = false, where suits: (Int) -> Bool
  ) -> Int? {
    guard !isEmpty else { return nil }
    var place = start
    for step in 0...count {
      if step > 0 || startingHere, suits(place) { return place }
      place += way
      if place >= upperBound { place = lowerBound }
      if place < lowerBound { place = upperBound - 1 }
    }
    return nil
  }
}
