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
