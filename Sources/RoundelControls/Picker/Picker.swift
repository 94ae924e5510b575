// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
public import RoundelDrawing
public import RoundelExpressions
public import RoundelGeometry
public import RoundelMotion

/// Wheels side by side, each a column of rows. The middle row is selected.
///
/// A wheel's position is unbounded, and a row shows the item at its number modulo the number of
/// items.
public struct Picker: BoxControl, Hashable {
  /// The content of a row.
  public struct Item: Hashable, Sendable {
    /// The label, in up to two lines.
    public var label: String
    /// The colour of the row, or nil for the picker's.
    public var color: ThemeColor?
    /// The value, or nil to use the label.
    public var value: Value?
    /// The image instead of the label, or nil.
    public var image: String?
    /// The fit of the image in the row.
    public var fit = ImageFit.contain
    /// Whether a wheel may rest on the row. Otherwise, it moves to the nearest enabled row.
    public var isEnabled = true

    /// Creates a row.
    public init(label: String, color: ThemeColor? = nil, value: Value? = nil) {
      self.label = label
      self.color = color
      self.value = value
    }
  }

  /// A wheel.
  public struct Column: Hashable, Sendable {
    /// The id, and the prefix of the wheel's properties.
    public var id: String
    /// The items from top to bottom. A wheel without items has one blank row.
    public var items: [Item]
    var shownItems: [Item] { items.isEmpty ? [Item(label: "")] : items }
    /// Whether the first item follows the last. Otherwise, the wheel has stops.
    public var wraps: Bool
    /// The initially selected index.
    public var value: Int

    /// Creates a wheel.
    public init(id: String, items: [Item], wraps: Bool = true, value: Int = 0) {
      self.id = id
      self.items = items
      self.wraps = wraps
      self.value = value
    }
  }

  /// The text in wheels without items.
  public package(set) var emptyText = ""
  /// The centre, in design pixels.
  public package(set) var center: Point
  /// Width and height, in design pixels.
  public let size: Size
  /// The number of visible rows per wheel.
  public package(set) var rows: Int
  /// The opacity of `muteColor`, from 0 to 1.
  public package(set) var mute: Double
  /// The colour over unselected rows. Nil for white, or for the theme's background over theme
  /// colours.
  public package(set) var muteColor: ThemeColor?
  /// The colour of rows without their own colour.
  public package(set) var color: ThemeColor
  /// The colour of the text, or nil for contrast with the row.
  public package(set) var textColor: ThemeColor?
  /// The maximum em size, or nil to derive it from the rows.
  public package(set) var fontSize: Double?
  package var inertia: Wheel.Inertia
  var stepsByTap = false
  /// The wheels in reading order.
  public package(set) var columns: [Column]

  private var isReflected = false
  /// The labels of the widest column, whose font size applies to all columns.
  private(set) var labelPeers: TextPeers
  private(set) var wheels: [Wheel]
  /// Other fingers on the same wheel are ignored.
  private var grips: [Int: Grip] = [:]

  private struct Grip: Hashable {
    var finger: Int
    var start: Point
    var last: Point
    var isTap: Bool
  }

  package static let maximumRows = 99

  /// Creates a picker with at least one wheel and item, and 1 to 99 rows.
  public init(
    center: Point, size: Size, rows: Int = 5, mute: Double = 0.6, muteColor: ThemeColor? = nil,
    color: ThemeColor = .surface, textColor: ThemeColor? = nil, fontSize: Double? = nil,
    inertia: Wheel.Inertia = .normal, columns: [Column]
  ) {
    precondition(!columns.isEmpty, "a picker needs a wheel")
    precondition(rows > 0, "a picker needs a row")
    self.center = center
    self.size = size
    self.rows = min(rows, Self.maximumRows)
    self.mute = min(max(mute, 0), 1)
    self.muteColor = muteColor
    self.color = color
    self.textColor = textColor
    self.fontSize = fontSize
    self.inertia = inertia
    self.columns = columns
    labelPeers = TextPeers()
    wheels = []
    keysChanged(since: nil, at: .zero)
  }

  package mutating func keysChanged(since old: Picker?, at now: Instant) {
    if rows == old?.rows, inertia == old?.inertia, columns == old?.columns { return }
    makeWheels()
    if let old { resume(old, at: now) }
  }

  mutating func makeWheels() {
    labelPeers = TextPeers(
      ofWidest: columns.map { column in
        column.shownItems.compactMap { $0.image == nil ? $0.label : nil }
      })
    wheels = columns.map { column in
      Wheel(
        detents: Detents(count: column.shownItems.count, wraps: column.wraps),
        index: usableRow(from: column.value, in: column),
        inertia: inertia, pitch: rowHeight, reach: Double(rows) / 2)
    }
    grips = [:]
  }

