// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
public import RoundelDrawing
internal import RoundelExpressions
public import RoundelGeometry
public import RoundelMotion

/// Keys for typing, and a line above them that shows the typed text.
///
///     finger down ── held ── up on the key ──► typed
///                      │
///                      └ on the delete key: deletes a character after 0.5 s, then one every 0.1 s
///
/// If another key is touched while one is held, the held key is typed first, so fast typing keeps the order of touches.
public struct Keypad: BoxControl, Hashable {
  /// The shape of the keys.
  public enum Shape: String, CaseIterable, Sendable {
    /// Pills if a key is wider than it is high.
    case round
    case grid
  }

  /// The centre, in design pixels.
  public package(set) var center: Point
  /// Width and height of keys and text line, in design pixels.
  public let size: Size
  /// The layout of the keys.
  public let layout: KeypadLayout
  /// The maximum number of characters.
  public package(set) var length: Int
  /// The shape of the keys. A key's hit area includes half of the gap around it.
  public package(set) var shape: Shape
  /// The fill of the keys at rest.
  public package(set) var color: ThemeColor
  /// The colour of the labels, or nil for contrast with the keys.
  public package(set) var textColor: ThemeColor?
  /// The maximum em size, or nil to derive it from the keys.
  public package(set) var fontSize: Double?

  package private(set) var text: String
  private let initialText: String
  private(set) var shift = Shift.off
  private(set) var layer = 0
  private var holds: [Int: Hold] = [:]

  /// Whether keys type capital letters.
  enum Shift: Hashable {
    case off, once, locked

    var next: Shift {
      switch self {
      case .off: .once
      case .once: .locked
      case .locked: .off
      }
    }
  }

  private struct Hold: Hashable {
    var position: KeyPosition
    var isOver = true
    var start: Instant
    /// The number of deleted characters.
    var repeats = 0
    /// Whether the key's action was performed.
    var isDone = false
  }

  struct KeyPosition: Hashable {
    var layer: Int
    var row: Int
    var column: Int
  }

  /// The delays in seconds.
  private static let repeatDelay = 0.5
  private static let repeatInterval = 0.1
  package static let maximumLength = 1000

  /// Creates a keypad. The layout must have a key that types characters.
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

  private func key(_ position: KeyPosition) -> KeypadLayout.Key {
    layout.layers[position.layer][position.row][position.column]
  }

  func action(_ position: KeyPosition) -> KeypadLayout.Action {
    let action = key(position).action
    return shift == .off ? action : action.shifted
  }

  var possibleActions: [KeypadLayout.Action] {
    let actions = layout.layers.joined().joined().map(\.action)
    return actions + (actions.contains(.shift) ? actions.map(\.shifted) : [])
  }

  func isUsable(_ position: KeyPosition) -> Bool {
    switch action(position) {
    case .type: text.count < length
    case .delete, .enter: !text.isEmpty
    case .shift, .symbols: true
    }
  }

  /// The keys in row-major order.
  var positions: [KeyPosition] {
    layout.layers[layer].enumerated().flatMap { row, keys in
      keys.indices.map { KeyPosition(layer: layer, row: row, column: $0) }
    }
  }

  private func position(at point: Point) -> KeyPosition? {
    guard frame.contains(point) else { return nil }
    return positions.first { reach(of: $0).contains(point) }
  }

  /// Whether `point` is on a key.
  public func contains(_ point: Point, at now: Instant) -> Bool { position(at: point) != nil }

  func isHeld(_ position: KeyPosition) -> Bool {
    holds.values.contains { $0.position == position && $0.isOver && !$0.isDone }
  }

  var isTouched: Bool { holds.values.contains { $0.isOver && !$0.isDone } }

  // MARK: Touch

