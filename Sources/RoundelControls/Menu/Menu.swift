// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
public import RoundelDrawing
internal import RoundelExpressions
public import RoundelGeometry
public import RoundelMotion

/// A disc that opens into a ring of leaves. Each leaf may open a nested ring.
///
///     press ── drag over leaves ── release      chooses in one stroke
///     tap (up within 0.3 s, not dragged) ┄┄ stays open ┄┄ tap a leaf, or outside
///
/// A tap on a dimmed outer ring, or on the nested ring's hub, returns to that ring.
///
/// A finger that comes down on the root chooses by its direction, at any distance. Other fingers
/// choose only near the ring. If the menu takes marks, a stroke with bends passes through nested
/// rings.
///
/// The menu follows one finger at a time. `opened` and `closed` are reported when the motion begins.
public struct Menu: KeyedControl, Hashable {
  /// A leaf. If it has items, it opens a ring of them around itself.
  public struct Item: Hashable, Sendable {
    /// The id, unique among its siblings.
    public var id: String
    /// The label, shown unless there is an image.
    public var label: String
    /// The icon above the label, or nil.
    public var icon: Icon?
    /// The image that fills the disc instead of label and icon.
    public var image: String?
    /// The colour, or nil for a colour of the palette.
    public var color: ThemeColor?
    /// Whether the leaf can be chosen.
    public var isEnabled: Bool
    /// Whether the leaf is marked as the current choice.
    public var isSelected = false
    /// The leaves of the leaf's ring.
    public var items: [Item]

    var ownItems: [Item]? {
      get { items.isEmpty ? nil : items }
      set { items = newValue ?? [] }
    }

    fileprivate func isBuilt(like other: Item) -> Bool {
      !items.differ(from: other.items) { $0.id != $1.id || !$0.isBuilt(like: $1) }
    }

    /// Creates a leaf.
    public init(
      id: String, label: String = "", icon: Icon? = nil, image: String? = nil,
      color: ThemeColor? = nil, isEnabled: Bool = true, items: [Item] = []
    ) {
      self.id = id
      self.label = label
      self.icon = icon
      self.image = image
      self.color = color
      self.isEnabled = isEnabled
      self.items = items
    }
  }

  struct Node: Hashable {
    var item: Item
    /// The root is its own parent.
    var parent: Int
    var index: Int
    var radius: Double
    /// The centre while the node's own ring is closed.
    var place: Point
    /// The centre while the node's own ring is open and inside the screen.
    var center: Point
    var ring: MenuRing?
    /// Each node comes after its parent.
    var leaves: Range<Int>
    var isRoot = false
    /// The colour, or nil if it depends on the parent's theme colour.
    var color: ThemeColor?
    var face = Face()
    /// The face while one of the node's leaves is chosen.
    var names = Face()
  }

  /// Seconds until a resting finger opens a leaf's ring.
  static let dwell = 0.5

  /// The maximum em size of the labels, or nil to derive it from the discs.
  public package(set) var fontSize: Double?
  /// The font families of symbols. If empty, the labels' font.
  public let iconFont: Font
  /// The colour of the labels, or nil for contrast with the discs.
  public package(set) var textColor: ThemeColor?
  /// The spring that opens a ring.
  public package(set) var opening: Spring.Tuning
  /// The spring that closes a ring.
  public package(set) var closing: Spring.Tuning
  package var root: Item
  package var color: ThemeColor
  package var start: Angle
  package var arc: Angle
  /// Whether a stroke with bends passes through nested rings.
  public package(set) var takesMarks = false
  private var isReflected = false
  /// Whether the menu opens when it comes into use.
  public package(set) var opensItself = false
  package var center: Point
  let screen: Size
  private let isScreenRound: Bool
  private let smallestLeaf: Double
  private let radius: Double
  private let leafRadius: Double
  private let distance: Double?
  /// The limit of the open ring, or nil.
  package var cell: Double?
  private(set) var nodes: [Node]

