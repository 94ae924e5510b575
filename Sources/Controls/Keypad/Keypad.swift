// SPDX-License-Identifier: MIT

internal import Declarations
public import Drawing
internal import Expressions
public import Geometry
public import Motion

/// Keys by which a text is typed, below a line that shows it.
///
///     finger down ── held ── up on the key ──► typed
///                      │
///                      └ on the delete key: after 0.5 s a letter goes, and another every 0.1 s
///
/// A key that is still held when another comes down is typed first, so that fast fingers type in the
/// order of their touches.
public struct Keypad: KeyedControl, Hashable {
  /// The outline of the keys.
  public enum Shape: String, CaseIterable, Sendable {
    /// Discs, or pills where a key is wider than high.
    case round
    /// Rectangles that fill their places, with rounded corners.
    case grid
  }

  /// The centre, in design pixels.
  public package(set) var center: Point
  /// Width and height of all keys and the line of text together, in design pixels.
  public let size: Size
  /// The keys.
  public let layout: KeypadLayout
  /// The maximum number of letters; further ones are ignored.
  public package(set) var length: Int
  /// The outline of the keys, which is what fingers can hit, with half of the gap around it.
  public package(set) var shape: Shape
  /// The fill of the keys at rest.
  public package(set) var color: ThemeColor
  /// Nil for black or white, by contrast.
  public package(set) var textColor: ThemeColor?
  /// The maximum em size of the letters in design pixels; nil to derive it from the keys.
  public package(set) var fontSize: Double?

  /// The text that has been typed.
  package private(set) var text: String
  private let initialText: String
  private(set) var shift = Shift.off
  /// The index of the layer that is shown.
  private(set) var layer = 0
  /// By finger.
  private var holds: [Int: Hold] = [:]

  /// Whether letters become capitals.
  enum Shift: Hashable {
    case off, once, locked

    /// The state after a tap on the key.
    var next: Shift {
      switch self {
      case .off: .once
      case .once: .locked
      case .locked: .off
      }
    }
  }

  private struct Hold: Hashable {
    var place: KeyPosition
    var isOver = true
    var start: Instant
    /// The number of letters that the delete key has removed by itself.
    var repeats = 0
    /// Whether the action of the key is done.
    var isDone = false
  }

  /// Where a key is in the layout.
  struct KeyPosition: Hashable {
    var layer: Int
    var row: Int
    var column: Int
  }

  /// Seconds for which the delete key is held before it repeats, and between two letters then.
  private static let repeatDelay = 0.5
  private static let repeatInterval = 0.1
  /// The longest text.
  package static let maximumLength = 1000

  /// A keypad of `size` around `center`, both in design pixels. The layout has at least one key.
  public init(
    center: Point, size: Size, layout: KeypadLayout = .digits, length: Int = 1000,
    shape: Shape = .round, color: ThemeColor = .surface, textColor: ThemeColor? = nil,
    fontSize: Double? = nil, text: String = ""
  ) {
    precondition(layout.hasLetters, "a keypad needs a key")
    self.center = center
    self.size = size
    self.layout = layout
    self.length = min(max(length, 1), Self.maximumLength)
    self.shape = shape
    self.color = color
    self.textColor = textColor
    self.fontSize = fontSize
    initialText = text
    self.text = String(text.prefix(self.length))
  }

  /// Whether the typed text is secret.
  public var isSecret: Bool { layout.isSecret }

  // MARK: Keys

  /// All that it covers.
  package var frame: Rect { Rect(center: center, size: size) }

  private func key(_ place: KeyPosition) -> KeypadLayout.Key {
    layout.layers[place.layer][place.row][place.column]
  }

  /// The present action of a key.
  func action(_ place: KeyPosition) -> KeypadLayout.Action {
    let action = key(place).action
    return shift == .off ? action : action.shifted
  }

  /// All that keys may do.
  var possibleActions: [KeypadLayout.Action] {
    let actions = layout.layers.joined().joined().map(\.action)
    return actions + (actions.contains(.shift) ? actions.map(\.shifted) : [])
  }

  /// Whether a key does something now.
  func isUsable(_ place: KeyPosition) -> Bool {
    switch action(place) {
    case .type: text.count < length
    case .delete, .enter: !text.isEmpty
    case .shift, .symbols: true
    }
  }

  /// The places of the keys of the layer that is shown, row by row.
  var places: [KeyPosition] {
    layout.layers[layer].enumerated().flatMap { row, keys in
      keys.indices.map { KeyPosition(layer: layer, row: row, column: $0) }
    }
  }

  /// The key that a finger at `point` is on.
  private func place(at point: Point) -> KeyPosition? {
    guard frame.contains(point) else { return nil }
    return places.first { reach(of: $0).contains(point) }
  }