  /// Types a key when the finger is lifted on it. Reports `typed`, or `entered` for the enter key.
  public mutating func handle(_ touch: Touch, at now: Instant, events: inout [ControlEvent]) {
    switch touch.phase {
    case .down:
      guard let position = position(at: touch.position) else { return }
      press(position, by: touch.finger, at: now, &events)
    case .move:
      guard var hold = holds[touch.finger] else { return }
      let isOver = hold.position.layer == layer && reach(of: hold.position).contains(touch.position)
      // A returning finger waits again for the first repeat, unless the key has already repeated.
      if !isOver, hold.repeats > 0 { hold.isDone = true }
      if isOver, !hold.isOver { hold.start = now }
      hold.isOver = isOver
      holds[touch.finger] = hold
    case .up:
      finish(touch.finger, at: now, &events)
      holds[touch.finger] = nil
    case .cancel: holds[touch.finger] = nil
    }
  }

  private mutating func finish(_ finger: Int, at now: Instant, _ events: inout [ControlEvent]) {
    guard let hold = holds[finger], hold.isOver, !hold.isDone else { return }
    holds[finger]?.isDone = true
    if hold.repeats == 0 { press(hold.position, at: now, &events) }
  }

  private mutating func press(
    _ position: KeyPosition, by finger: Int, at now: Instant, _ events: inout [ControlEvent]
  ) {
    let isTaken = holds.contains {
      $0.key != finger && $0.value.position == position && !$0.value.isDone
    }
    guard !isTaken else { return }
    for other in holds.keys.sorted() { finish(other, at: now, &events) }
    holds[finger] = Hold(position: position, start: now)
  }

  mutating func type(_ position: KeyPosition, at now: Instant, events: inout [ControlEvent]) {
    if !isTouched { press(position, at: now, &events) }
  }

  /// Presses a key, like a finger.
  public mutating func press(
    _ part: Int?, by touch: Touch, at now: Instant, events: inout [ControlEvent]
  ) -> Bool {
    let positions = positions
    guard let part, positions.indices.contains(part) else { return false }
    press(positions[part], by: touch.finger, at: now, &events)
    return true
  }

