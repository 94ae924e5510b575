// SPDX-License-Identifier: MIT

package import RoundelDrawing
public import RoundelGeometry

/// The outline for the focus mark: a control's or a part's.
public enum FocusOutline: Hashable, Sendable {
  /// A disc, a ring or a wedge.
  case sector(Sector)
  case rect(RoundedRect)
}

extension FocusOutline {
  /// The width in design pixels.
  private static let width = 4.0
  /// The width of the contrasting line on both sides of the mark.
  private static let halo = 2.0
  private static let distance = 3.0

  /// Draws the mark along the inner edge of a part, or around a control if that is within `screen`.
  package func draw(
    isPart: Bool, in screen: Rect, into list: inout DisplayList, context: DrawingContext
  ) {
    let (ink, shade) = Self.inks(of: context.ink(on: context.background))
    let (width, halo) = (Self.width, Self.halo)
    let outside = -(Self.distance + width)
    let space = bounds.inset(by: outside - halo)
    let isInside = isPart || space.intersection(screen) != space
    let start = isInside ? halo : outside
    list.addInOnePass { add(from: start - halo, to: start + width + halo, shade, into: &$0) }
    list.addInOnePass { add(from: start, to: start + width, ink, into: &$0) }
  }

  /// Returns two colours with a contrast of at least 9 to 1, so on any colour one of them has at
  /// least 3 to 1.
  static func inks(of ink: Color) -> (line: Color, halo: Color) {
    let opposite = ink.readableText
    guard ink.contrast(with: opposite) < 9 else { return (ink, opposite) }
    return (opposite.readableText, opposite)
  }

  /// Draws the mark of the current choice along the inner edge of a part.
  ///
  /// - Parameters:
  ///   - fill: The opaque colour of the part.
  ///   - presence: The opacity, 0 … 1.
  func drawSelection(
    on fill: Color, presence: Double = 1, into list: inout DisplayList, in context: DrawingContext
  ) {
    let accent = context.theme.accent
    let ink =
      accent.contrast(with: fill) >= Color.signContrast
      ? context.shown(accent) : context.ink(on: fill)
    let color = ink.faded(to: presence * context.presence)
    let (start, end) = (Self.selection, Self.selection + Self.width)
    list.addInOnePass { add(from: start, to: end, color, into: &$0) }
  }

  /// The distance of the mark of the current choice from the edge.
  private static let selection = 4.0

  /// Draws the elapsed part of the time until a press counts as held, along the inner edge.
  ///
  /// - Parameter part: The elapsed part, 0 … 1.
  package func drawProgress(_ part: Double, _ color: Color, into list: inout DisplayList) {
    let part = min(max(part, 0), 1)
    guard part > 0 else { return }
    switch self {
    case .sector(let sector):
      let depth = min(Self.progress, sector.outerRadius - sector.innerRadius)
      guard depth > 0 else { return }
      var band = sector
      band.innerRadius = sector.outerRadius - depth
      band.end = band.start + (sector.end - sector.start) * part
      if !sector.isClosed { band.inset = 0 }
      list.add(.sector(band), color)
    case .rect(let shape): list.addInOnePass { addPath(of: shape, part, color, into: &$0) }
    }
  }

  /// The width of the line that shows the elapsed time.
  private static let progress = 6.0

  /// Adds the first part of a frame, clockwise from the middle of its top.
  private func addPath(
    of shape: RoundedRect, _ part: Double, _ color: Color, into list: inout DisplayList
  ) {
    let (rect, radius) = (shape.rect, shape.radius)
    let width = min(Self.progress, min(rect.width, rect.height) / 2)
    guard width > 0 else { return }
    let (across, along) = (max(rect.width - 2 * radius, 0), max(rect.height - 2 * radius, 0))
    let curve = radius * .pi / 2
    var rest = part * 2 * (across + along + 2 * curve)
    func take(_ length: Double) -> Double {
      let taken = min(max(rest, 0), length)
      rest -= length
      return taken
    }
    func addRect(_ x: Double, _ y: Double, _ dx: Double, _ dy: Double) {
      guard dx != 0, dy != 0 else { return }
      list.add(
        .rect(Rect(x0: min(x, x + dx), y0: min(y, y + dy), x1: max(x, x + dx), y1: max(y, y + dy))),
        color)
    }
    func addCorner(_ x: Double, _ y: Double, _ start: Double) {
      let taken = take(curve)
      guard taken > 0 else { return }
      list.add(
        .sector(
          Sector(
            center: Point(x, y), innerRadius: max(radius - width, 0), outerRadius: radius,
            start: .degrees(start), end: .degrees(start + 90 * taken / curve))), color)
    }
    let (left, right) = (rect.x0 + radius, rect.x1 - radius)
    let (top, bottom) = (rect.y0 + radius, rect.y1 - radius)
    addRect(rect.center.x, rect.y0, take(across / 2), width)
    addCorner(right, top, 0)
    addRect(rect.x1, top, -width, take(along))
    addCorner(right, bottom, 90)
    addRect(right, rect.y1, -take(across), -width)
    addCorner(left, bottom, 180)
    addRect(rect.x0, bottom, width, -take(along))
    addCorner(left, top, 270)
    addRect(left, rect.y0, take(across / 2), width)
  }

