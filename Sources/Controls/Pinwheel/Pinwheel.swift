// SPDX-License-Identifier: MIT

internal import Declarations
public import Drawing
internal import Expressions
public import Geometry
public import Motion

/// A ring of wedges, each a button. A wedge is chosen when the finger is lifted on it, and answers with
/// a blink, at whose end the choice is confirmed. Disabled wedges swallow touches.
public struct Pinwheel: KeyedControl, Hashable {
  /// A wedge, identified by its `id`.
  public struct Wedge: Hashable, Sendable {
    /// Unique among the wedges.
    public var id: String
    /// Empty for none.
    public var label: String
    /// A second, smaller line below the label; empty for none.
    public var detail = ""
    /// Beside or above the label; nil for none.
    public var icon: Icon?
    /// Nil for a colour of the palette, or for none where there is an image.
    public var color: ThemeColor?
    /// Whether it can be chosen; a disabled wedge is grey and swallows touches.
    public var isEnabled: Bool
    /// The image of the wedge at rest, stretched over the square around the whole wheel.
    public var image: String?
    /// The image of the wedge while held or lit, instead of `press` and `highlight`.
    public var pressImage: String?

    /// An image that fills the wedge alone, upright; nil for none.
    public var photo: String?
    /// How the photo fills the rectangle around the wedge, which cuts it.
    public var fit = ImageFit.cover
    /// Seconds until a press counts as held; nil for those of the wheel.
    package var hold: Double?
    /// Where fingers hit it; nil for `alpha` where only the image is painted, else `shape`.
    package var hit: Hit?

    /// A wedge with a unique `id`.
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
    /// An angle: it widens towards the rim.
    case degrees(Double)
    /// Design pixels: the edges are parallel.
    case pixels(Double)
  }

  /// The centre of the hub, in design pixels.
  public package(set) var center: Point
  /// Radius of the rim, in design pixels.
  public let radius: Double
  /// Radius of the free disc in the middle.
  public var hole: Double { ownHole ?? radius / 4 }
  /// The same where it is not a quarter of the radius.
  package var ownHole: Double?
  /// Between neighbours; none where there is one wedge.
  public package(set) var gap: Gap
  /// The direction of the middle of the first wedge.
  public package(set) var start: Angle
  /// Laid over a held wedge.
  public package(set) var press: Answer
  /// Laid over a lit wedge.
  public package(set) var highlight: Answer
  /// `press`; nil where it depends on the colour below.
  package var ownPress: Answer? {
    get { press == .automatic ? nil : press }
    set { press = newValue ?? .automatic }
  }
  package var ownHighlight: Answer? {
    get { highlight == .automatic ? nil : highlight }
    set { highlight = newValue ?? .automatic }
  }
  /// Seconds until a press counts as held, where actions follow that.
  package var hold = Press.standardHold
  /// The light that answers a choice. Its end confirms the choice.
  public package(set) var blink: Blink.Pattern
  /// Em size of the labels, in design pixels; long labels shrink to half of it. Nil for the theme's.
  public package(set) var fontSize: Double?
  /// Nil for black or white, by contrast.
  public package(set) var textColor: ThemeColor?
  /// The families that icons are set in which are signs; empty for the font of the labels.
  public let iconFont: Font
  /// Clockwise from `start`.
  public package(set) var wedges: [Wedge]
  /// Whether an icon shares a wedge with a label.
  private(set) var hasIconsWithLabels = false
  /// Whether a label has a second line.
  private(set) var hasDetails = false
  /// The side of the icons, in design pixels; nil for one by the room in the wedges.
  public package(set) var iconSize: Double?
  /// The orientation of the labels.
  public private(set) var labelStyle = LabelStyle.radial
  /// The same where it does not depend on the room for them.
  package var ownLabelStyle: LabelStyle?
  /// The places of the labels, by wedge.
  private(set) var labelPlaces: [LabelPlace] = []
  /// All labels, which have one size.
  private(set) var labelPeers = TextPeers()
  /// All details, which have one size.
  private(set) var detailPeers = TextPeers()
  /// The icons, which have one size.
  private(set) var icons = IconSetting([], side: 0)
  /// The palette's colour for each wedge that names none; nil for others.
  private(set) var colors: [Color?] = []

