// SPDX-License-Identifier: MIT

internal import Declarations
public import Drawing
internal import Expressions
public import Geometry
public import Motion

/// Rows that scroll in a box. A row is chosen by a tap.
///
/// Only the rows that are seen are drawn, and a row is found by its place, so that a list of 100 000 rows
/// costs no more than one of ten.
public struct List: KeyedControl, Hashable {
  /// The content of a row.
  public struct Item: Hashable, Sendable {
    /// Unique in the list; nil for a row that is known by its text alone.
    public var id: String?
    /// On the left, or where the text begins.
    public var label: String
    /// At the other end of the row.
    public var detail: String
    /// Before the label; nil for none.
    public var icon: Icon?
    /// The name of an image before the label, which fills a square; nil for none.
    public var image: String?
    /// The heading above it and its neighbours of the same section; empty for none.
    public var section: String
    /// A disabled row swallows the touch.
    public var isEnabled: Bool
    /// Seconds until a press counts as held; nil for those of the list.
    package var hold: Double?

    /// A row with a label and further content.
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
  /// Width and height of the box, in design pixels.
  public let size: Size
  /// The height of a row, in design pixels.
  public package(set) var rowHeight: Double
  /// From top to bottom.
  public package(set) var items: [Item]
  /// The fill of the box.
  public package(set) var color: ThemeColor
  /// Nil for the theme's, or black or white, by contrast.
  public package(set) var textColor: ThemeColor?
  /// The maximum em size of the labels in design pixels; nil to derive it from the rows.
  public package(set) var fontSize: Double?
  /// Seconds until a press counts as held, where actions follow that.
  package var hold = Press.standardHold
  /// The families that icons are set in if they are signs; empty for the font of the labels.
  public let iconFont: Font

  /// Where rows and headings are.
  private(set) var sections: ListSections
  /// The room before the labels.
  private(set) var lead: Lead
  /// About the width of the widest detail, in ems.
  private(set) var detailWidth: Double
  private(set) var scroll: Scroll
  /// The index of the row that was chosen last.
  private(set) var selection: Int?
  /// The finger on it; others are ignored.
  private var grip: Grip?

  /// The things that any row has before its label; all labels leave room for them and begin at one edge.
  struct Lead: Hashable {
    var hasImages = false
    var hasIcons = false
    /// Whether a row has both an icon and an image.
    var hasBoth = false

    init(_ items: [Item]) {
      // Copies of whole rows would cost most of a change of a long list.
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
    /// The row that is chosen unless the finger moves; nil where it caught the moving list or has moved.
    var row: Int?
  }

  /// The maximum distance of a finger from the list, in design pixels.
  private static let farthest = 16_384.0
  /// Seconds in which a command scrolls to a row.
  private static let turn = 0.3
  /// The maximum number of rows.
  package static let maximumItems = 100_000

  /// A list of `size` around `center`, both in design pixels. Rows are at least 1 pixel high.
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
      // No letter is wider than this for each of its bytes.
      return Double(detail.utf8.count) * 0.7 > widest
        ? max(widest, TextBounds.width(of: detail)) : widest
    }
  }

  private static func scroll(_ sections: ListSections, in size: Size) -> Scroll {
    let height = size.height.within(0...1e9)
    return Scroll(length: sections.height - height, reach: max(height, 1) / 2)
  }

  /// Finds the headings again where rows have changed.
  package mutating func keysChanged(since old: List?, at now: Instant) {
    guard items != old?.items || rowHeight != old?.rowHeight else { return }
    sections = ListSections(items.lazy.map(\.section), rowHeight: rowHeight)
    lead = Lead(items)
    detailWidth = Self.detailWidth(items)
    scroll = Self.scroll(sections, in: size)
    if let old { resume(old, at: now) }
  }

  // MARK: Geometry

  /// The box.
  package var frame: Rect { Rect(center: center, size: size) }

  /// The top of a row, in design pixels.
  func top(of row: Int, at now: Instant) -> Double {
    frame.y0 + sections.top(of: row) - scroll.position(at: now)
  }

  /// The rows that are seen, at least in part or by their heading.
  package func shownRows(at now: Instant) -> Range<Int> {
    let position = scroll.position(at: now)
    return sections.rows(between: position, and: position + size.height)
  }

  /// A heading that is seen.
  struct Heading: Hashable {
    /// The first row below it.
    var row: Int
    var frame: Rect
    /// Whether rows scroll under it.
    var isPinned: Bool
  }

  /// The headings that are seen, from top to bottom. One whose rows scroll out stays at the top of the box
  /// until the last of them takes it along.
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

  /// Whether `point` is in the box.
  public func contains(_ point: Point, at now: Instant) -> Bool { frame.contains(point) }

  /// Whether the rows move, by themselves or with a finger. Under one that may still tap they rest.
  var isScrolling: Bool { scroll.isMoving || grip?.hold.isDragging == true }

  /// Whether a finger is on a row and may still choose it.
  func isHeld(_ row: Int) -> Bool { grip?.row == row && items[row].isEnabled }

  // MARK: Touch