  private struct Hold: Hashable {
    var finger: Int
    var position: Point
    /// The finger's position when the innermost ring opened.
    var anchor: Point
    /// Until the finger has left its anchor it chooses nothing, because a moving ring could bring a
    /// leaf under it.
    var isDragged: Bool
    var hasOpened: Bool
    /// The deadline for a tap, which leaves the menu open.
    var tapEnd: Instant
    var since: Instant
    /// The ring to return to if the finger isn't dragged.
    var back: Int?
    var isFromRoot: Bool
    /// The path of a possible stroke through nested rings.
    var stroke: Stroke?
    /// The stroke's target, or nil if the position decides.
    var aim: Aim?
  }

  private struct Aim: Hashable {
    var leaf: Int?
  }
  private var hold: Hold?
  var isRootHeld: Bool { hold?.isFromRoot == true }
  /// The innermost open ring, or nil while the menu is closed.
  private(set) var open: Int?
  /// The openness from 0 to 1. A ring without a spring is closed.
  private var springs: [Int: Spring] = [:]
  private var selection: Int?

  /// Creates a menu with at least one item and its root at `center`. Rings are kept inside the screen.
  ///
  /// - Parameters:
  ///   - isScreenRound: Whether rings are kept inside the largest circle in the screen.
  ///   - smallestLeaf: The minimum radius of leaves, which shrink if a ring doesn't fit, or nil for no shrinking.
  ///   - distance: The distance from the root's centre to its leaves' centres. Nested rings use more if their leaves
  ///     would overlap.
  ///   - arc: The angle from the first leaf to the last, above 0 and up to 360°.
  public init(
    center: Point, screen: Size, isScreenRound: Bool = false, label: String = "", icon: Icon? = nil,
    image: String? = nil, radius: Double = 48, leafRadius: Double = 40, smallestLeaf: Double? = nil,
    distance: Double? = nil, start: Angle = .zero, arc: Angle = .fullTurn,
    opening: Spring.Tuning = .init(damping: 0.5, duration: 0.4),
    closing: Spring.Tuning = .init(damping: 0.8, duration: 0.4), color: ThemeColor = .surface,
    textColor: ThemeColor? = nil, fontSize: Double? = nil, iconFont: Font = Font(), items: [Item]
  ) {
    precondition(!items.isEmpty, "a menu needs an item")
    precondition(arc > .zero, "a menu's leaves need an arc")
    self.textColor = textColor
    self.opening = opening
    self.closing = closing
    self.fontSize = fontSize
    self.iconFont = iconFont

    self.center = center
    self.screen = screen
    self.isScreenRound = isScreenRound
    self.radius = radius
    self.leafRadius = leafRadius
    self.smallestLeaf = min(smallestLeaf ?? leafRadius, leafRadius)
    self.distance = distance
    self.start = start
    self.arc = arc
    self.color = color
    root = Item(id: "", label: label, icon: icon, image: image, items: items)
    nodes = []
    keysChanged(since: nil, at: .zero)
  }

  var fitsCell: Bool {
    guard let cell else { return true }
    let ring = MenuRing(
      count: root.items.count, start: start, arc: arc, hub: radius, leafRadius: leafRadius)
    let place = distance ?? ring.distance
    // Tolerates rounding errors.
    return ring.distance <= place + 1e-6 && place + leafRadius <= cell + 1e-6
  }

  /// Keeps the geometry of an equal tree and shape.
  package mutating func keysChanged(since old: Menu?, at now: Instant) {
    if root == old?.root, color == old?.color, start == old?.start, arc == old?.arc,
      center == old?.center
    {
      return
    }
    guard let old else { return placeNodes() }
    if start == old.start, arc == old.arc, center == old.center, root.isBuilt(like: old.root) {
      return dress()
    }
    placeNodes()
    // If the leaves are the same, touches and motions continue.
    if nodes.differ(from: old.nodes, { $0.item.id != $1.item.id || $0.parent != $1.parent }) {
      resume(old, at: now)
    }
  }

  /// O(n) in the items.
  private mutating func placeNodes() {
    var nodes = [
      Node(
        item: root, parent: 0, index: 0, radius: radius, place: center, center: center,
        leaves: 0..<0, isRoot: true)
    ]
    var next = 0
    while next < nodes.count {
      defer { next += 1 }
      let node = nodes[next]
      guard !node.item.items.isEmpty else { continue }
      let ring = ring(around: node, isNested: next > 0)
      let center = ring.center(nearest: node.place, in: screen, isRound: isScreenRound)
      nodes[next].ring = ring
      nodes[next].center = center
      nodes[next].leaves = nodes.count..<nodes.count + node.item.items.count
      for (index, item) in node.item.items.enumerated() {
        let place = center + ring.place(index)
        nodes.append(
          Node(
            item: item, parent: next, index: index, radius: ring.leafRadius, place: place,
            center: place, leaves: 0..<0))
      }
    }
    self.nodes = nodes
    dress(areAllNew: true)
  }