  /// Whether `point` is on a key.
  public func contains(_ point: Point, at now: Instant) -> Bool { place(at: point) != nil }

  /// Whether a finger is on a key.
  func isHeld(_ place: KeyPosition) -> Bool {
    holds.values.contains { $0.place == place && $0.isOver && !$0.isDone }
  }

  /// Whether a finger is on any key.
  var isTouched: Bool { holds.values.contains { $0.isOver && !$0.isDone } }

  // MARK: Touch

  /// Types a key when the finger is lifted on it. Reports `typed`, and `entered` of the enter key.
  public mutating func handle(_ touch: Touch, at now: Instant, events: inout [ControlEvent]) {
    switch touch.phase {
    case .down:
      guard let place = place(at: touch.position) else { return }
      for finger in holds.keys.sorted() { finish(finger, at: now, &events) }
      holds[touch.finger] = Hold(place: place, start: now)
    case .move:
      guard var hold = holds[touch.finger] else { return }
      let isOver = hold.place.layer == layer && reach(of: hold.place).contains(touch.position)
      // A finger that comes back begins to wait again, unless the key has repeated.
      if !isOver, hold.repeats > 0 { hold.isDone = true }
      if isOver, !hold.isOver { hold.start = now }
      hold.isOver = isOver
      holds[touch.finger] = hold
    case .up:
      finish(touch.finger, at: now, &events)
      holds[touch.finger] = nil
    case .cancel:
      holds[touch.finger] = nil
    }
  }

  /// Performs the action of a held key, unless it is done already or the finger is elsewhere.
  private mutating func finish(_ finger: Int, at now: Instant, _ events: inout [ControlEvent]) {
    guard let hold = holds[finger], hold.isOver, !hold.isDone else { return }
    holds[finger]?.isDone = true
    if hold.repeats == 0 { press(hold.place, at: now, &events) }
  }

  /// Types a key as a tap does, unless a finger is on one.
  mutating func type(_ place: KeyPosition, at now: Instant, events: inout [ControlEvent]) {
    if !isTouched { press(place, at: now, &events) }
  }

  private mutating func press(_ place: KeyPosition, at now: Instant, _ events: inout [ControlEvent])
  {
    guard place.layer == layer, isUsable(place) else { return }
    switch action(place) {
    case .type(let letters):
      text = String((text + letters).prefix(length))
      if shift == .once { shift = .off }
      events.append(typed(letters, at: now))
    case .delete:
      delete(at: now, &events)
    case .enter:
      let whole = Field("text", .text(text))
      let count = Field("count", .integer(text.count))
      events.append(
        ControlEvent(
          "entered", at: now, fields: isSecret ? [count] : [whole, count],
          secrets: isSecret ? [whole] : []))
      if isSecret { text = "" }
    case .shift: shift = shift.next
    case .symbols:
      layer = (layer + 1) % layout.layers.count
      shift = .off
    }
  }

  private mutating func delete(at now: Instant, _ events: inout [ControlEvent]) {
    guard !text.isEmpty else { return }
    text.removeLast()
    events.append(typed("delete", at: now))
  }

  private func typed(_ key: String, at now: Instant) -> ControlEvent {
    let count = Field("count", .integer(text.count))
    guard !isSecret else { return ControlEvent("typed", at: now, fields: [count]) }
    return ControlEvent(
      "typed", at: now, fields: [Field("key", .text(key)), Field("text", .text(text)), count])
  }

  // MARK: Time

  /// When a held delete key next removes a letter.
  public func nextChange(after now: Instant) -> Instant? {
    guard !text.isEmpty else { return nil }
    return holds.values.compactMap(nextRepeat).min()
  }

  private func nextRepeat(_ hold: Hold) -> Instant? {
    guard hold.isOver, !hold.isDone, hold.place.layer == layer, key(hold.place).action == .delete
    else { return nil }
    return hold.start + (Self.repeatDelay + Self.repeatInterval * Double(hold.repeats))
  }

  /// Removes letters while the delete key is held.
  public mutating func advance(to now: Instant, events: inout [ControlEvent]) {
    while let due = nextChange(after: now), due <= now {
      for finger in holds.keys.sorted() where holds[finger].flatMap(nextRepeat) == due {
        holds[finger]?.repeats += 1
        delete(at: due, &events)
      }
    }
  }

  /// Lets go of all keys, which type nothing.
  public mutating func letGo(at now: Instant, events: inout [ControlEvent]) { holds = [:] }

  /// Lets go of all keys and goes back to small letters. A secret text is forgotten, another one stays.
  public mutating func reset(at now: Instant, events: inout [ControlEvent]) {
    letGo(at: now, events: &events)
    (shift, layer) = (.off, 0)
    if isSecret { text = "" }
  }