  package func drawOutline(into list: inout DisplayList, _ color: Color) {
    list.addInOnePass { add(from: 0, to: Self.halo, color, into: &$0) }
  }

  private var bounds: Rect {
    switch self {
    case .sector(let sector): sector.bounds
    case .rect(let shape): shape.rect
    }
  }

  /// Adds the band between two distances inwards from the outline, not negative for a wedge.
  private func add(
    from near: Double, to far: Double, _ color: Color, into list: inout DisplayList
  ) {
    switch self {
    case .sector(let sector) where sector.isClosed:
      let outer = sector.outerRadius
      func addRing(_ inner: Double, _ outer: Double) {
        guard outer > max(inner, 0) else { return }
        list.add(
          .sector(
            Sector(center: sector.center, innerRadius: max(inner, 0), outerRadius: outer)), color)
      }
      addRing(outer - far, outer - near)
      if sector.innerRadius > 0, near >= 0, sector.innerRadius + far < outer - far {
        addRing(sector.innerRadius + near, sector.innerRadius + far)
      }
    case .sector(let sector): addEdge(of: sector, near, far, color, into: &list)
    case .rect(let shape): addFrame(of: shape, near, far, color, into: &list)
    }
  }

  private func addEdge(
    of wedge: Sector, _ near: Double, _ far: Double, _ color: Color, into list: inout DisplayList
  ) {
    var band = wedge
    band.inset += near
    let inset = wedge.inset + far
    // Two lines at distance d from the edges of an angle 2a meet at d / sin a from the centre.
    let half = min(wedge.sweep.radians / 2, .pi / 2)
    let apex = inset / max(Angle.radians(half).unit.x, 1e-6)
    let inner = max(wedge.innerRadius + far, apex)
    let outer = wedge.outerRadius - far
    band.innerRadius = wedge.innerRadius + near
    band.outerRadius = wedge.outerRadius - near
    guard band.outerRadius > band.innerRadius else { return }
    guard outer > inner else {
      list.add(.sector(band), color)
      return
    }
    var rim = band
    rim.innerRadius = outer
    list.add(.sector(rim), color)
    var hub = band
    hub.outerRadius = inner
    list.add(.sector(hub), color)
    for (edge, side) in [(wedge.start.unit, 1.0), (wedge.end.unit, -1)] {
      let inwards = Vector(-edge.y * side, edge.x * side)
      func corner(_ radius: Double, _ inset: Double) -> Point {
        let along = max(radius * radius - inset * inset, 0).squareRoot()
        return wedge.center + edge * along + inwards * inset
      }
      list.addPolygon(color) { corners in
        corners.append(corner(inner, band.inset))
        corners.append(corner(outer, band.inset))
        corners.append(corner(outer, inset))
        corners.append(corner(inner, inset))
      }
    }
  }

  private func addFrame(
    of shape: RoundedRect, _ near: Double, _ far: Double, _ color: Color,
    into list: inout DisplayList
  ) {
    let rect = shape.rect
    // All bands share the centres of their corners.
    let radius = RoundedRect(rect, radius: max(shape.radius, far)).radius
    let (outer, inner) = (rect.inset(by: near), max(radius - far, 0))
    let width = far - near
    guard outer.width > 2 * width, outer.height > 2 * width else {
      list.add(.roundedRect(RoundedRect(outer, radius: radius - near)), color)
      return
    }
    let (left, right) = (rect.x0 + radius, rect.x1 - radius)
    let (top, bottom) = (rect.y0 + radius, rect.y1 - radius)
    func addSide(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double) {
      if x1 > x0, y1 > y0 { list.add(.rect(Rect(x0: x0, y0: y0, x1: x1, y1: y1)), color) }
    }
    addSide(left, outer.y0, right, outer.y0 + width)
    addSide(left, outer.y1 - width, right, outer.y1)
    addSide(outer.x0, top, outer.x0 + width, bottom)
    addSide(outer.x1 - width, top, outer.x1, bottom)
    let corners = [
      (Point(right, top), 0.0), (Point(right, bottom), 90), (Point(left, bottom), 180),
      (Point(left, top), 270),
    ]
    for (center, start) in corners {
      list.add(
        .sector(
          Sector(
            center: center, innerRadius: inner, outerRadius: radius - near,
            start: .degrees(start), end: .degrees(start + 90))), color)
    }
  }
}
