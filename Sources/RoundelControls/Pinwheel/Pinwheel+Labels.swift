// SPDX-License-Identifier: MIT

internal import RoundelDrawing
internal import RoundelGeometry
internal import Glibc

extension Pinwheel {
  /// The orientation of the labels of the wedges.
  public enum LabelStyle: String, CaseIterable, Sendable {
    /// Along the middle of the wedge: outwards on the right half and inwards on the left, so never
    /// upside down.
    case radial
    case upright
    /// Along the arc. Labels always read from left to right.
    case curved
  }

  struct LabelLayout: Hashable {
    var anchor: Point
    var angle: Angle
    var bounds: TextBounds
    var icon: Point
    var detail: DetailLayout?
  }

  struct DetailLayout: Hashable {
    var anchor: Point
    var bounds: TextBounds
  }

  /// The default is 5.5 % of the wheel's diameter, but more on a small wheel.
  var em: Double { fontSize ?? Theme.labelSize(onRadius: radius) }

  /// A fraction of the label's size.
  static let detailShare = 0.7

  /// The number of labels that fit, by the typical widths of characters.
  struct LabelFit {
    let count: Int
    /// At 80 % of the size.
    let atSize: Int
    let atMinimum: Int

    /// Whether all labels fit. Only a quarter of them may need less than 80 % of their size.
    var isEnough: Bool { atMinimum == count && atSize >= count - max(count / 4, 1) }
  }

  /// O(n) in the characters.
  var labelFit: LabelFit {
    LabelFit(
      count: wedges.count, atSize: fittingLabels(at: em * 0.8),
      atMinimum: fittingLabels(at: em * Self.minimumLabel))
  }

  private func fittingLabels(at em: Double) -> Int {
    zip(wedges, labelLayouts).count { wedge, layout in
      layout.bounds.holds(wedge.label, em: em, lines: wedge.detail.isEmpty ? 3 : 1)
        && layout.detail.map { $0.bounds.holds(wedge.detail, em: em * Self.detailShare, lines: 1) }
          != false
    }
  }

  /// A nearly vertical label along its wedge.
  package var steepLabel: String? {
    guard explicitLabelStyle == .radial else { return nil }
    return zip(wedges, labelLayouts).first { wedge, layout in
      // Within 30° of the vertical.
      !wedge.label.isEmpty && abs((layout.angle + .degrees(90)).unit.x) < 0.5
    }?.0.label
  }

  package var hasRoomForLevelLabels: Bool {
    var level = self
    level.placeLabels(.upright)
    return level.labelFit.isEnough
  }

  private func split(_ layout: LabelLayout) -> LabelLayout {
    var split = layout
    let (up, down) = (-0.36 * em, 0.62 * em)
    let (upper, lower) = (1.25 * em, 1.25 * em * Self.detailShare)
    // Both lines share a centre if they fit in the space.
    if case .sector = layout.bounds,
      let extent = layout.bounds.extent(
        top: up - upper / 2, bottom: down + lower / 2, baseline: down)
    {
      let along = (layout.angle + .degrees(90)).unit
      let middle = layout.anchor + along * ((extent.lowerBound + extent.upperBound) / 2)
      let across = (layout.angle + .degrees(180)).unit
      let width = extent.upperBound - extent.lowerBound
      split.anchor = middle + across * up
      split.bounds = .box(Size(width, upper))
      split.detail = DetailLayout(anchor: middle + across * down, bounds: .box(Size(width, lower)))
      return split
    }
    (split.anchor, split.bounds) = shifted(layout, by: up, height: upper)
    let (anchor, bounds) = shifted(layout, by: down, height: lower)
    split.detail = DetailLayout(anchor: anchor, bounds: bounds)
    return split
  }

  private func shifted(
    _ layout: LabelLayout, by offset: Double, height: Double
  ) -> (anchor: Point, bounds: TextBounds) {
    let anchor = layout.anchor + (layout.angle + .degrees(180)).unit * offset
    switch layout.bounds {
    case .sector(var sector, _):
      sector.center.y -= offset
      return (anchor, .sector(sector, height: height))
    case .arc(var sector):
      sector.center.y -= offset
      let reach = abs(sector.center.y)
      sector.innerRadius = max(sector.innerRadius, reach - height / 2)
      sector.outerRadius = min(sector.outerRadius, reach + height / 2)
      return (anchor, .arc(sector))
    case .box, .frame, .column: return (anchor, layout.bounds)
    }
  }

  /// The icon is at the rim next to a radial label, above an upright label, and near the hub for a
  /// curved label.
  func labelLayout(_ index: Int) -> LabelLayout {
    let layout = undividedLayout(index)
    return wedges[index].detail.isEmpty ? layout : split(layout)
  }