  /// Updates items, colours and faces. O(n·d) in the number of items and the depth of the rings.
  private mutating func dress(areAllNew: Bool = false) {
    var recolored: Set<Int> = []
    var renamed: Set<Int> = []
    for index in nodes.indices {
      let (hub, place) = (nodes[index].parent, nodes[index].index)
      var item = index == 0 ? root : nodes[hub].item.items[place]
      if index == 0 { item.color = color }
      let isOther = areAllNew || nodes[index].item != item
      guard isOther || recolored.contains(hub) else { continue }
      let own =
        index == 0
        ? color
        : Self.color(of: item, place, among: nodes[hub].leaves.count, around: nodes[hub], hub)
      if own != nodes[index].color { recolored.insert(index) }
      (nodes[index].item, nodes[index].color) = (item, own)
      if isOther, index > 0 { renamed.insert(hub) }
    }
    for hub in renamed {
      let names = Face(nodes[nodes[hub].leaves], onHub: nodes[hub], iconFont)
      let leaves = Face(nodes[nodes[hub].leaves], iconFont)
      nodes[hub].names = names
      for leaf in nodes[hub].leaves { nodes[leaf].face = leaves }
    }
    nodes[0].face = Face(nodes[...0], iconFont)
  }

  /// Leaves shrink if the ring would not fit on the screen.
  private func ring(around node: Node, isNested: Bool) -> MenuRing {
    func ring(_ scale: Double) -> MenuRing {
      func ring(_ distance: Double?) -> MenuRing {
        MenuRing(
          count: node.item.items.count, start: start, arc: arc, hub: node.radius,
          leafRadius: leafRadius * scale, distance: distance, isReflected: isReflected)
      }
      let closest = ring(nil)
      guard let distance else { return closest }
      if isNested { return ring(max(distance * scale, closest.distance)) }
      return scale < 1
        ? ring(max(distance * scale, min(distance, closest.distance))) : ring(distance)
    }
    var (low, high) = (smallestLeaf / leafRadius, 1.0)
    let whole = ring(1)
    guard low < 1, !whole.fits(in: screen, isRound: isScreenRound) else { return whole }
    for _ in 0..<20 {
      let middle = (low + high) / 2
      if ring(middle).fits(in: screen, isRound: isScreenRound) {
        low = middle
      } else {
        high = middle
      }
    }
    return ring(low)
  }

  // MARK: Geometry

  package var leaves: [(path: [String], disc: Sector)] {
    nodes.indices.dropFirst().map {
      (path($0), Sector(center: nodes[$0].place, radius: nodes[$0].radius))
    }
  }

  /// The path of the leaf with the largest ring, and its number of leaves. O(n).
  package var largestRing: (path: [String], count: Int) {
    let hub = nodes.indices.max { nodes[$0].leaves.count < nodes[$1].leaves.count } ?? 0
    return (path(hub), nodes[hub].leaves.count)
  }

  /// The enabled leaf at `point` or, if `isAnywhere`, in its direction.
  private func leaf(at point: Point, isAnywhere: Bool) -> Int? {
    var leaf = place(at: point).map(\.leaf)
    if leaf == nil, isAnywhere, let open, let ring = nodes[open].ring {
      leaf = ring.leaf(towards: point - nodes[open].center)
        .map { nodes[open].leaves.lowerBound + $0 }
    }
    guard case .some(.some(let chosen)) = leaf, nodes[chosen].item.isEnabled else { return nil }
    return chosen
  }

  /// The innermost open ring and its leaf, or nil on the hub.
  private func place(at point: Point) -> (ring: Int, leaf: Int?)? {
    guard var node = open else { return nil }
    while true {
      if let ring = nodes[node].ring {
        let offset = point - nodes[node].center
        if offset.length <= ring.hub { return (node, nil) }
        if let leaf = ring.leaf(at: offset) { return (node, nodes[node].leaves.lowerBound + leaf) }
      }
      guard node > 0 else { return nil }
      node = nodes[node].parent
    }
  }