  private struct Hold: Hashable {
    /// Nil if the wedge was removed: lifting the finger chooses nothing.
    var wedge: Int?
    var isInside = true
    /// The item and the fields that `pressed` has named; `cancelled` names them again.
    var item: String
    var fields: [Field]
  }

  /// The wedge that each finger came down on, unless it was disabled.
  private var holds: [Int: Hold] = [:]
  private var lights = Lights()
  private var selection: Int?

  /// A wheel with at least one wedge.
  public init(
    center: Point, radius: Double, hole: Double? = nil, gap: Gap = .degrees(1),
    start: Angle = .zero, press: Answer = .automatic, highlight: Answer = .automatic,
    blink: Blink.Pattern = Blink.Pattern(), fontSize: Double? = nil,
    textColor: ThemeColor? = nil, labels: LabelStyle? = nil, iconFont: Font = Font(),
    wedges: [Wedge]
  ) {
    precondition(!wedges.isEmpty, "a pinwheel needs a wedge")
    self.center = center
    self.radius = radius
    ownHole = hole
    self.gap = gap
    self.start = start
    self.press = press
    self.highlight = highlight
    self.blink = blink
    self.fontSize = fontSize
    self.textColor = textColor
    self.iconFont = iconFont
    self.wedges = wedges
    ownLabelStyle = labels
    keysChanged(since: nil, at: .zero)
  }

  /// Chooses colours and places labels again where wedges or their shape have changed.
  package mutating func keysChanged(since old: Pinwheel?, at now: Instant) {
    let isSame = old.map {
      !wedges.differ(from: $0.wedges) {
        $0.label != $1.label || $0.icon != $1.icon || $0.detail != $1.detail
      }
    }
    let hasOtherWedges = wedges != old?.wedges
    if hasOtherWedges { choosePaletteColors() }
    if isSame != true || ownHole != old?.ownHole || gap != old?.gap || start != old?.start
      || ownLabelStyle != old?.ownLabelStyle || fontSize != old?.fontSize
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
    // With one to three wedges, radial labels at the top and at the bottom would be vertical.
    placeLabels(ownLabelStyle ?? .upright)
    if ownLabelStyle == nil, wedges.count > 3 { turnLongLabels() }
    labelPeers = TextPeers(
      zip(wedges, labelPlaces).filter { !$0.0.label.isEmpty }
        .map { TextPeers.Text($0.label, room: $1.room) })
    detailPeers = TextPeers(
      zip(wedges, labelPlaces).compactMap { wedge, place in
        place.detail.map { TextPeers.Text(wedge.detail, room: $0.room) }
      })
  }

  /// Places level labels along the wedges where more of them fit so.
  private mutating func turnLongLabels() {
    let level = labelFit
    guard !level.isEnough else { return }
    placeLabels(.radial)
    let radial = labelFit
    // If some words are too long for both styles, the other labels stay level.
    if level.atSize > 0, level.atSize >= radial.atSize, level.atMinimum >= radial.atMinimum {
      placeLabels(.upright)
    }
  }

  /// Places the labels in a style, whatever the file says.
  mutating func placeLabels(_ style: LabelStyle) {
    labelStyle = style
    icons = IconSetting(wedges.compactMap(\.icon), side: iconSide)
    labelPlaces = wedges.indices.map(labelPlace)
  }

  // MARK: Geometry

  /// The direction of the edge between wedge `index - 1` and wedge `index`.
  private func edge(_ index: Int) -> Angle {
    start + .fullTurn * ((Double(index) - 0.5) / Double(wedges.count))
  }

  /// The wedge at `point`; nil in the hole and outside. A point in a gap belongs to the nearer wedge.
  package func wedge(at point: Point) -> Int? {
    let v = point - center
    let distance = v.length
    guard distance >= hole, distance < radius else { return nil }
    let turn = (Angle(of: v) - edge(0)).normalized
    return min(Int(turn.radians / (2 * .pi) * Double(wedges.count)), wedges.count - 1)
  }