  private func undividedLayout(_ index: Int) -> LabelLayout {
    let sector = sector(index)
    let margin = labelMargin
    let outwards = sector.middle.unit
    let alone = center + outwards * (labelStyle == .upright ? uprightReach : (hole + radius) / 2)
    var bounds = sector
    bounds.innerRadius = hole + margin
    bounds.outerRadius = max(radius - margin, bounds.innerRadius)
    let sharesSpace = wedges[index].icon != nil && !wedges[index].label.isEmpty
    let half = sector.sweep / 2
    func turned(to middle: Angle, center: Point) -> Sector {
      bounds.center = center
      (bounds.start, bounds.end) = (middle - half, middle + half)
      return bounds
    }
    switch labelStyle {
    case .radial:
      // The text's x axis points outwards on the right half, inwards on the left.
      let icon = iconReach
      if sharesSpace {
        bounds.outerRadius = max(icon - Self.iconReach * icons.side, bounds.innerRadius)
      }
      let reach = (bounds.innerRadius + bounds.outerRadius) / 2
      let isOutwards = outwards.x >= -1e-9
      let own = turned(
        to: .degrees(isOutwards ? 90 : -90), center: Point(isOutwards ? -reach : reach, 0))
      return LabelLayout(
        anchor: center + outwards * reach, angle: sector.middle - .degrees(isOutwards ? 90 : -90),
        bounds: .sector(own), icon: hasIconsWithLabels ? center + outwards * icon : alone)
    case .upright:
      if wedges.count > 1 { bounds.inset += Self.sideMargin * em }
      var anchor = alone
      var icon = alone
      var height = Double.infinity
      if sharesSpace {
        // The icon has the upper half of a disc in the wedge, and the label the lower half.
        let disc = uprightDisc.radius
        icon.y -= disc * 0.45
        anchor.y += disc * 0.42
        height = disc * 0.84
      }
      return LabelLayout(
        anchor: anchor, angle: .zero,
        bounds: .sector(
          turned(to: sector.middle, center: .zero + (center - anchor)), height: height),
        icon: icon)
    case .curved:
      let icon = iconReach
      if sharesSpace {
        bounds.innerRadius = min(icon + Self.iconReach * icons.side, bounds.outerRadius)
      }
      let reach =
        sharesSpace ? (bounds.innerRadius + bounds.outerRadius) / 2 : hole + (radius - hole) * 0.6
      let isUp = outwards.y <= 1e-9
      bounds.inset += margin / 2
      return LabelLayout(
        anchor: center + outwards * reach,
        angle: isUp ? sector.middle : sector.middle + .degrees(180),
        bounds: .arc(turned(to: .zero, center: Point(0, isUp ? reach : -reach))),
        icon: hasIconsWithLabels ? center + outwards * icon : alone)
    }
  }

  private var labelMargin: Double { (radius - hole) * 0.06 }

  /// The margin in ems.
  private static let sideMargin = 0.12

  /// The height of a line with the space above and below its characters.
  var labelDepth: Double {
    let sector = sector(0)
    switch labelStyle {
    case .upright: return 2 * uprightDisc.radius
    case .curved: return radius - hole - 2 * labelMargin - Self.iconReach * 2 * icons.side
    case .radial where sector.isClosed: return radius - hole
    case .radial:
      let edge = sin(min(sector.sweep.radians / 2, .pi / 2))
      return 2 * ((hole + radius) / 2 * edge - sector.inset)
    }
  }

  // MARK: Icons

  /// The free distance from an icon's centre, as a fraction of its side. Most symbols leave the
  /// corners empty.
  private static var iconReach: Double { 0.58 }

  var iconSide: Double {
    guard wedges.contains(where: { $0.icon != nil }) else { return 0 }
    if let iconSize { return min(iconSize, max(radius - hole, 0)) }
    let (depth, reach) = (radius - hole, Self.iconReach)
    if labelStyle == .upright { return uprightDisc.radius * (hasIconsWithLabels ? 0.8 : 1.2) }
    let edge = sin(min(sector(0).sweep.radians / 2, .pi / 2))
    let inset = sector(0).inset
    // A disc of the radius q touches both edges if its centre is (q + inset) / sin h from the hub.
    let fitting: Double
    if !hasIconsWithLabels {
      fitting = ((hole + radius) / 2 * edge - inset) / reach
      return max(min(fitting, 0.5 * depth), 0)
    }
    switch labelStyle {
    case .curved:
      fitting = edge < 1 ? ((hole + labelMargin) * edge - inset) / (reach * (1 - edge)) : .infinity
    default: fitting = ((radius - labelMargin) * edge - inset) / (reach * (1 + edge))
    }
    return max(min(fitting, 0.28 * depth), 0)
  }

  /// The distance for radial and curved labels.
  private var iconReach: Double {
    let own = Self.iconReach * icons.side
    return labelStyle == .curved ? hole + labelMargin + own : radius - labelMargin - own
  }

  /// The largest disc for level labels and their icons.
  private var uprightDisc: (reach: Double, radius: Double) {
    let sector = sector(0)
    let rim = radius - labelMargin
    let middle = (hole + radius) / 2
    guard !sector.isClosed else { return (middle, rim - middle) }
    let edge = sin(min(sector.sweep.radians / 2, .pi / 2))
    // The disc touches the rim, and either the hole or both edges: R − r = r · sin h − inset.
    let reach = max(middle, (rim + sector.inset) / (1 + edge))
    return (reach, max(min(rim - reach, reach * edge - sector.inset), 0))
  }

  /// The centroid of the wedge, 2·sin α/3α · (R³ − r³)/(R² − r²) for half its angle α. A single
  /// wedge has the label in the middle of the ring. With icons, it is the centre of the largest
  /// disc in the wedge.
  private var uprightReach: Double {
    if icons.side > 0 { return uprightDisc.reach }
    let ring = (hole + radius) / 2
    let alpha = sector(0).sweep.radians / 2
    guard wedges.count > 1, alpha > 1e-6, radius > hole else { return ring }
    let (inner, outer) = (hole, radius)
    let centroid =
      2 * sin(alpha) / (3 * alpha)
      * (outer * outer + outer * inner + inner * inner) / (outer + inner)
    // Labels above or below the hole don't touch it, if the ring is wide enough.
    let height = hasDetails ? 1.2 * em : 0.75 * em
    let clear = min(hole + labelMargin + height, ring)
    return max(centroid, hole + (radius - hole) * 0.25, clear)
  }
}