  /// Returns the ring opened by a tap on its dimmed discs, or on the innermost ring's hub.
  private func ringBehind(_ point: Point) -> Int? {
    guard let innermost = open, innermost > 0 else { return nil }
    func isOnHub(_ node: Int) -> Bool {
      point.distance(to: nodes[node].center) <= nodes[node].radius
    }
    if isOnLeaf(point, of: innermost) { return nil }
    if isOnHub(innermost) { return nodes[innermost].parent }
    var node = innermost
    while node > 0 {
      node = nodes[node].parent
      if isOnHub(node) || isOnLeaf(point, of: node) { return node }
    }
    return nil
  }

  var isHeld: Bool { hold != nil }

  func isOpen(_ node: Int) -> Bool {
    guard var inner = open else { return false }
    while inner > node { inner = nodes[inner].parent }
    return inner == node
  }

  /// The openness from 0 to 1, or beyond while the ring overshoots.
  func openness(_ node: Int, at now: Instant) -> Double { springs[node]?.position(at: now) ?? 0 }

  /// The point between the positions in a closed and an open menu.
  func position(_ node: Int, at now: Instant) -> Point {
    let own = nodes[node]
    let shift = (own.center - own.place) * openness(node, at: now)
    guard node > 0, let ring = nodes[own.parent].ring else { return own.place + shift }
    let offset = ring.place(own.index) * openness(own.parent, at: now)
    return position(own.parent, at: now) + offset + shift
  }

  /// The strength of the light on a disc. Moving rims must be traced in each frame, so a moving
  /// disc loses its light.
  func light(on node: Int, at now: Instant) -> Double {
    var light = 1.0
    func dim(by ring: Int, isSeenClosed: Bool) {
      guard let spring = springs[ring], !spring.isSettled(at: now) else { return }
      let position = spring.position(at: now)
      let rest = (spring.end - now) / (spring.end - spring.start)
      // The disc may be visible while the ring is closed.
      let open = spring.target > 0 ? 1 - 5 * rest : 5 * position - 4
      let closed = spring.target > 0 ? 1 - 5 * position : 1 - 5 * rest
      light = min(light, max(open, isSeenClosed ? closed : 0, 0))
    }
    // At an edge of the screen, the disc moves inwards as its own ring opens.
    if nodes[node].center != nodes[node].place { dim(by: node, isSeenClosed: true) }
    var outer = node
    while outer > 0 {
      outer = nodes[outer].parent
      dim(by: outer, isSeenClosed: false)
    }
    return light
  }

  func isShown(_ node: Int, at now: Instant) -> Bool {
    springs[node].map { $0.target > 0 || !$0.isSettled(at: now) } ?? false
  }

  /// Whether `point` is on the closed root's disc. An open menu that isn't held contains every
  /// point.
  public func contains(_ point: Point, at now: Instant) -> Bool {
    guard open != nil else { return point.distance(to: position(0, at: now)) <= nodes[0].radius }
    // An open menu receives the next touch anywhere, to close. While it is held, other fingers can
    // use other controls.
    return hold == nil || place(at: point) != nil
  }

  // MARK: Touch

  var chosen: Int? {
    guard let hold, hold.isDragged else { return nil }
    if let aim = hold.aim { return aim.leaf }
    return leaf(at: hold.position, isAnywhere: hold.isFromRoot)
  }