  /// The shape of wedge `index`: its part of the ring without its halves of both gaps.
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
    case .pixels(let width):
      sector.inset = width / 2
    }
    return sector
  }

  /// Whether `point` lies on a wedge or in a gap: neither in the hole nor outside.
  public func contains(_ point: Point, at now: Instant) -> Bool { wedge(at: point) != nil }

  // MARK: Touch

  /// Whether the image of a wedge shows nothing there and lets fingers through.
  public func isTransparent(
    _ point: Point, at now: Instant, _ masks: [String: ImageMask]
  ) -> Bool {
    guard let index = wedge(at: point), let art = art(of: index, isAnswering: false) else {
      return false
    }
    let wedge = wedges[index]
    return Hit.isThrough(
      point, wedge.hit, image: art.image, frame: art.frame, fit: art.fit,
      isAlone: wedge.color?.isClear != false && wedge.label.isEmpty && wedge.detail.isEmpty
        && wedge.icon == nil, masks)
  }

  /// False on disabled wedges.
  public func answers(_ point: Point, at now: Instant) -> Bool {
    wedge(at: point).map { wedges[$0].isEnabled } ?? false
  }

  /// Reports `pressed`; then `selected` where the finger is lifted on its wedge, otherwise `cancelled`.
  public mutating func handle(_ touch: Touch, at now: Instant, events: inout [ControlEvent]) {
    switch touch.phase {
    case .down:
      cancel(touch.finger, at: now, events: &events)
      guard let wedge = wedge(at: touch.position), wedges[wedge].isEnabled else { return }
      holds[touch.finger] = Hold(
        wedge: wedge, item: wedges[wedge].id, fields: fields(of: wedge))
      events.append(event("pressed", wedge, at: now))
    case .move:
      guard var hold = holds[touch.finger] else { return }
      hold.isInside = wedge(at: touch.position) == hold.wedge
      holds[touch.finger] = hold
    case .up:
      guard let hold = holds[touch.finger], let wedge = hold.wedge, isOn(hold) else { fallthrough }
      holds[touch.finger] = nil
      select(wedge, at: now, events: &events)
    case .cancel:
      cancel(touch.finger, at: now, events: &events)
    }
  }

  /// Whether a finger is on its wedge, which can be chosen.
  private func isOn(_ hold: Hold) -> Bool {
    hold.isInside && hold.wedge.map { wedges[$0].isEnabled } == true
  }

  private mutating func cancel(_ finger: Int, at now: Instant, events: inout [ControlEvent]) {
    guard let hold = holds.removeValue(forKey: finger) else { return }
    events.append(ControlEvent("cancelled", at: now, item: hold.item, fields: hold.fields))
  }

  /// The press of a finger that came down on a wedge.
  public func press(of finger: Int, at now: Instant) -> Press? {
    holds[finger].map { hold in
      Press(
        item: hold.item, fields: hold.fields,
        hold: hold.wedge.flatMap { wedges[$0].hold } ?? self.hold, isOn: isOn(hold))
    }
  }

  /// The wedge chosen last.
  var selectedWedge: Int? { selection }

  /// Chooses a wedge without a finger.
  mutating func press(_ wedge: Int, at now: Instant, events: inout [ControlEvent]) {
    events.append(event("pressed", wedge, at: now))
    select(wedge, at: now, events: &events)
  }

  private mutating func select(_ wedge: Int, at now: Instant, events: inout [ControlEvent]) {
    selection = wedge
    events.append(event("selected", wedge, at: now))
    lights.add(wedge, blink, at: now)
    confirm(at: now, events: &events)
  }

  private mutating func confirm(at now: Instant, events: inout [ControlEvent]) {
    for (wedge, time) in lights.takeEnded(by: now) {
      events.append(event("confirmed", wedge, at: time))
    }
  }

  private func event(_ name: String, _ wedge: Int, at now: Instant) -> ControlEvent {
    ControlEvent(
      name, at: now, item: wedges[wedge].id, fields: fields(of: wedge))
  }

  private func fields(of wedge: Int) -> [Field] {
    [Field("index", .integer(wedge)), Field("label", .text(wedges[wedge].label))]
  }

  // MARK: Time

  /// Reports `confirmed` for each blink that ends.
  public mutating func advance(to now: Instant, events: inout [ControlEvent]) {
    confirm(at: now, events: &events)
  }

  /// When a light next goes on or off, or has faded.
  public func nextChange(after now: Instant) -> Instant? { lights.nextChange(after: now) }

  /// Whether a light fades.
  public func isMoving(at now: Instant) -> Bool { lights.areFading(at: now) }

  /// Reports `cancelled` for each held wedge. Blinks go on.
  public mutating func letGo(at now: Instant, events: inout [ControlEvent]) {
    for finger in holds.keys.sorted() { cancel(finger, at: now, events: &events) }
  }

  /// Releases all fingers and puts out all lights, without `confirmed`. The selection stays.
  public mutating func reset(at now: Instant, events: inout [ControlEvent]) {
    letGo(at: now, events: &events)
    lights.removeAll()
  }

  /// Wedges are matched by id.
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

  /// The wedges that are lit by a blink at `now`.
  public func litWedges(at now: Instant) -> Set<Int> {
    Set(wedges.indices.filter { isLit($0, at: now) })
  }

  /// The wedges that a finger holds and is over.
  public var heldWedges: Set<Int> { Set(wedges.indices.filter(isHeld)) }

  /// Whether a wedge is lit by a blink at `now`.
  func isLit(_ wedge: Int, at now: Instant) -> Bool { lights.isLit(wedge, at: now) }

  /// How bright the light of a wedge is, 0 … 1.
  func brightness(_ wedge: Int, at now: Instant) -> Double { lights.brightness(wedge, at: now) }

  /// Whether a finger holds a wedge and is over it.
  func isHeld(_ wedge: Int) -> Bool { holds.values.contains { $0.wedge == wedge && isOn($0) } }

  // MARK: State

  /// The wedge chosen last, by id, index and label: empty, and -1, until one is chosen. Another one is chosen by
  /// any of them, without an event.
  package static let interface = Interface<Pinwheel>(
    properties: [
      Property("item") { pinwheel, _ in
        pinwheel.selection.map { pinwheel.wedges[$0].id } ?? ""
      } set: { (pinwheel, id: String, _, _) throws(Unsuitable) in
        pinwheel.selection = try pinwheel.wedge(of: id, by: \.id, "the id of a wedge")
      },
      Property("index") { pinwheel, _ in
        Double(pinwheel.selection ?? -1)
      } set: { (pinwheel, number: Double, _, _) throws(Unsuitable) in
        guard let index = Int(exactly: number), (-1..<pinwheel.wedges.count).contains(index) else {
          throw Unsuitable("-1 or 0 … \(pinwheel.wedges.count - 1)")
        }
        pinwheel.selection = index < 0 ? nil : index
      },
      Property("label") { pinwheel, _ in
        pinwheel.selection.map { pinwheel.wedges[$0].label } ?? ""
      } set: { (pinwheel, label: String, _, _) throws(Unsuitable) in
        pinwheel.selection = try pinwheel.wedge(of: label, by: \.label, "the label of a wedge")
      },
    ],
    events: EventType.choosing([.item, .index, .label]))

  /// The wedge that a text names; nil of an empty one.
  private func wedge(
    of text: String, by name: KeyPath<Wedge, String>, _ expected: String
  ) throws(Unsuitable) -> Int? {
    if text.isEmpty { return nil }
    guard let index = wedges.firstIndex(where: { $0[keyPath: name] == text }) else {
      throw Unsuitable(expected)
    }
    return index
  }
}

extension Pinwheel {
  /// The square around the rim.
  public var extent: Rect? { Rect(around: center, radius) }

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
