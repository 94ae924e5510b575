// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
public import RoundelDrawing
internal import RoundelExpressions
public import RoundelGeometry
public import RoundelMotion

/// Rows that scroll in a box. A tap chooses a row.
///
/// Rows are found by their position, so a list of 100 000 rows is as fast as a list of ten.
public struct List: BoxControl, ScrollingControl, ChoiceControl, Hashable {
  /// A row.
  public struct Item: Hashable, Sendable {
    /// The id, unique in the list, or nil for a row identified by its label.
    public var id: String?
    /// The label at the start of the row.
    public var label: String
    /// The text at the end of the row.
    public var detail: String
    /// The icon before the label, or nil.
    public var icon: Icon?
    /// The name of a square image before the label, or nil.
    public var image: String?
    /// The heading above the row and its neighbours in the same section, or an empty string.
    public var section: String
    /// Whether the row can be chosen. A disabled row swallows touches.
    public var isEnabled: Bool
    /// Seconds until a press is held, or nil to use the list's.
    package var hold: Double?

    /// Creates a row.
    public init(
      id: String? = nil, label: String, detail: String = "", icon: Icon? = nil,
      image: String? = nil, section: String = "", isEnabled: Bool = true
    ) {
      self.id = id
      self.label = label
      self.detail = detail
      self.icon = icon
      self.image = image
      self.section = section
      self.isEnabled = isEnabled
    }
  }

  /// The centre, in design pixels.
  public package(set) var center: Point
  /// Width and height, in design pixels.
  public let size: Size
  /// The height of a row, in design pixels.
  public package(set) var rowHeight: Double
  /// The rows from top to bottom.
  public package(set) var items: [Item]
  /// The fill of the box.
  public package(set) var color: ThemeColor
  /// The colour of the text, or nil for contrast with the box.
  public package(set) var textColor: ThemeColor?
  /// The maximum em size, or nil to derive it from the row height.
  public package(set) var fontSize: Double?
  /// The text of the list without rows.
  public package(set) var emptyText = ""
  package var hold = Press.standardHold
  /// The font families of symbols. If empty, the labels' font.
  public let iconFont: Font

  private(set) var sections: ListSections
  private(set) var lead: Lead
  /// The width in ems.
  private(set) var detailWidth: Double
  var scroll: Scroll
  private(set) var selection: Int?
  /// The finger on the list. Other fingers are ignored.
  private var grip: Grip?
  var scrollGrip: ScrollGrip? { grip?.hold }

  /// Every label leaves space for the content before any label, so that labels are aligned.
  struct Lead: Hashable {
    var hasImages = false
    var hasIcons = false
    var hasBoth = false

    init(_ items: [Item]) {
      // In place, because copying rows would dominate the cost of a change.
      for row in items.indices {
        let (hasImage, hasIcon) = (items[row].image != nil, items[row].icon != nil)
        hasImages = hasImages || hasImage
        hasIcons = hasIcons || hasIcon
        hasBoth = hasBoth || hasImage && hasIcon
        if hasBoth { return }
      }
    }
  }

  private struct Grip: Hashable {
    var hold: ScrollGrip
    /// The row, or nil if the finger moves, or caught the moving list.
    var row: Int?
    /// Whether the finger is between the sides of the list.
    var isOver = true
  }

  /// The duration in seconds.
  private static let turn = 0.3
  package static let maximumItems = 100_000

  /// Creates a list. Rows are at least 1 pixel high.
  public init(
    center: Point, size: Size, rowHeight: Double, items: [Item], color: ThemeColor = .surface,
    textColor: ThemeColor? = nil, fontSize: Double? = nil, iconFont: Font = Font()
  ) {
    self.center = center
    self.size = size
    self.rowHeight = max(rowHeight.isFinite ? rowHeight : 1, 1)
    self.items = items
    self.color = color
    self.textColor = textColor
    self.fontSize = fontSize
    self.iconFont = iconFont
    sections = ListSections(items.lazy.map(\.section), rowHeight: self.rowHeight)
    lead = Lead(items)
    detailWidth = Self.detailWidth(items)
    scroll = Self.scroll(sections, in: size)
  }