  /// Opens the menu and follows the finger.
  public mutating func handle(_ touch: Touch, at now: Instant, events: inout [ControlEvent]) {
    switch touch.phase {
    case .down:
      if hold?.finger == touch.finger { letGo(at: now, events: &events) }
      guard hold == nil, touch.position.isFinite else { return }
      let isClosed = open == nil
      let back = ringBehind(touch.position)
      let isFromRoot =
        isClosed || touch.position.distance(to: position(0, at: now)) <= nodes[0].radius
      hold = Hold(
        finger: touch.finger, position: touch.position, anchor: touch.position,
        isDragged: !isClosed && back == nil, hasOpened: isClosed,
        tapEnd: now + Touch.tapDuration, since: now, back: back, isFromRoot: isFromRoot,
        stroke: takesMarks && isFromRoot && (open ?? 0) == 0 ? Stroke(at: touch.position) : nil)
      if isClosed {
        open(0, at: now, events: &events)
      } else if let chosen {
        events.append(event("passing", chosen, at: now))
      }
    case .move:
      guard var moved = hold, moved.finger == touch.finger, touch.position.isFinite else { return }
      let before = chosen
      moved.position = touch.position
      if moved.position.distance(to: moved.anchor) > nodes[0].radius / 3 { moved.isDragged = true }
      if moved.stroke?.add(touch.position) == false { moved.stroke = nil }
      hold = moved
      followStroke(at: now, events: &events)
      if chosen != before {
        hold?.since = now
        events.append(event("passing", chosen, at: now))
      }
    case .up:
      guard hold?.finger == touch.finger else { return }
      release(at: now, events: &events)
    case .cancel:
      guard hold?.finger == touch.finger else { return }
      hold = nil
      close(.released, at: now, events: &events)
    }
  }

  /// Opens the rings along the stroke. A bend after a leaf without a ring counts as a correction.
  private mutating func followStroke(at now: Instant, events: inout [ControlEvent]) {
    guard let hold, let stroke = hold.stroke, open != nil else { return }
    let parts = stroke.parts
    var node = 0
    for part in parts.dropLast() {
      guard let leaf = leaf(of: node, towards: part.direction), nodes[leaf].ring != nil else {
        continue
      }
      node = leaf
    }
    var aim: Aim?
    if let last = parts.last, node > 0 || parts.count == 1 && last.length >= Self.shortestStroke,
      node > 0 || !isOnLeaf(hold.position, of: 0)
    {
      aim = Aim(leaf: leaf(of: node, towards: last.direction))
    }
    self.hold?.aim = aim
    if node != open { open(node, at: now, events: &events) }
  }

  /// A longer stroke chooses by its own direction instead of the direction from the hub.
  private static let shortestStroke = 40.0

  private func isOnLeaf(_ point: Point, of node: Int) -> Bool {
    nodes[node].leaves.contains { point.distance(to: nodes[$0].place) <= nodes[$0].radius }
  }

  private func leaf(of node: Int, towards direction: Angle) -> Int? {
    guard let index = nodes[node].ring?.nearest(direction) else { return nil }
    let leaf = nodes[node].leaves.lowerBound + index
    return nodes[leaf].item.isEnabled ? leaf : nil
  }

  /// A straight stroke past a leaf with a ring chooses a leaf of that ring.
  private func end(of hold: Hold, at leaf: Int) -> Int {
    guard let part = hold.stroke?.parts.last, let ring = nodes[nodes[leaf].parent].ring,
      part.length > ring.distance + ring.leafRadius
    else { return leaf }
    return self.leaf(of: leaf, towards: part.direction) ?? leaf
  }

  private enum Closing: String {
    case selected
    case outside, root
    /// The finger that opened the menu was lifted without choosing a leaf, or the touch was
    /// cancelled.
    case released
    case command
  }

  /// Closes the menu without choosing.
  public mutating func letGo(at now: Instant, events: inout [ControlEvent]) {
    hold = nil
    close(.command, at: now, events: &events)
  }

  private mutating func release(at now: Instant, events: inout [ControlEvent]) {
    guard let hold else { return }
    let chosen = chosen.map { end(of: hold, at: $0) }
    self.hold = nil
    if let chosen {
      if nodes[chosen].ring != nil {
        open(chosen, at: now, events: &events)
      } else {
        select(chosen, at: now, events: &events)
      }
    } else if !hold.isDragged, let back = hold.back {
      open(back, at: now, events: &events)
    } else if !hold.isDragged {
      if now > hold.tapEnd { close(.released, at: now, events: &events) }
    } else if !hold.hasOpened, let place = place(at: hold.position), place.leaf != nil {
      // A tap on a disabled leaf has no effect.
    } else if !hold.hasOpened, let place = place(at: hold.position), place.ring > 0 {
      // A finger lifted on the hub of a nested ring leaves that ring, like a tap there.
      open(nodes[place.ring].parent, at: now, events: &events)
    } else if hold.hasOpened {
      close(.released, at: now, events: &events)
    } else {
      let isRoot = place(at: hold.position).map { $0.ring == 0 && $0.leaf == nil }
      close(isRoot == true ? .root : .outside, at: now, events: &events)
    }
  }

