// SPDX-License-Identifier: MIT

public import Drawing
internal import Geometry
internal import Motion

extension Menu {
  /// How much of a leaf's colour remains while a ring further in is open; the rest is the background's.
  /// Its label is hidden: it would mix with those in front of it.
  private static let dimmed = 0.25
  /// The scale of a lit leaf, which does not reach its neighbours.
  static let swelling = 1.08

  /// Draws the open rings from the root inwards, each over a dimmed one.
  public func draw(into list: inout DisplayList, in context: DrawingContext) {
    var isClosed = true
    for ring in nodes.indices where isShown(ring, at: context.now) {
      isClosed = false
      // A ring further in is in front of this one and its hub.
      var covered = 0.0
      for leaf in nodes[ring].leaves where isShown(leaf, at: context.now) {
        covered = max(covered, openness(leaf, at: context.now))
      }
      let presence = 1 - (1 - Self.dimmed) * min(covered, 1)
      for leaf in nodes[ring].leaves where !isShown(leaf, at: context.now) {
        draw(leaf, presence, into: &list, in: context)
      }
      // The hub is in front of the leaves that come out behind it.
      draw(ring, presence, into: &list, in: context)
    }
    if isClosed { draw(0, 1, into: &list, in: context) }
    for node in nodes {
      guard let image = node.item.image else { continue }
      let frame = Self.imageFrame(position(0, at: context.now), node.radius)
      list.coming.append(Tile(.rect(frame), .image(image, frame: frame, isMoving: true)))
    }
  }

  private func draw(
    _ node: Int, _ presence: Double, into list: inout DisplayList, in context: DrawingContext
  ) {
    let now = context.now
    let (item, ring) = (nodes[node].item, nodes[node].ring)
    let isLit = chosen == node
    let unfolded = node == 0 ? 1 : min(max(openness(nodes[node].parent, at: now), 0), 1)
    guard unfolded > 0 else { return }
    let center = position(node, at: now)
    let radius = nodes[node].radius * (isLit ? Self.swelling : 0.4 + 0.6 * unfolded)

    let usable = context.isEnabled && item.isEnabled
    let fontSize = fontSize ?? nodes[node].radius * 0.42
    var fill = color(node, in: context.theme)
    if !usable { fill = fill.disabled(on: context.background) }
    if isLit { fill = fill.over(context.background).veil(Answer.lit).over(fill) }
    let readable = context.text(on: fill, isLarge: fontSize >= 24)
    let ink =
      usable ? textColor?.color(in: context.theme) ?? readable : readable.faded(to: 0.4)
    // Opaque, or discs that lie over each other would shine through.
    let shown = fill.mixed(with: context.background.faded(to: fill.opacity), 1 - presence)

    list.add(.disc(center: center, radius: radius), shown.faded(to: unfolded))
    let legible = unfolded * max(0, presence - Self.dimmed) / (1 - Self.dimmed)
    let rim = legible * (1 - min(max(openness(node, at: now), 0), 1))
    if let ring, rim > 0 {
      // A rim tells the leaves that lead further from those that end here. The root's shows what the
      // menu holds, and where: an arc for each leaf.
      if node == 0 {
        drawArcs(of: ring, rim, into: &list, in: context)
      } else {
        list.add(
          .sector(Sector(center: center, innerRadius: radius * 0.86, outerRadius: radius * 0.93)),
          ink.faded(to: 0.6 * rim))
      }
    }
    // The finger hides the leaf that it is on, so the hub of its ring says what it is.
    let named = chosen.flatMap { nodes[$0].parent == node ? nodes[$0].item : nil } ?? item
    if let image = named.image {
      // It grows and shrinks with what it stands on, which may swing.
      let moves = isLit || named.id != item.id || isMoving(at: now)
      let frame = Self.imageFrame(center, radius * legible)
      if legible > 0 {
        list.add(.rect(frame), .image(image, frame: frame, isMoving: moves))
      }
    } else if !named.label.isEmpty, legible > 0 {
      list.add(
        .text(
          TextRun(
            named.label, font: context.font, size: fontSize, at: center,
            box: Size(nodes[node].radius * 1.55, nodes[node].radius * 1.1), lines: 2,
            minimumSize: fontSize * 0.4, scale: radius / nodes[node].radius,
            isMoving: isMoving(at: now))),
        ink.faded(to: legible))
    }
    let back = legible * min(max(openness(node, at: now), 0), 1)
    if node > 0, back > 0 { drawBack(center, radius, ink.faded(to: back), into: &list) }
  }

  private static func imageFrame(_ center: Point, _ radius: Double) -> Rect {
    Rect(center: center, size: Size(radius * 1.3, radius * 1.3))
  }

  /// An arrowhead above the label of a nested ring's hub: a tap there goes back.
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
        let isUsable = context.isEnabled && nodes[leaf].item.isEnabled
        let own = color(leaf, in: context.theme)
        let color = isUsable ? own : own.disabled(on: context.background)
        list.add(
          .sector(
            Sector(
              center: center, innerRadius: radius * 0.9, outerRadius: radius * 0.95,
              start: middle - ring.step / 2, end: middle + ring.step / 2,
              inset: ring.count > 1 ? radius * 0.02 : 0)),
          color.faded(to: presence))
      }
    }
  }

  /// The colour of a node that names none: the palette's, or, around a leaf, one of a family with that
  /// leaf's hue in its middle.
  private func color(_ node: Int, in theme: Theme) -> Color {
    if let color = nodes[node].item.color { return color.color(in: theme) }
    let (index, parent) = (nodes[node].index, nodes[node].parent)
    let count = nodes[parent].leaves.count
    guard parent > 0, count <= 14 else { return .palette(index, of: count) }
    var family = OKLCH(color(parent, in: theme))
    family.hue += 25 * (Double(index) - Double(count - 1) / 2)
    return family.color
  }
}