  private mutating func press(
    _ position: KeyPosition, at now: Instant, _ events: inout [ControlEvent]
  ) {
    guard position.layer == layer, isUsable(position) else { return }
    switch action(position) {
    case .type(let letters):
      append(letters, at: now, &events)
      if shift == .once { shift = .off }
    case .delete: delete(at: now, &events)
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

  mutating func append(_ letters: String, at now: Instant, _ events: inout [ControlEvent]) {
    text = String((text + letters).prefix(length))
    events.append(typed(letters, at: now))
  }

  mutating func delete(at now: Instant, _ events: inout [ControlEvent]) {
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

  /// The time of the next deletion by a held key.
  public func nextChange(after now: Instant) -> Instant? {
    guard !text.isEmpty else { return nil }
    return holds.values.compactMap(nextRepeat).min()
  }

  private func nextRepeat(_ hold: Hold) -> Instant? {
    guard hold.isOver, !hold.isDone, hold.position.layer == layer,
      key(hold.position).action == .delete
    else { return nil }
    return hold.start + (Self.repeatDelay + Self.repeatInterval * Double(hold.repeats))
  }

  /// Removes characters while the delete key is held.
  public mutating func advance(to now: Instant, events: inout [ControlEvent]) {
    while let due = nextChange(after: now), due <= now {
      for finger in holds.keys.sorted() where holds[finger].flatMap(nextRepeat) == due {
        holds[finger]?.repeats += 1
        delete(at: due, &events)
      }
    }
  }

  /// Releases all keys without typing.
  public mutating func letGo(at now: Instant, events: inout [ControlEvent]) { holds = [:] }

  /// Releases all keys, returns to the first layer, and clears secret text.
  public mutating func reset(at now: Instant, events: inout [ControlEvent]) {
    letGo(at: now, events: &events)
    (shift, layer) = (.off, 0)
    if isSecret { text = "" }
  }

  /// Keeps the typed text unless the file's text changed, and the held keys of an unchanged layout.
  public mutating func resume(_ old: any Control, at now: Instant) {
    guard let old = old as? Keypad else { return }
    if layout == old.layout { (shift, layer, holds) = (old.shift, old.layer, old.holds) }
    // Another layout must not reveal secret text.
    let goesOn = initialText == old.initialText && isSecret == old.isSecret
    if goesOn, old.text.count <= length {
      text = old.text
    } else {
      change(to: goesOn ? old.text : text)
    }
  }

  package mutating func keysChanged(since old: Keypad?, at now: Instant) {
    if text.count > length { change(to: text) }
  }

  // MARK: State

  package static let interface = Interface<Keypad>(
    properties: [
      Property("value") { keypad, _ in
        keypad.isSecret ? String(repeating: "•", count: keypad.text.count) : keypad.text
      } set: { (keypad, value: Value, _, _) throws(InvalidValueError) in
        if keypad.isSecret, !value.display.isEmpty {
          throw InvalidValueError("only an empty string, because a PIN is typed")
        }
        keypad.change(to: try Label.shown(value))
      }
    ],
    events: [
      EventType(
        "typed", "A key was typed. A held delete key reports each deleted character.",
        [.key.secret, .text.secret, .count]),
      EventType(
        "entered", "The enter key was typed. `text` is the complete text.", [.text, .count]),
    ])

  /// Ignores the held keys, which don't affect the new text.
  private mutating func change(to text: String) {
    self.text = String(text.prefix(length))
    for finger in holds.keys { holds[finger]?.isDone = true }
  }
}

// MARK: Geometry

extension Keypad {
  /// The height in rows of keys.
  private static let lineHeight = 0.9
  /// A fraction of the pitch's smaller side.
  private static let gap = 0.12

  /// The space for a key of width 1, with half of the gaps around it.
  package var pitch: Size {
    let space = Size(
      size.width / max(layout.columns, 1),
      size.height / (Double(layout.rowCount) + Self.lineHeight))
    guard shape == .round else { return space }
    let most = min(space.width, space.height) * Self.widest
    return Size(min(space.width, most), min(space.height, most))
  }

  /// The maximum pitch of discs, as a fraction of the available space.
  private static let widest = 1.25

  var line: Rect {
    let height = pitch.height * (Double(layout.rowCount) + Self.lineHeight)
    let top = frame.center.y - height / 2
    let half = min(layout.columns * pitch.width, frame.width) / 2
    return Rect(
      x0: frame.center.x - half, y0: top, x1: frame.center.x + half,
      y1: top + pitch.height * Self.lineHeight)
  }

  func outline(of position: KeyPosition) -> RoundedRect {
    outline(of: position, inset: Self.gap * min(pitch.width, pitch.height) / 2)
  }

  /// Half of each gap belongs to each neighbour.
  func reach(of position: KeyPosition) -> RoundedRect { outline(of: position, inset: 0) }

  private func outline(of position: KeyPosition, inset: Double) -> RoundedRect {
    let row = layout.layers[position.layer][position.row]
    let whole = row.reduce(0) { $0 + $1.width } * pitch.width
    let before = row[..<position.column].reduce(0) { $0 + $1.width } * pitch.width
    let width = row[position.column].width * pitch.width
    let x0 = frame.center.x - whole / 2 + before
    let y0 = line.y1 + pitch.height * Double(position.row)
    var space = Rect(x0: x0, y0: y0, x1: x0 + width, y1: y0 + pitch.height)
    let short = min(pitch.width, pitch.height)
    switch shape {
    case .round:
      let side = Size(short + max(width - pitch.width, 0), short)
      space = Rect(center: space.center, size: side).inset(by: inset)
      return RoundedRect(space, radius: short / 2 - inset)
    case .grid:
      return RoundedRect(space.inset(by: inset), radius: max(short * 0.2 - inset, 0))
    }
  }
}

extension Keypad {
  /// The keys of the current layer, then without a position the keys of other layers and of shift.
  public func items(at now: Instant) -> [ControlItem] {
    let shown = positions.map { position in
      ControlItem(
        action(position).name, at: outline(of: position).rect.center, isEnabled: isUsable(position))
    }
    var known = Set(shown.map(\.id))
    return shown
      + possibleActions.map(\.name).filter { known.insert($0).inserted }.map {
        ControlItem($0, at: nil)
      }
  }
}