  mutating func select(_ leaf: Int, at now: Instant, events: inout [ControlEvent]) {
    selection = leaf
    events.append(event("selected", leaf, at: now))
    close(.selected, at: now, events: &events)
  }

  mutating func open(_ node: Int, at now: Instant, events: inout [ControlEvent]) {
    if open == nil { events.append(ControlEvent("opened", at: now)) }
    open = node
    swing(at: now)
  }

  private mutating func close(_ why: Closing, at now: Instant, events: inout [ControlEvent]) {
    guard open != nil else { return }
    open = nil
    swing(at: now)
    events.append(ControlEvent("closed", at: now, fields: [Field("why", .text(why.rawValue))]))
  }

  private mutating func swing(at now: Instant) {
    if var node = open {
      while true {
        if springs[node] == nil { springs[node] = Spring(from: 0, to: 0, at: now, tuning: opening) }
        if node == 0 { break }
        node = nodes[node].parent
      }
    }
    for (node, spring) in springs {
      let target = isOpen(node) ? 1.0 : 0
      guard spring.target != target else { continue }
      springs[node] = spring.retargeted(to: target, at: now, tuning: target > 0 ? opening : closing)
    }
  }

  /// Nil stands for no leaf, with the same values as the properties.
  func event(_ name: String, _ node: Int?, at now: Instant) -> ControlEvent {
    ControlEvent(
      name, at: now, item: node.map { nodes[$0].item.id },
      fields: [
        Field("index", .integer(node.map { nodes[$0].index } ?? -1)),
        Field("label", .text(node.map { nodes[$0].item.label } ?? "")),
        Field("path", .list(node.map { path($0).map { .text($0) } } ?? [])),
      ])
  }

  /// The ids from a leaf of the root to `node`.
  func path(_ node: Int) -> [String] {
    node == 0 ? [] : path(nodes[node].parent) + [nodes[node].item.id]
  }

  // MARK: Time

  private var dwellEnd: Instant? {
    guard let hold, let chosen, nodes[chosen].ring != nil, !isOpen(chosen) else { return nil }
    return hold.since + Self.dwell
  }

  /// Opens a leaf's ring after a finger has rested on it for half a second.
  public mutating func advance(to now: Instant, events: inout [ControlEvent]) {
    if let end = dwellEnd, end <= now, let chosen, var resting = hold {
      resting.anchor = resting.position
      resting.isDragged = false
      resting.back = nil
      resting.tapEnd = Instant(microseconds: .max)
      // From now on, the user sees the ring, so the stroke ends.
      resting.stroke = nil
      resting.aim = nil
      hold = resting
      open(chosen, at: end, events: &events)
    }
    springs = springs.filter { $0.value.target > 0 || !$0.value.isSettled(at: now) }
  }

  /// The time when a ring comes to rest, or a resting finger opens a ring.
  public func nextChange(after now: Instant) -> Instant? {
    (springs.values.map(\.end) + [dwellEnd].compactMap { $0 }).filter { $0 > now }.min()
  }

  /// Whether a ring opens or closes.
  public func isMoving(at now: Instant) -> Bool {
    springs.values.contains { !$0.isSettled(at: now) }
  }

  /// Whether the menu is open, or its leaves aren't yet back behind the hub.
  public func isRaised(at now: Instant) -> Bool {
    guard open == nil, let ring = nodes[0].ring else { return open != nil }
    let openness = openness(0, at: now)
    let leaf = ring.leafRadius * (0.4 + 0.6 * openness)
    return openness > 0 && ring.distance * openness + leaf > nodes[0].radius
  }

  /// Opens without motion, if the menu opens automatically.
  public mutating func appear(at now: Instant, events: inout [ControlEvent]) {
    guard opensItself, open == nil else { return }
    springs = [0: Spring(from: 1, to: 1, at: now, tuning: opening)]
    open(0, at: now, events: &events)
  }

  /// Closes without motion.
  public mutating func reset(at now: Instant, events: inout [ControlEvent]) {
    letGo(at: now, events: &events)
    springs = [:]
  }

  // MARK: State and commands