  /// Keeps the text unless the keys have another one, and the held keys that are still there.
  public mutating func resume(_ old: any Control, at now: Instant) {
    guard let old = old as? Keypad else { return }
    if layout == old.layout { (shift, layer, holds) = (old.shift, old.layer, old.holds) }
    // A text that was typed in secret is not shown by another layout.
    let goesOn = initialText == old.initialText && isSecret == old.isSecret
    if goesOn, old.text.count <= length {
      text = old.text
    } else {
      change(to: goesOn ? old.text : text)
    }
  }

  /// Cuts the typed text if it has become too long.
  package mutating func keysChanged(since old: Keypad?, at now: Instant) {
    if text.count > length { change(to: text) }
  }

  // MARK: State

  /// The text that has been typed, a secret text as dots. It takes any value as it is displayed, cut where it
  /// is too long; a secret one can only be emptied.
  package static let interface = Interface<Keypad>(
    properties: [
      Property("value") { keypad, _ in
        keypad.isSecret ? String(repeating: "•", count: keypad.text.count) : keypad.text
      } set: { (keypad, value: Value, _, _) throws(Unsuitable) in
        if keypad.isSecret, !value.display.isEmpty {
          throw Unsuitable("an empty text only, as a PIN is typed")
        }
        keypad.change(to: try Label.shown(value))
      }
    ],
    events: [
      EventType(
        "typed", "A key has been typed; a held delete key reports each letter.",
        [.key.secret, .text.secret, .count]),
      EventType(
        "entered", "The enter key has been typed; `text` is the whole text.", [.text, .count]),
    ])

  /// Changes the text from outside. A held key does not affect the new text.
  private mutating func change(to text: String) {
    self.text = String(text.prefix(length))
    for finger in holds.keys { holds[finger]?.isDone = true }
  }
}

// MARK: Geometry

extension Keypad {
  /// The height of the line of text, in rows of keys.
  private static let lineHeight = 0.9
  /// The gap between two keys, as a share of the smaller side of a place.
  private static let gap = 0.12

  /// The room of a key of width 1, with half of the gaps around it.
  package var pitch: Size {
    let room = Size(
      size.width / max(layout.columns, 1),
      size.height / (Double(layout.rowCount) + Self.lineHeight))
    guard shape == .round else { return room }
    // Discs have a limited pitch, even if there is more room.
    let most = min(room.width, room.height) * Self.widest
    return Size(min(room.width, most), min(room.height, most))
  }

  /// The maximum pitch of discs, as a share of the smaller side of a place.
  private static let widest = 1.25

  /// The line that shows the typed text.
  var line: Rect {
    let height = pitch.height * (Double(layout.rowCount) + Self.lineHeight)
    let top = frame.center.y - height / 2
    let half = min(layout.columns * pitch.width, frame.width) / 2
    return Rect(
      x0: frame.center.x - half, y0: top, x1: frame.center.x + half,
      y1: top + pitch.height * Self.lineHeight)
  }

  /// Where a key is painted.
  func outline(of place: KeyPosition) -> RoundedRect {
    outline(of: place, inset: Self.gap * min(pitch.width, pitch.height) / 2)
  }

  /// Where fingers hit it: half of the gap belongs to each of two neighbours.
  func reach(of place: KeyPosition) -> RoundedRect { outline(of: place, inset: 0) }

  private func outline(of place: KeyPosition, inset: Double) -> RoundedRect {
    let row = layout.layers[place.layer][place.row]
    let whole = row.reduce(0) { $0 + $1.width } * pitch.width
    let before = row[..<place.column].reduce(0) { $0 + $1.width } * pitch.width
    let width = row[place.column].width * pitch.width
    let x0 = frame.center.x - whole / 2 + before
    let y0 = line.y1 + pitch.height * Double(place.row)
    var room = Rect(x0: x0, y0: y0, x1: x0 + width, y1: y0 + pitch.height)
    let short = min(pitch.width, pitch.height)
    switch shape {
    case .round:
      // A disc in the middle of its place, a pill where the key is wider than others.
      let side = Size(short + max(width - pitch.width, 0), short)
      room = Rect(center: room.center, size: side).inset(by: inset)
      return RoundedRect(room, radius: short / 2 - inset)
    case .grid:
      return RoundedRect(room.inset(by: inset), radius: max(short * 0.2 - inset, 0))
    }
  }
}

extension Keypad {
  /// The keys and the line of text.
  public var extent: Rect? { frame }

  /// A key of the layer that is shown, or the centre.
  public func place(of item: String?, at now: Instant) -> Point? {
    item.map { itemPlace($0, at: now) } ?? center
  }

  /// The keys that are shown, by the text that they type now, then the others, which have no place: the keys of the
  /// other layer, and the letters that shift leads to. Keys that type nothing have their own names.
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
