// SPDX-License-Identifier: MIT

public import RoundelDrawing
internal import RoundelGeometry
internal import RoundelMotion

extension Menu {
  /// The fraction of a leaf's colour that remains while a nested ring is open.
  private static let dimmed = 0.25
  /// The scale of a lit leaf, which doesn't touch its neighbours.
  static let swelling = 1.08

  /// Draws the open rings from the root inwards, each over the dimmed ring around it.
  public func draw(into list: inout DisplayList, in context: DrawingContext) {
    var isClosed = true
    for ring in nodes.indices where isShown(ring, at: context.now) {
      isClosed = false
      // A nested ring is in front of this ring and its hub.
      var covered = 0.0
      for leaf in nodes[ring].leaves where isShown(leaf, at: context.now) {
        covered = max(covered, openness(leaf, at: context.now))
      }
      let appearance = Appearance(
        presence: 1 - (1 - Self.dimmed) * min(covered, 1), fading: fading(ring, at: context.now))
      let ink = ringInk(around: ring, in: context)
      for leaf in nodes[ring].leaves where !isShown(leaf, at: context.now) {
        draw(leaf, appearance, ink, into: &list, in: context)
      }
      // The hub is in front of the leaves that emerge from behind it.
      drawHub(ring, appearance, into: &list, in: context)
    }
    if isClosed { drawHub(0, Appearance(), into: &list, in: context) }
    let root = position(0, at: context.now)
    for node in nodes {
      func prepare(_ image: String, _ side: Double, _ fit: ImageFit) {
        let frame = Rect(center: root, size: Size(side, side))
        list.coming.append(
          Tile(.rect(frame), .image(image, frame: frame, fit: fit, isMoving: true)))
      }
      if let image = node.item.image { prepare(image, 2 * node.radius, .cover) }
      if case .image(let icon) = node.item.icon, node.item.image == nil {
        prepare(icon, node.face.icons.side, .contain)
      }
    }
  }

  private struct Appearance {
    var presence = 1.0
    var fading = 1.0
  }

  /// The opacity of a ring. While the whole menu closes, a nested ring disappears before it arrives
  /// at the hub.
  private func fading(_ ring: Int, at now: Instant) -> Double {
    var fading = 1.0
    var outer = ring
    while outer > 0 {
      outer = nodes[outer].parent
      let openness = min(max(openness(outer, at: now), 0), 1)
      fading *= openness * openness * openness
    }
    return fading
  }

  private func drawHub(
    _ node: Int, _ appearance: Appearance, into list: inout DisplayList, in context: DrawingContext
  ) {
    var ink = RingInk(context)
    if node == 0 {
      ink.add(color(0, in: context.theme).over(context.background))
    } else {
      ink = ringInk(around: nodes[node].parent, in: context)
    }
    draw(node, appearance, ink, into: &list, in: context)
  }

