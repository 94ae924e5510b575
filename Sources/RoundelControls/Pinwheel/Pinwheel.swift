// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
public import RoundelDrawing
internal import RoundelExpressions
public import RoundelGeometry
public import RoundelMotion

/// A ring of wedges, each a button, that blink when chosen.
public struct Pinwheel: RoundControl, BlinkingControl, ChoiceControl, Hashable {
  /// A wedge.
  public struct Wedge: Hashable, Sendable {
    /// The id, unique among the wedges.
    public var id: String
    /// The label, or an empty string.
    public var label: String
    /// The second, smaller line below the label, or an empty string.
    public var detail = ""
    /// The icon next to or above the label, or nil.
    public var icon: Icon?
    /// The colour, or nil for the palette's colour, or no colour if there is an image.
    public var color: ThemeColor?
    /// Whether the wedge can be chosen. A disabled wedge is grey and swallows touches.
    public var isEnabled: Bool
    /// Whether the wedge is marked as the current choice.
    public var isSelected = false
    /// The image at rest, stretched over the square around the whole wheel.
    public var image: String?
    /// The image while held or lit, instead of `press` and `highlight`.
    public var pressImage: String?

    /// An upright image that fills only the wedge, or nil.
    public var photo: String?
    /// The fit of the photo in the wedge's bounds.
    public var fit = ImageFit.cover
    /// Seconds until a press is held, or nil to use the pinwheel's.
    package var hold: Double?
    /// The hit parts. The default is `alpha` if only the image is painted, otherwise `shape`.
    package var hit: Hit?

    /// Creates a wedge.
    public init(
      id: String, label: String = "", icon: Icon? = nil, color: ThemeColor? = nil,
      isEnabled: Bool = true, image: String? = nil, pressImage: String? = nil
    ) {
      self.id = id
      self.label = label
      self.icon = icon
      self.color = color
      self.isEnabled = isEnabled
      self.image = image
      self.pressImage = pressImage
    }
  }

  /// The gap between two wedges.
  public enum Gap: Hashable, Sendable {
    /// An angle, so that the gap widens towards the rim.
    case degrees(Double)
    /// A width in design pixels, so that the edges are parallel.
    case pixels(Double)
  }

  /// The centre, in design pixels.
  public package(set) var center: Point
  /// The radius of the rim, in design pixels.
  public let radius: Double
  /// The radius of the hole in the centre.
  public var hole: Double { explicitHole ?? radius / 4 }
  /// The default is a quarter of the rim's radius.
  var explicitHole: Double?
  /// The gap between wedges. A single wedge has no gap.
  public package(set) var gap: Gap
  /// The direction of the middle of the first wedge.
  public package(set) var start: Angle
  /// The feedback shown over a held wedge.
  public package(set) var press: Feedback
  /// The feedback shown over a lit wedge.
  public package(set) var highlight: Feedback
  package var hold = Press.standardHold
  /// The blink that confirms a choice.
  public package(set) var blink: Blink.Pattern
  /// The em size of the labels, or nil to derive it from the radius.
  public package(set) var fontSize: Double?
  /// The colour of the labels, or nil for contrast with the wedges.
  public package(set) var textColor: ThemeColor?
  /// The font families of symbols. If empty, the labels' font.
  public let iconFont: Font
  /// The wedges, clockwise from `start`.
  public package(set) var wedges: [Wedge]
  private(set) var hasIconsWithLabels = false
  private(set) var hasDetails = false
  /// The side of the icons, or nil to derive it from the space.
  public package(set) var iconSize: Double?
  /// The orientation of the labels.
  public private(set) var labelStyle = LabelStyle.radial
  /// Derived from the space if nil.
  package var explicitLabelStyle: LabelStyle?
  private(set) var labelLayouts: [LabelLayout] = []
  private(set) var labelPeers = TextPeers()
  private(set) var detailPeers = TextPeers()
  private(set) var icons = IconSetting([], side: 0, font: Font())
  /// The palette's colours, or nil if the wedge has a colour or an image.
  private(set) var colors: [Color?] = []

  private struct Hold: Hashable {
    /// The wedge, or nil if it was removed, so that lifting the finger chooses nothing.
    var wedge: Int?
    var isInside = true
    /// The details of `pressed`, repeated in `cancelled`.
    var item: String
    var fields: [Field]
  }

  private var holds: [Int: Hold] = [:]
  var lights = Lights()
  private(set) var selection: Int?

  /// Creates a pinwheel with at least one wedge.
  public init(
    center: Point, radius: Double, hole: Double? = nil, gap: Gap = .degrees(1),
    start: Angle = .zero, press: Feedback = .automatic, highlight: Feedback = .automatic,
    blink: Blink.Pattern = Blink.Pattern(), fontSize: Double? = nil, textColor: ThemeColor? = nil,
    labels: LabelStyle? = nil, iconFont: Font = Font(), wedges: [Wedge]
  ) {
    precondition(!wedges.isEmpty, "a pinwheel needs a wedge")
    self.center = center
    self.radius = radius
    explicitHole = hole
    self.gap = gap
    self.start = start
    self.press = press
    self.highlight = highlight
    self.blink = blink
    self.fontSize = fontSize
    self.textColor = textColor
    self.iconFont = iconFont
    self.wedges = wedges
    explicitLabelStyle = labels
    keysChanged(since: nil, at: .zero)
  }

