// SPDX-License-Identifier: MIT

internal import Drawing
internal import Geometry
internal import Glibc

extension Pinwheel {
  /// How the labels of the wedges stand.
  public enum LabelStyle: String, CaseIterable, Sendable {
    /// Along the middle of the wedge, outwards on the right half and inwards on the left, so that they are
    /// never upside down.
    case radial
    /// Level.
    case upright
    /// Along the arc, on the lower half from left to right as well.
    case curved

    /// What suits wheels of so many wedges: of one to three, radial labels at the top and at the bottom
    /// could not be read straight on.
    static func suiting(_ count: Int) -> LabelStyle { count <= 3 ? .upright : .radial }
  }

  /// The label of a wedge: its place, and the room that it has.
  struct LabelPlace: Hashable {
    var anchor: Point
    var angle: Angle
    var room: TextRoom
  }

  /// Where the label of a wedge stands.
  func labelPlace(_ index: Int) -> LabelPlace {
    let sector = sector(index)
    let margin = (radius - hole) * Self.labelMargin
    var room = sector
    room.innerRadius = hole + margin
    room.outerRadius = max(radius - margin, room.innerRadius)
    let outwards = sector.middle.unit
    let half = sector.sweep / 2
    func turned(to middle: Angle, center: Point) -> Sector {
      room.center = center
      (room.start, room.end) = (middle - half, middle + half)
      return room
    }
    switch labelStyle {
    case .radial:
      // The text's own x runs outwards on the right half, inwards on the left.
      let reach = (hole + radius) / 2
      let isOutwards = outwards.x >= -1e-9
      let own = turned(
        to: .degrees(isOutwards ? 90 : -90), center: Point(isOutwards ? -reach : reach, 0))
      return LabelPlace(
        anchor: center + outwards * reach,
        angle: sector.middle - .degrees(isOutwards ? 90 : -90), room: .sector(own))
    case .upright:
      let anchor = center + outwards * uprightReach(half)
      return LabelPlace(
        anchor: anchor, angle: .zero,
        room: .sector(turned(to: sector.middle, center: .zero + (center - anchor))))
    case .curved:
      let reach = hole + (radius - hole) * 0.6
      let isUp = outwards.y <= 1e-9
      room.inset += margin / 2
      return LabelPlace(
        anchor: center + outwards * reach,
        angle: isUp ? sector.middle : sector.middle + .degrees(180),
        room: .arc(turned(to: .zero, center: Point(0, isUp ? reach : -reach))))
    }
  }

  /// The part of a wedge's length that stays free at both ends of its label.
  private static var labelMargin: Double { 0.06 }

  /// The distance of level labels from the hub: that of the wedge's centroid, 2·sin α/3α · (R³ − r³)/(R² − r²)
  /// for half its angle α. The centroid of a wheel of one wedge is the hub itself, so that its label stands in
  /// the middle of the ring.
  private func uprightReach(_ half: Angle) -> Double {
    let ring = (hole + radius) / 2
    let alpha = half.radians
    guard wedges.count > 1, alpha > 1e-6, radius > hole else { return ring }
    let (inner, outer) = (hole, radius)
    let centroid =
      2 * sin(alpha) / (3 * alpha)
      * (outer * outer + outer * inner + inner * inner) / (outer + inner)
    return max(centroid, hole + (radius - hole) * 0.25)
  }
}