  private static func detailWidth(_ items: [Item]) -> Double {
    items.indices.reduce(0) { widest, row in
      let detail = items[row].detail
      // Skips details that can't be wider, because no byte of UTF-8 is wider than 0.7 em.
      return Double(detail.utf8.count) * 0.7 > widest
        ? max(widest, TextBounds.width(of: detail)) : widest
    }
  }

  private static func scroll(_ sections: ListSections, in size: Size) -> Scroll {
    let height = size.height.within(0...1e9)
    return Scroll(length: sections.height - height, reach: max(height, 1) / 2)
  }

  package mutating func keysChanged(since old: List?, at now: Instant) {
    guard items != old?.items || rowHeight != old?.rowHeight else { return }
    sections = ListSections(items.lazy.map(\.section), rowHeight: rowHeight)
    lead = Lead(items)
    detailWidth = Self.detailWidth(items)
    scroll = Self.scroll(sections, in: size)
    if let old { resume(old, at: now) }
  }

  // MARK: Geometry

  func top(of row: Int, at now: Instant) -> Double {
    frame.y0 + sections.top(of: row) - scroll.position(at: now)
  }

  /// The rows that are at least partly visible, or whose heading is.
  package func shownRows(at now: Instant) -> Range<Int> {
    let position = scroll.position(at: now)
    return sections.rows(between: position, and: position + size.height)
  }

  struct Heading: Hashable {
    /// The first row below the heading.
    var row: Int
    var frame: Rect
    /// Whether rows scroll under the heading.
    var isPinned: Bool
  }

  /// A heading stays at the top of the box until the last row of its section pushes it out.
  func shownHeadings(at now: Instant) -> [Heading] {
    let shift = frame.y0 - scroll.position(at: now)
    return sections.headings(of: shownRows(at: now)).map { heading in
      let top = max(
        heading.top + shift, min(frame.y0, heading.end + shift - sections.headingHeight))
      return Heading(
        row: heading.row,
        frame: Rect(x0: frame.x0, y0: top, x1: frame.x1, y1: top + sections.headingHeight),
        isPinned: top > heading.top + shift)
    }
  }

  private func row(at point: Point, _ now: Instant) -> Int? {
    guard frame.contains(point),
      !shownHeadings(at: now).contains(where: { $0.frame.contains(point) })
    else { return nil }
    return shownRows(at: now).first { row in
      let top = top(of: row, at: now)
      return top <= point.y && point.y < top + rowHeight
    }
  }

  /// Whether the rows are scrolling. A finger that may still tap doesn't scroll them.
  var isScrolling: Bool { scroll.isMoving || grip?.hold.isDragging == true }

  func isHeld(_ row: Int) -> Bool {
    grip?.row == row && grip?.isOver == true && items[row].isEnabled
  }

  // MARK: Touch

  /// Scrolls with a finger, or chooses the tapped row and reports `selected`.
  public mutating func handle(_ touch: Touch, at now: Instant, events: inout [ControlEvent]) {
    guard let point = reach(touch.position) else { return }
    switch touch.phase {
    case .down:
      guard grip == nil, frame.contains(touch.position) else { return }
      let row = scroll.isMoving ? nil : row(at: touch.position, now)
      grip = Grip(hold: ScrollGrip(touch, at: point, on: &scroll, now), row: row)
    case .move:
      guard var grip, grip.hold.finger == touch.finger else { return }
      grip.hold.move(touch, to: point, &scroll, at: now)
      if grip.hold.isDragging { grip.row = nil }
      grip.isOver = frame.x0 <= point.x && point.x < frame.x1
      self.grip = grip
    case .up, .cancel:
      guard let grip, grip.hold.finger == touch.finger else { return }
      self.grip = nil
      grip.hold.release(touch, &scroll, at: now)
      if touch.phase == .up, grip.isOver, let row = grip.row {
        select(row, at: now, events: &events)
      }
    }
  }