  package mutating func keysChanged(since old: Pinwheel?, at now: Instant) {
    let isSame = old.map {
      !wedges.differ(from: $0.wedges) {
        $0.label != $1.label || $0.icon != $1.icon || $0.detail != $1.detail
      }
    }
    let hasOtherWedges = wedges != old?.wedges
    if hasOtherWedges { choosePaletteColors() }
    if isSame != true || explicitHole != old?.explicitHole || gap != old?.gap || start != old?.start
      || explicitLabelStyle != old?.explicitLabelStyle || fontSize != old?.fontSize
      || iconSize != old?.iconSize || center != old?.center
    {
      placeLabels()
    }
    if hasOtherWedges, let old { resume(old, at: now) }
  }

  private mutating func choosePaletteColors() {
    colors = wedges.enumerated().map { index, wedge in
      wedge.color == nil && wedge.image == nil && wedge.photo == nil
        ? .palette(index, of: wedges.count) : nil
    }
  }

  private mutating func placeLabels() {
    hasIconsWithLabels = wedges.contains { $0.icon != nil && !$0.label.isEmpty }
    hasDetails = wedges.contains { !$0.detail.isEmpty }
    // With one to three wedges, radial labels at the top and bottom would be vertical.
    placeLabels(explicitLabelStyle ?? .upright)
    if explicitLabelStyle == nil, wedges.count > 3 { turnLongLabels() }
    labelPeers = TextPeers(
      zip(wedges, labelLayouts).filter { !$0.0.label.isEmpty }
        .map { TextPeers.Text($0.label, bounds: $1.bounds) })
    detailPeers = TextPeers(
      zip(wedges, labelLayouts).compactMap { wedge, layout in
        layout.detail.map { TextPeers.Text(wedge.detail, bounds: $0.bounds) }
      })
  }

  /// Turns level labels along the wedges if more of them fit that way.
  private mutating func turnLongLabels() {
    let level = labelFit
    guard !level.isEnough else { return }
    placeLabels(.radial)
    let radial = labelFit
    // If some words are too long for both styles, the labels stay level.
    if level.atSize > 0, level.atSize >= radial.atSize, level.atMinimum >= radial.atMinimum {
      placeLabels(.upright)
    }
  }

  mutating func placeLabels(_ style: LabelStyle) {
    labelStyle = style
    icons = IconSetting(wedges.compactMap(\.icon), side: iconSide, font: iconFont)
    labelLayouts = wedges.indices.map(labelLayout)
  }

  // MARK: Geometry

  private func edge(_ index: Int) -> Angle {
    start + .fullTurn * ((Double(index) - 0.5) / Double(wedges.count))
  }

  /// A point in a gap belongs to the nearer wedge.
  package func wedge(at point: Point) -> Int? {
    let v = point - center
    let distance = v.length
    guard distance >= hole, distance < radius else { return nil }
    let turn = (Angle(of: v) - edge(0)).normalized
    return min(Int(turn.radians / (2 * .pi) * Double(wedges.count)), wedges.count - 1)
  }

  /// The wedge's shape, without half of the gap on each side.
  package func sector(_ index: Int) -> Sector {
    var sector = Sector(
      center: center, innerRadius: hole, outerRadius: radius, start: edge(index),
      end: edge(index + 1))
    guard wedges.count > 1 else { return sector }
    switch gap {
    case .degrees(let degrees):
      let half = min(Angle.degrees(degrees / 2), sector.sweep * 0.45)
      sector.start = sector.start + half
      sector.end = sector.end - half
    case .pixels(let width): sector.inset = width / 2
    }
    return sector
  }

  /// Whether `point` is on a wedge or in a gap.
  public func contains(_ point: Point, at now: Instant) -> Bool { wedge(at: point) != nil }

  // MARK: Touch

  /// Whether the wedge's image is transparent at `point`, so that touches pass through.
  public func isTransparent(_ point: Point, at now: Instant, _ masks: [String: ImageMask]) -> Bool {
    guard let index = wedge(at: point), let art = art(of: index, hasFeedback: false) else {
      return false
    }
    let wedge = wedges[index]
    return Hit.isThrough(
      point, wedge.hit, image: art.image, frame: art.frame, fit: art.fit,
      isAlone: wedge.color?.isClear != false && wedge.label.isEmpty && wedge.detail.isEmpty
        && wedge.icon == nil, masks)
  }

  /// Whether the wedge at `point` is enabled.
  public func answers(_ point: Point, at now: Instant) -> Bool {
    wedge(at: point).map { wedges[$0].isEnabled } ?? false
  }