  // MARK: Geometry

  /// The height, at least one design pixel, so that a finger's movement in rows is bounded.
  package var rowHeight: Double { max(size.height / Double(rows), 1) }

  /// The gap in design pixels.
  private var gap: Double {
    columns.count > 1 ? min(size.width / Double(columns.count) / 12, 8) : 0
  }

  private func place(_ wheel: Int) -> Int { isReflected ? columns.count - 1 - wheel : wheel }

  package func window(_ wheel: Int) -> Rect {
    let frame = frame
    let width = (size.width + gap) / Double(columns.count)
    let x0 = frame.x0 + width * Double(place(wheel))
    return Rect(x0: x0, y0: frame.y0, x1: x0 + width - gap, y1: frame.y1)
  }

  /// Half of each gap belongs to each neighbour.
  package func wheel(at point: Point) -> Int? {
    guard frame.contains(point) else { return nil }
    let width = (size.width + gap) / Double(columns.count)
    return place(
      Int(((point.x - frame.x0 + gap / 2) / width).within(0...Double(columns.count - 1))))
  }

  // MARK: Touch

  /// Drags or flings a wheel, or turns it to a tapped row.
  public mutating func handle(_ touch: Touch, at now: Instant, events: inout [ControlEvent]) {
    events += turned(by: touch, at: now).map(event)
  }

  mutating func turned(by touch: Touch, at now: Instant) -> [WheelEvent] {
    guard let point = reach(touch.position) else { return [] }
    let held = grips.first { $0.value.finger == touch.finger }?.key
    switch touch.phase {
    case .down:
      guard held == nil, let wheel = wheel(at: point), grips[wheel] == nil else { return [] }
      grips[wheel] = Grip(
        finger: touch.finger, start: point, last: point, isTap: !wheels[wheel].isMoving)
      wheels[wheel].grab(at: now, reported: touch.time)
      return [WheelEvent(name: "pressed", wheel: wheel, index: wheels[wheel].index, time: now)]
    case .move:
      guard let held, var grip = grips[held] else { return [] }
      let offset = offset(of: grip, to: point)
      grip.last = point
      if point.distance(to: grip.start) > Touch.slop { grip.isTap = false }
      grips[held] = grip
      return update(held) { wheel, changes in
        wheel.drag(by: offset, at: now, reported: touch.time, changes: &changes)
      }
    case .up, .cancel:
      guard let held, let grip = grips.removeValue(forKey: held) else { return [] }
      let isTap = grip.isTap && touch.phase == .up
      var offset = ((grip.last.y - center.y) / rowHeight + 0.5).rounded(.down)
      let reach = stepsByTap ? 1 : Double(rows)
      offset = offset.within(-reach...reach)
      return update(held) { wheel, changes in
        if isTap {
          wheel.send(by: Int(offset), duration: Self.turn, at: now, changes: &changes)
        } else {
          wheel.release(
            at: now, reported: touch.time, isCancelled: touch.phase == .cancel, changes: &changes)
        }
      }
    }
  }

  /// Turns a wheel unless a finger holds it.
  mutating func turned(_ wheel: Int, by offset: Int, at now: Instant) -> [WheelEvent] {
    let (index, isMoving) = (wheels[wheel].index, wheels[wheel].isMoving)
    var turns = false
    let happened = update(wheel) { wheel, changes in
      turns = wheel.step(by: offset, duration: Wheel.stepDuration, at: now, changes: &changes)
    }
    guard turns, !isMoving else { return happened }
    return [WheelEvent(name: "pressed", wheel: wheel, index: index, time: now)] + happened
  }

  /// The movement in rows.
  private func offset(of grip: Grip, to point: Point) -> Double {
    (grip.last.y - point.y) / rowHeight
  }

  /// Turns the held wheels with their fingers.
  public mutating func follow(_ position: (_ finger: Int) -> Point?, at now: Instant) {
    for (wheel, grip) in grips {
      guard let point = position(grip.finger).flatMap(reach) else { continue }
      shift(wheel, by: offset(of: grip, to: point))
    }
  }

  // If this were inlined into the loop, the wheels would be copied even if no finger moved.
  @inline(never)
  private mutating func shift(_ wheel: Int, by offset: Double) { wheels[wheel].shift(by: offset) }

  /// The duration in seconds.
  private static let turn = 0.3

  /// Stops all wheels immediately, each on a row.
  public mutating func letGo(at now: Instant, events: inout [ControlEvent]) {
    events += stopped(at: now).map(event)
  }