  /// Presses a row, like a finger. A scrolling list jumps to the end of its motion.
  public mutating func press(
    _ part: Int?, by touch: Touch, at now: Instant, events: inout [ControlEvent]
  ) -> Bool {
    guard let row = part, items.indices.contains(row), items[row].isEnabled, grip == nil,
      let point = reach(touch.position)
    else { return false }
    scroll.finish(at: now)
    grip = Grip(hold: ScrollGrip(touch, at: point, on: &scroll, now), row: row)
    return true
  }

  private mutating func select(_ row: Int, at now: Instant, events: inout [ControlEvent]) {
    guard items[row].isEnabled else { return }
    selection = row
    events.append(event(row, at: now))
  }

  private func event(_ row: Int, at now: Instant) -> ControlEvent {
    ControlEvent(
      "selected", at: now, item: items[row].id, fields: fields(of: row), targets: target(row))
  }

  private func fields(of row: Int) -> [Field] {
    [Field("index", .integer(row)), Field("label", .text(items[row].label))]
  }

  private func target(_ row: Int) -> [String] { [items[row].id ?? "\(row)"] }

  /// The press of a finger on an enabled row.
  public func press(of finger: Int, at now: Instant) -> Press? {
    guard let grip, grip.hold.finger == finger, let row = grip.row, items[row].isEnabled else {
      return nil
    }
    return Press(
      item: items[row].id, targets: target(row), fields: fields(of: row),
      hold: items[row].hold ?? hold, isOn: grip.isOver, reporting: .choice)
  }

  /// Scrolls with the finger.
  public mutating func follow(_ position: (_ finger: Int) -> Point?, at now: Instant) {
    guard let hold = grip?.hold, let point = position(hold.finger).flatMap(reach) else { return }
    hold.shift(&scroll, to: point)
  }

  /// Stops immediately.
  public mutating func letGo(at now: Instant, events: inout [ControlEvent]) {
    grip = nil
    scroll.finish(at: now)
  }

  // MARK: State

  package static let interface = Interface<List>(
    properties: choice, events: EventType.pressing([.item, .index, .label]))

  static let itemName = "row"
  var itemCount: Int { items.count }
  func name(of row: Int) -> (id: String?, label: String) { (items[row].id, items[row].label) }

  mutating func choose(_ row: Int?, at now: Instant) {
    selection = row
    if let row { show(row, at: now) }
  }

  /// Scrolls until a row and its heading are completely visible.
  mutating func show(_ row: Int, at now: Instant) {
    let top = sections.top(of: row)
    let position = scroll.position(at: now)
    let heading = items[row].section.isEmpty ? 0 : sections.headingHeight
    let target = min(max(position, top + rowHeight - size.height), top - heading)
    guard target != position else { return }
    grip = nil
    scroll.turn(to: target, duration: Self.turn, at: now)
  }

  /// Continues `old`. Rows are matched by id, or by label if they have no id.
  public mutating func resume(_ old: any Control, at now: Instant) {
    guard let old = old as? List else { return }
    selection = old.selection.flatMap { successor(of: $0, in: old.items) }
    grip = old.grip
    let held = old.grip?.row.flatMap { successor(of: $0, in: old.items) }
    grip?.row = held
    scroll.resume(old.scroll, at: now)
  }

  private func successor(of row: Int, in old: [Item]) -> Int? {
    let (id, label) = (old[row].id, old[row].label)
    func isSame(_ item: Item) -> Bool {
      id != nil ? item.id == id : item.id == nil && item.label == label
    }
    if items.indices.contains(row), isSame(items[row]) { return row }
    return items.firstIndex(where: isSame)
  }
}

extension List {
  /// The limit for `items` with invisible rows.
  private static let maximumListedItems = 1000

  /// The rows by id or index. For a long list, only the visible rows.
  public func items(at now: Instant) -> [ControlItem] {
    let rows = items.count <= Self.maximumListedItems ? items.indices : shownRows(at: now)
    return rows.map { row in
      let place = Point(center.x, top(of: row, at: now) + rowHeight / 2)
      return ControlItem(
        items[row].id ?? "\(row)", at: self.row(at: place, now) == row ? place : nil,
        isEnabled: items[row].isEnabled)
    }
  }
}
