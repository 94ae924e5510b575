// SPDX-License-Identifier: MIT

internal import RoundelDrawing
internal import RoundelGeometry

extension Menu {
  /// Labels and icons of a ring's discs share one size.
  struct Face: Hashable {
    var labels = TextPeers()
    var icons = IconSetting([], side: 0, font: Font())

    init() {}

    /// The nodes must have the same radius. While a leaf is chosen, `hub` shows it.
    init(_ nodes: ArraySlice<Node>, onHub hub: Node? = nil, _ iconFont: Font) {
      let named = nodes.filter { $0.item.image == nil }
      labels = TextPeers(
        named.filter { !$0.item.label.isEmpty }.map { node in
          TextPeers.Text(
            node.item.label, bounds: LabelLayout(of: node.item, on: hub ?? node).bounds)
        })
      let hasLabels = named.contains { $0.item.icon != nil && !$0.item.label.isEmpty }
      let radius = nodes.isEmpty ? 0 : (hub ?? nodes[nodes.startIndex]).radius
      icons = IconSetting(
        named.compactMap(\.item.icon), side: radius * (hasLabels ? 0.6 : 0.84), font: iconFont)
    }
  }

  /// Positions downwards from the disc's centre.
  struct LabelLayout {
    var label = 0.0
    var icon = 0.0
    var bounds: TextBounds

    init(of item: Item, on disc: Node) {
      // A disc with a ring has a rim, and a nested one has the arrowhead above its centre.
      let radius = disc.radius * (disc.ring == nil ? 0.9 : 0.84)
      var height = disc.ring == nil || disc.isRoot ? .infinity : disc.radius * 1.04
      if item.icon != nil, !item.label.isEmpty {
        icon = -disc.radius * 0.24
        label = disc.radius * 0.36
        // Enough for two lines.
        height = disc.radius * 0.76
      }
      bounds = .sector(Sector(center: Point(0, -label), radius: radius), height: height)
    }
  }

  static let maximumLines = 4
  private static let minimumLabel = 0.5

  func label(
    of item: Item, on node: Int, _ face: Face, at center: Point, scale: Double, isMoving: Bool,
    in context: DrawingContext
  ) -> TextRun {
    let size = fontSize ?? Theme.step(nodes[node].radius * 0.42)
    let layout = LabelLayout(of: item, on: nodes[node])
    return TextRun(
      item.label, font: context.font(ofItem: item.id), size: size,
      at: Point(center.x, center.y + layout.label * scale), bounds: layout.bounds,
      peers: face.labels,
      lines: Self.maximumLines, minimumSize: size * Self.minimumLabel, scale: scale,
      isMoving: isMoving)
  }

  // MARK: Colours

  /// The leaf's own colour, or the palette's. On a nested ring, derived from the hub's, or nil if
  /// that depends on the theme.
  static func color(
    of item: Item, _ index: Int, among count: Int, around hub: Node, _ place: Int
  ) -> ThemeColor? {
    if let color = item.color { return color }
    guard place > 0, count <= 14 else { return .fixed(.palette(index, of: count)) }
    guard case .fixed(let color) = hub.color else { return nil }
    return .fixed(family(of: color, index, of: count))
  }

  private static func family(of color: Color, _ index: Int, of count: Int) -> Color {
    var family = OKLCH(color)
    family.hue += 25 * (Double(index) - Double(count - 1) / 2)
    return family.color
  }

  func color(_ node: Int, in theme: Theme) -> Color {
    if let color = nodes[node].color { return color.color(in: theme) }
    let (index, parent) = (nodes[node].index, nodes[node].parent)
    return Self.family(of: color(parent, in: theme), index, of: nodes[parent].leaves.count)
  }

  func ringInk(around node: Int, in context: DrawingContext) -> RingInk {
    var ink = RingInk(context)
    for leaf in nodes[node].leaves where nodes[leaf].item.isEnabled || !context.isEnabled {
      ink.add(color(leaf, in: context.theme).over(context.background))
    }
    return ink
  }
}