  /// Reports `pressed`, then `selected` if the finger is lifted on its wedge, otherwise `cancelled`.
  public mutating func handle(_ touch: Touch, at now: Instant, events: inout [ControlEvent]) {
    switch touch.phase {
    case .down:
      cancel(touch.finger, at: now, events: &events)
      guard let wedge = wedge(at: touch.position), wedges[wedge].isEnabled else { return }
      press(wedge, by: touch.finger, at: now, events: &events)
    case .move:
      guard var hold = holds[touch.finger] else { return }
      hold.isInside = wedge(at: touch.position) == hold.wedge
      holds[touch.finger] = hold
    case .up:
      guard let hold = holds[touch.finger], let wedge = hold.wedge, isOn(hold) else { fallthrough }
      holds[touch.finger] = nil
      select(wedge, at: now, events: &events)
    case .cancel: cancel(touch.finger, at: now, events: &events)
    }
  }

  private func isOn(_ hold: Hold) -> Bool {
    hold.isInside && hold.wedge.map { wedges[$0].isEnabled } == true
  }

  private mutating func cancel(_ finger: Int, at now: Instant, events: inout [ControlEvent]) {
    guard let hold = holds.removeValue(forKey: finger) else { return }
    events.append(ControlEvent("cancelled", at: now, item: hold.item, fields: hold.fields))
  }

  /// The press of a finger on a wedge.
  public func press(of finger: Int, at now: Instant) -> Press? {
    holds[finger].map { hold in
      Press(
        item: hold.item, fields: hold.fields,
        hold: hold.wedge.flatMap { wedges[$0].hold } ?? self.hold, isOn: isOn(hold))
    }
  }

  private mutating func press(
    _ wedge: Int, by finger: Int, at now: Instant, events: inout [ControlEvent]
  ) {
    guard !holds.values.contains(where: { $0.wedge == wedge }) else { return }
    holds[finger] = Hold(wedge: wedge, item: wedges[wedge].id, fields: fields(of: wedge))
    events.append(event("pressed", wedge, at: now))
  }

  /// Presses a wedge, like a finger.
  public mutating func press(
    _ part: Int?, by touch: Touch, at now: Instant, events: inout [ControlEvent]
  ) -> Bool {
    guard let wedge = part, wedges.indices.contains(wedge), wedges[wedge].isEnabled else {
      return false
    }
    press(wedge, by: touch.finger, at: now, events: &events)
    return true
  }

  private mutating func select(_ wedge: Int, at now: Instant, events: inout [ControlEvent]) {
    selection = wedge
    light(wedge, at: now, events: &events)
  }

  func event(_ name: String, _ wedge: Int, at now: Instant) -> ControlEvent {
    ControlEvent(name, at: now, item: wedges[wedge].id, fields: fields(of: wedge))
  }

  private func fields(of wedge: Int) -> [Field] {
    [Field("index", .integer(wedge)), Field("label", .text(wedges[wedge].label))]
  }

  /// Reports `cancelled` for each held wedge. Blinks continue.
  public mutating func letGo(at now: Instant, events: inout [ControlEvent]) {
    for finger in holds.keys.sorted() { cancel(finger, at: now, events: &events) }
  }

  /// Continues `old`. Wedges are matched by id.
  public mutating func resume(_ old: any Control, at now: Instant) {
    guard let old = old as? Pinwheel else { return }
    let (ids, oldIDs) = (wedges.map(\.id), old.wedges.map(\.id))
    func successor(_ wedge: Int) -> Int? { ids.successor(of: wedge, in: oldIDs) }
    holds = old.holds.mapValues { hold in
      var hold = hold
      hold.wedge = hold.wedge.flatMap(successor)
      return hold
    }
    lights = old.lights.moved(successor)
    selection = old.selection.flatMap(successor)
  }

  /// The wedges lit by a blink at `now`.
  public func litWedges(at now: Instant) -> Set<Int> {
    Set(wedges.indices.filter { isLit($0, at: now) })
  }

  /// The wedges held by a finger that is over them.
  public var heldWedges: Set<Int> { Set(wedges.indices.filter(isHeld)) }

  func isLit(_ wedge: Int, at now: Instant) -> Bool { lights.isLit(wedge, at: now) }

  func brightness(_ wedge: Int, at now: Instant) -> Double { lights.brightness(wedge, at: now) }

  func isHeld(_ wedge: Int) -> Bool { holds.values.contains { $0.wedge == wedge && isOn($0) } }

  // MARK: State

  package static let interface = Interface<Pinwheel>(
    properties: choice, events: EventType.choosing([.item, .index, .label]))

  static let itemName = "wedge"
  var itemCount: Int { wedges.count }
  func name(of wedge: Int) -> (id: String?, label: String) {
    (wedges[wedge].id, wedges[wedge].label)
  }
  mutating func choose(_ wedge: Int?, at now: Instant) { selection = wedge }
}

extension Pinwheel {
  /// The wedges.
  public func items(at now: Instant) -> [ControlItem] {
    wedges.indices.map { index in
      let offset = sector(index).middle.unit * ((hole + radius) / 2)
      return ControlItem(wedges[index].id, at: center + offset, isEnabled: wedges[index].isEnabled)
    }
  }
}