  private func draw(
    _ node: Int, _ appearance: Appearance, _ ringInk: RingInk, into list: inout DisplayList,
    in context: DrawingContext
  ) {
    let now = context.now
    let (item, ring) = (nodes[node].item, nodes[node].ring)
    let isLit = chosen == node
    let unfolded = node == 0 ? 1 : min(max(openness(nodes[node].parent, at: now), 0), 1)
    let opacity = unfolded * appearance.fading
    guard opacity > 0 else { return }
    let center = position(node, at: now)
    let radius = nodes[node].radius * (isLit ? Self.swelling : 0.4 + 0.6 * unfolded)
    // With thousands of leaves, most are far beyond the screen.
    let farthest = radius + max(screen.width, screen.height)
    guard Rect(size: screen).inset(by: -farthest).contains(center) else { return }

    let usable = context.isEnabled && item.isEnabled
    var fill = context.shown(color(node, in: context.theme), isUsable: item.isEnabled)
    if isLit { fill = fill.over(context.background).veil(Feedback.lit).over(fill) }
    if node == 0, isRootHeld { fill = fill.over(context.background).veil(Feedback.held).over(fill) }
    let background = fill.over(context.background)
    let readable = isLit ? context.ink(on: background) : ringInk.ink(on: background)
    let ink = usable ? textColor?.color(in: context.theme) ?? readable : readable.faded(to: 0.4)
    // The finger covers the chosen leaf, so the hub shows its label. After a quick stroke, a leaf
    // counts as a hub once its ring is half open.
    let isHub = node == 0 || openness(node, at: now) > 0.5
    let leaf = chosen.flatMap { isHub && nodes[$0].parent == node ? $0 : nil }
    let named = leaf.map { nodes[$0].item } ?? item
    let face = leaf == nil ? nodes[node].face : nodes[node].names
    let isMoving = isMoving(at: now)
    let label = label(
      of: named, on: node, face, at: center, scale: radius / nodes[node].radius,
      isMoving: isMoving, in: context)
    // Opaque, so that discs aren't visible through other discs.
    let shown = fill.mixed(
      with: context.background.faded(to: fill.opacity), 1 - appearance.presence)

    list.add(.disc(center: center, radius: radius), shown.faded(to: opacity))
    list.addLight(
      on: RoundedRect(disc: center, radius: radius),
      presence: opacity * appearance.presence * light(on: node, at: now) * (usable ? 1 : 0.4))
    let legible = opacity * max(0, appearance.presence - Self.dimmed) / (1 - Self.dimmed)
    let rim = legible * (1 - min(max(openness(node, at: now), 0), 1))
    if let ring, rim > 0 {
      // A rim distinguishes leaves that open a ring. The root's rim shows an arc for each leaf.
      if node == 0 {
        drawArcs(of: ring, rim, into: &list, in: context)
      } else {
        list.add(
          .sector(Sector(center: center, innerRadius: radius * 0.86, outerRadius: radius * 0.93)),
          ink.faded(to: 0.6 * rim))
      }
    }
    if legible > 0 {
      if let image = named.image {
        // The image is scaled with its disc, which may overshoot.
        let moves = isMoving || isLit || leaf != nil
        let edge = radius * legible * (ring == nil ? Self.photo : Self.photoWithRim)
        let disc = Shape.disc(center: center, radius: edge)
        let frame = Self.imageFrame(center, edge)
        list.add(disc, .image(image, frame: frame, fit: .cover, isMoving: moves))
        if !usable { list.add(disc, context.background.faded(to: 0.6)) }
        if isLit { list.add(disc, Color.white.faded(to: Feedback.held)) }
      } else {
        let scale = label.scale
        if let icon = named.icon {
          let layout = LabelLayout(of: named, on: nodes[node])
          var appearance = IconAppearance(
            center: Point(center.x, center.y + layout.icon * scale), scale: scale,
            isMoving: isMoving, isBrief: isLit || leaf != nil, ink: ink, background: background,
            presence: legible)
          if case .image = icon, !usable { appearance.presence *= 0.4 }
          list.add(icon, face.icons, font: context.signFont(iconFont), appearance)
        }
        if !named.label.isEmpty { list.add(label, ink.faded(to: legible)) }
      }
    }
    if item.isSelected, legible > 0 {
      FocusOutline.sector(Sector(center: center, radius: radius)).drawSelection(
        on: background, presence: legible, into: &list, in: context)
    }
    let back = legible * min(max(openness(node, at: now), 0), 1)
    if node > 0, back > 0 { drawBack(center, radius, ink.faded(to: back), into: &list) }
  }

  /// A fraction of the disc's radius.
  private static let photo = 0.93
  private static let photoWithRim = 0.83

  private static func imageFrame(_ center: Point, _ radius: Double) -> Rect {
    Rect(center: center, size: Size(radius * 2, radius * 2))
  }

  private func drawBack(
    _ center: Point, _ radius: Double, _ ink: Color, into list: inout DisplayList
  ) {
    let (width, height, stroke) = (radius * 0.13, radius * 0.15, radius * 0.08)
    let tip = Point(center.x - (width + stroke) / 2, center.y - radius * 0.7)
    func end(_ side: Double, _ along: Double) -> Point {
      Point(tip.x + along, tip.y + side * height)
    }
    list.addPolygon(ink) { corners in
      corners.append(tip)
      corners.append(end(-1, width))
      corners.append(end(-1, width + stroke))
      corners.append(Point(tip.x + stroke, tip.y))
      corners.append(end(1, width + stroke))
      corners.append(end(1, width))
    }
  }

  private func drawArcs(
    of ring: MenuRing, _ presence: Double, into list: inout DisplayList, in context: DrawingContext
  ) {
    let center = position(0, at: context.now)
    let radius = nodes[0].radius
    list.addInOnePass { list in
      for leaf in nodes[0].leaves {
        let middle = Angle(of: ring.place(nodes[leaf].index))
        let color = context.shown(
          color(leaf, in: context.theme), isUsable: nodes[leaf].item.isEnabled)
        list.add(
          .sector(
            Sector(
              center: center, innerRadius: radius * 0.9, outerRadius: radius * 0.95,
              start: middle - ring.step / 2, end: middle + ring.step / 2,
              inset: ring.count > 1 ? radius * 0.02 : 0)), color.faded(to: presence))
      }
    }
  }
}