  mutating func stopped(at now: Instant) -> [WheelEvent] {
    grips = [:]
    return wheels.indices.flatMap { wheel in
      let stopped = update(wheel) { wheel, changes in wheel.finish(at: now, changes: &changes) }
      // The wheel may have stopped on a disabled row, and moves on from there.
      guard wheels[wheel].isMoving else { return stopped }
      return stopped + update(wheel) { wheel, changes in wheel.finish(at: now, changes: &changes) }
    }
  }

  struct WheelEvent: Hashable {
    var name: String
    var wheel: Int
    /// The selected index after the event.
    var index: Int
    var time: Instant
  }

  private mutating func update(
    _ wheel: Int, _ change: (inout Wheel, inout [Wheel.Change]) -> Void
  ) -> [WheelEvent] {
    var changes: [Wheel.Change] = []
    change(&wheels[wheel], &changes)
    var events: [WheelEvent] = []
    while !changes.isEmpty {
      let before = changes
      changes = []
      for change in before {
        switch change {
        case .passing(let index, let time):
          events.append(WheelEvent(name: "passing", wheel: wheel, index: index, time: time))
        case .settled(let index, let time):
          if let offset = offsetToEnabled(from: index, in: columns[wheel]) {
            wheels[wheel].send(by: offset, duration: Self.turn, at: time, changes: &changes)
          } else {
            events.append(WheelEvent(name: "settled", wheel: wheel, index: index, time: time))
          }
        }
      }
    }
    return events
  }

  /// Returns nil if the row is enabled, or none is.
  private func offsetToEnabled(from index: Int, in column: Column) -> Int? {
    let (items, count) = (column.shownItems, column.shownItems.count)
    guard !items[index].isEnabled else { return nil }
    for distance in 1..<max(count, 2) {
      for offset in [distance, -distance] {
        let next = column.wraps ? ((index + offset) % count + count) % count : index + offset
        if items.indices.contains(next), items[next].isEnabled { return offset }
      }
    }
    return nil
  }

  private func usableRow(from index: Int, in column: Column) -> Int {
    let index = min(max(index, 0), column.shownItems.count - 1)
    guard let offset = offsetToEnabled(from: index, in: column) else { return index }
    let count = column.shownItems.count
    return ((index + offset) % count + count) % count
  }

  func event(_ wheelEvent: WheelEvent) -> ControlEvent {
    let column = columns[wheelEvent.wheel]
    let item = column.shownItems[wheelEvent.index]
    return ControlEvent(
      wheelEvent.name, at: wheelEvent.time,
      fields: [
        Field("wheel", .text(column.id)), Field("index", .integer(wheelEvent.index)),
        Field("label", .text(item.label)), Field("value", item.value ?? .text(item.label)),
      ], targets: ["\(column.id)/\(wheelEvent.index)"])
  }

  // MARK: Time

  /// Reports `passing` and `settled` as wheels slow down, ordered by time.
  public mutating func advance(to now: Instant, events: inout [ControlEvent]) {
    events += turned(until: now).map(event)
  }

  mutating func turned(until now: Instant) -> [WheelEvent] {
    let happened = wheels.indices.flatMap { wheel in
      let happened = update(wheel) { wheel, changes in wheel.advance(to: now, changes: &changes) }
      guard let next = wheels[wheel].nextChange, next <= now else { return happened }
      return happened
        + update(wheel) { wheel, changes in wheel.advance(to: now, changes: &changes) }
    }
    // Wheels turn simultaneously, so their events must be merged.
    return happened.indices
      .sorted { (happened[$0].time, $0) < (happened[$1].time, $1) }.map { happened[$0] }
  }

  /// The time when a wheel next passes a row or comes to rest.
  public func nextChange(after now: Instant) -> Instant? { wheels.compactMap(\.nextChange).min() }

  /// Whether a wheel moves without a finger.
  public func isMoving(at now: Instant) -> Bool { wheels.contains(where: \.isMoving) }

  // MARK: State

  /// A wheel turns to a set index, or to the first row with a set label or value.
  package static let interface = Interface<Picker>(
    parts: Parts(
      ids: { $0.columns.map(\.id) },
      index: { picker, id in picker.columns.firstIndex { $0.id == id } },
      properties: [
        Property("index") { picker, at in
          Double(picker.wheels[at.part].index)
        } set: { (picker, number: Double, at, events) throws(InvalidValueError) in
          let index = try picker.columns[at.part].shownItems.index(number)
          events += picker.turned(at.part, to: index, at: at.now).map(picker.event)
        },
        Property("label") { picker, at in
          picker.selected(at.part).label
        } set: { (picker, label: String, at, events) throws(InvalidValueError) in
          try picker.turn(at, "the label of a row", &events) { $0.label == label }
        },
        // Both the number 7 and the string "7" select a row "7".
        Property("value") { picker, at in
          picker.selected(at.part).value ?? .text(picker.selected(at.part).label)
        } set: { (picker, value: Value, at, events) throws(InvalidValueError) in
          let text = value.display
          try picker.turn(at, "the value of a row", &events) {
            $0.value?.display ?? $0.label == text
          }
        },
      ]),
    events: EventType.turning([.wheel, .index, .label, .value]))