  /// Before a choice, as in `ChoiceControl`. Setting the id reports nothing.
  package static let interface = Interface<Menu>(
    properties: [
      Property("item") { menu, _ in
        menu.selection.map { menu.nodes[$0].item.id } ?? ""
      } set: { (menu, id: String, _, _) throws(InvalidValueError) in
        menu.selection = try menu.node(id)
      },
      Property("index") { menu, _ in Double(menu.selection.map { menu.nodes[$0].index } ?? -1) },
      Property("label") { menu, _ in menu.selection.map { menu.nodes[$0].item.label } ?? "" },
      Property("path") { menu, _ in
        Value.list(menu.selection.map { menu.path($0).map { .text($0) } } ?? [])
      },
      Property("open") { menu, _ in
        menu.open != nil
      } set: { menu, isOpen, at, events in
        isOpen ? menu.open(at: at.now, &events) : menu.letGo(at: at.now, events: &events)
      },
    ],
    commands: [
      ControlCommand("open", "Opens the root's ring.") { $0.open(at: $1, &$2) },
      ControlCommand("close", "Closes all rings.") { $0.letGo(at: $1, events: &$2) },
    ],
    events: [EventType("opened", "The menu opened.")]
      + EventType.all([.passing, .selected], [.item, .index, .label, .path])
      + [EventType("closed", "The menu closed. `why` is the cause.", [.why])])

  private func node(_ id: String) throws(InvalidValueError) -> Int? {
    if id.isEmpty { return nil }
    guard let node = nodes.indices.dropFirst().first(where: { nodes[$0].item.id == id }) else {
      throw InvalidValueError("the id of an item")
    }
    return node
  }

  private mutating func open(at now: Instant, _ events: inout [ControlEvent]) {
    if open == nil { open(0, at: now, events: &events) }
  }

  /// Continues `old`. Leaves are matched by their paths.
  public mutating func resume(_ old: any Control, at now: Instant) {
    guard let old = old as? Menu else { return }
    let places = successors(of: old)
    hold = old.hold
    hold?.back = old.hold?.back.flatMap { places[$0] }
    hold?.aim?.leaf = old.hold?.aim?.leaf.flatMap { places[$0] }
    selection = old.selection.flatMap { places[$0] }
    springs = [:]
    for (node, spring) in old.springs {
      if let place = places[node], nodes[place].ring != nil { springs[place] = spring }
    }
    // If an open ring was removed, the nearest ring around it is open.
    open = old.open.map { innermost in
      var node = innermost
      while node > 0 {
        if let place = places[node], nodes[place].ring != nil { return place }
        node = old.nodes[node].parent
      }
      return 0
    }
    swing(at: now)
  }

  private func successors(of old: Menu) -> [Int: Int] {
    var places = [0: 0]
    for node in old.nodes.indices.dropFirst() {
      guard let parent = places[old.nodes[node].parent] else { continue }
      let (leaves, id) = (nodes[parent].leaves, old.nodes[node].item.id)
      let same = leaves.lowerBound + old.nodes[node].index
      if leaves.contains(same), nodes[same].item.id == id {
        places[node] = same
      } else {
        places[node] = leaves.first { nodes[$0].item.id == id }
      }
    }
    return places
  }
}

extension Menu {
  /// Reflects the arcs of the rings on a reflected page.
  public mutating func notice(places: [Point], on screen: Rect, isReflected: Bool) {
    guard isReflected != self.isReflected else { return }
    self.isReflected = isReflected
    placeNodes()
  }

  /// The square around the root's disc.
  public var extent: Rect? { Rect(center: nodes[0].place, size: .square(2 * nodes[0].radius)) }

  /// The centre of a leaf in an open ring, or of the root.
  public func place(of item: String?, at now: Instant) -> Point? {
    guard let item else { return position(0, at: now) }
    return items(at: now).first { $0.id == item }?.place
  }

  /// The leaves. Leaves in closed rings have no position.
  public func items(at now: Instant) -> [ControlItem] {
    nodes.indices.dropFirst().map { node in
      let isReachable = isOpen(nodes[node].parent)
      // The final position, because fingers choose even a moving leaf by direction.
      let place = isOpen(node) ? nodes[node].center : nodes[node].place
      return ControlItem(
        path(node).joined(separator: "/"), at: isReachable ? place : nil,
        isEnabled: nodes[node].item.isEnabled)
    }
  }
}