  /// Scrolls, or chooses the row that is tapped. Reports `selected`.
  public mutating func handle(_ touch: Touch, at now: Instant, events: inout [ControlEvent]) {
    guard touch.position.x.isFinite, let point = reach(touch.position) else { return }
    switch touch.phase {
    case .down:
      guard grip == nil, frame.contains(touch.position) else { return }
      let row = scroll.isMoving ? nil : row(at: touch.position, now)
      grip = Grip(hold: ScrollGrip(touch, at: point, on: &scroll, now), row: row)
    case .move:
      guard var grip, grip.hold.finger == touch.finger else { return }
      grip.hold.move(touch, to: point, &scroll, at: now)
      if grip.hold.isDragging { grip.row = nil }
      self.grip = grip
    case .up, .cancel:
      guard let grip, grip.hold.finger == touch.finger else { return }
      self.grip = nil
      grip.hold.release(touch, &scroll, at: now)
      if touch.phase == .up, let row = grip.row { select(row, at: now, events: &events) }
    }
  }

  /// Chooses a row that is enabled, and reports it.
  mutating func select(_ row: Int, at now: Instant, events: inout [ControlEvent]) {
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

  /// The press of a finger that rests on a row.
  public func press(of finger: Int, at now: Instant) -> Press? {
    guard let grip, grip.hold.finger == finger, let row = grip.row, items[row].isEnabled else {
      return nil
    }
    return Press(
      item: items[row].id, targets: target(row), fields: fields(of: row),
      hold: items[row].hold ?? hold, reporting: .choice)
  }

  /// True unless it scrolls along the axis.
  public func yields(_ finger: Int, toSwipeAlong axis: Axis, at now: Instant) -> Bool {
    grip?.hold.finger == finger && (axis == .horizontal || scroll.length == 0)
  }

  /// The point in the list's reach that is nearest to a finger; nil if its place is not a number.
  private func reach(_ point: Point) -> Point? {
    guard point.y.isFinite else { return nil }
    return Point(point.x, min(max(point.y, center.y - Self.farthest), center.y + Self.farthest))
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

  /// Stops immediately. The chosen row stays.
  public mutating func reset(at now: Instant, events: inout [ControlEvent]) {
    letGo(at: now, events: &events)
  }

  // MARK: Time

  /// Advances the motion.
  public mutating func advance(to now: Instant, events: inout [ControlEvent]) {
    scroll.advance(to: now)
  }

  /// When the motion ends or turns back.
  public func nextChange(after now: Instant) -> Instant? { scroll.nextChange }

  /// Whether it scrolls by itself.
  public func isMoving(at now: Instant) -> Bool { scroll.isMoving }

  // MARK: State

  /// The row chosen last, by id, index and label: empty, and -1, until one is chosen. Another one is chosen by
  /// any of them, without an event, and scrolled to.
  package static let interface = Interface<List>(
    properties: [
      Property("item") { list, _ in
        list.selection.flatMap { list.items[$0].id } ?? ""
      } set: { (list, id: String, at, _) throws(Unsuitable) in
        try list.choose(id.isEmpty, "the id of a row", at: at.now) { rows in
          rows.firstIndex { $0.id == id }
        }
      },
      Property("index") { list, _ in
        Double(list.selection ?? -1)
      } set: { (list, number: Double, at, _) throws(Unsuitable) in
        let last = list.items.count - 1
        try list.choose(number == -1, "-1 or 0 … \(last)", at: at.now) { rows in
          Int(exactly: number).flatMap { rows.indices.contains($0) ? $0 : nil }
        }
      },
      Property("label") { list, _ in
        list.selection.map { list.items[$0].label } ?? ""
      } set: { (list, label: String, at, _) throws(Unsuitable) in
        try list.choose(label.isEmpty, "the label of a row", at: at.now) { rows in
          rows.firstIndex { $0.label == label }
        }
      },
    ],
    events: EventType.pressing([.item, .index, .label]))

  /// Chooses no row, or the one that is found, and scrolls to it.
  private mutating func choose(
    _ isNone: Bool, _ expected: String, at now: Instant, _ find: ([Item]) -> Int?
  ) throws(Unsuitable) {
    let found = isNone ? nil : find(items)
    if found == nil, !isNone { throw Unsuitable(expected) }
    selection = found
    if let found { show(found, at: now) }
  }

  /// Scrolls by as little as shows all of a row, and its heading.
  mutating func show(_ row: Int, at now: Instant) {
    let top = sections.top(of: row)
    let position = scroll.position(at: now)
    let heading = items[row].section.isEmpty ? 0 : sections.headingHeight
    let target = min(max(position, top + rowHeight - size.height), top - heading)
    guard target != position else { return }
    grip = nil
    scroll.turn(to: target, duration: Self.turn, at: now)
  }

  /// A chosen or held row stays so if its id, or its label if it has none, still exists.
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
  /// The box.
  public var extent: Rect? { frame }

  /// The middle of a row that is seen, or that of the box.
  public func place(of item: String?, at now: Instant) -> Point? {
    item.map { itemPlace($0, at: now) } ?? center
  }

  /// The number of rows up to which those that are not seen are listed, too.
  private static let maximumListedItems = 1000

  /// The rows, by id or index; of a long list only those that are seen.
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