  func selected(_ wheel: Int) -> Item { columns[wheel].shownItems[wheels[wheel].index] }

  private mutating func turn(
    _ at: AccessContext, _ expected: String, _ events: inout [ControlEvent],
    to isMeant: (Item) -> Bool
  ) throws(InvalidValueError) {
    guard let index = columns[at.part].shownItems.firstIndex(where: isMeant) else {
      throw InvalidValueError(expected)
    }
    events += turned(at.part, to: index, at: at.now).map(event)
  }

  mutating func turned(_ wheel: Int, to index: Int, at now: Instant) -> [WheelEvent] {
    grips[wheel] = nil
    return update(wheel) { wheel, changes in
      wheel.turn(to: index, duration: Self.turn, at: now, changes: &changes)
    }
  }

  /// Wheels are matched by id and rows by label. A changed initial row takes precedence.
  public mutating func resume(_ old: any Control, at now: Instant) {
    guard let old = old as? Picker else { return }
    let (ids, oldIDs) = (columns.map(\.id), old.columns.map(\.id))
    resume(
      old, at: now, wheel: { ids.successor(of: $0, in: oldIDs) },
      rows: { $0.shownItems.map(\.label) })
    for (wheel, column) in old.columns.enumerated() {
      guard let place = ids.successor(of: wheel, in: oldIDs) else { continue }
      start(place, insteadOf: column, at: now)
    }
  }

  /// `successor` maps the wheels of `old`, and `rows` returns rows' identities. The wheel at a
  /// removed wheel's index, or the last, continues its motion.
  mutating func resume<Row: Equatable>(
    _ old: Picker, at now: Instant, wheel successor: (Int) -> Int?, rows: (Column) -> [Row]
  ) {
    var orphans: [Int] = []
    for wheel in old.columns.indices {
      guard let place = successor(wheel) else {
        orphans.append(wheel)
        continue
      }
      resume(old, wheel, by: place, rows, at: now)
    }
    for wheel in orphans where old.wheels[wheel].isHeld || old.wheels[wheel].isMoving {
      let place = min(wheel, columns.count - 1)
      guard !wheels[place].isHeld, !wheels[place].isMoving else { continue }
      resume(old, wheel, by: place, rows, at: now)
    }
  }

  private mutating func resume<Row: Equatable>(
    _ old: Picker, _ wheel: Int, by place: Int, _ rows: (Column) -> [Row], at now: Instant
  ) {
    let (new, former) = (rows(columns[place]), rows(old.columns[wheel]))
    wheels[place].resume(old.wheels[wheel], at: now) { new.successor(of: $0, in: former) ?? $0 }
    grips[place] = old.grips[wheel]
  }

  /// Turns a wheel to a changed initial row, unless a finger holds it.
  private mutating func start(_ place: Int, insteadOf former: Column, at now: Instant) {
    let column = columns[place]
    guard column.value != former.value, column.shownItems.indices.contains(column.value),
      former.shownItems.indices.contains(former.value), !wheels[place].isHeld,
      column.shownItems == former.shownItems
        || column.shownItems[column.value].label != former.shownItems[former.value].label
    else { return }
    var wheel = wheels[place]
    var changes: [Wheel.Change] = []
    wheel.turn(to: column.value, duration: Self.turn, at: now, changes: &changes)
    // A wheel that is about to rest there reports that later.
    if changes.isEmpty { wheels[place] = wheel }
  }
}

extension Picker {
  /// Records whether the page is reflected, which puts the first wheel at the right.
  public mutating func notice(places: [Point], on screen: Rect, isReflected: Bool) {
    self.isReflected = isReflected
  }

  /// The wheels, each followed by its rows as `wheel/label`.
  public func items(at now: Instant) -> [ControlItem] {
    columns.indices.flatMap { column in
      let window = window(column)
      let position = wheels[column].position(at: now)
      let count = Double(columns[column].shownItems.count)
      let rows = columns[column].shownItems.enumerated().map { index, item in
        var offset = Double(index) - position
        // If the wheel wraps around, use the copy of the row nearest to the middle.
        if columns[column].wraps { offset -= count * (offset / count).rounded() }
        let place = Point(window.center.x, window.center.y + offset * rowHeight)
        return ControlItem(
          "\(columns[column].id)/\(item.label)", at: window.contains(place) ? place : nil)
      }
      return [ControlItem(columns[column].id, at: window.center)] + rows
    }
  }
}
