// SPDX-License-Identifier: MIT

package import RoundelGeometry

package struct Touchscreen: Hashable, Sendable {
  package var name: String
  /// Applied to positions before they are reported.
  package var matrix: TouchMatrix

  package init(name: String, matrix: TouchMatrix = .identity) {
    self.name = name
    self.matrix = matrix
  }
}

/// Crosses to tap, for the matrix of the touchscreen that is tapped first. A tap is at the finger's
/// last position.
package struct Calibration: Sendable {
  /// Positions on the panel, whose sides count as 1 each.
  package let crosses: [Point]
  package private(set) var taps: [Point] = []
  package private(set) var touchscreen: Touchscreen?
  private var device: Int?
  private var finger: (slot: Int, place: Point)?

  /// Crosses are in the corners and in the centre. On a round panel, they are inside the visible
  /// circle.
  package init(isRound: Bool = false) {
    let side = isRound ? 0.22 : 0.1
    crosses = [
      Point(side, side), Point(1 - side, side), Point(1 - side, 1 - side), Point(side, 1 - side),
      Point(0.5, 0.5),
    ]
  }

  /// The next cross to tap, or nil after the last.
  package var cross: Point? { taps.count < crosses.count ? crosses[taps.count] : nil }

  package mutating func handle(_ event: InputEvent, of touchscreen: Touchscreen) {
    guard cross != nil else { return }
    switch event {
    case .down(let device, let slot, let place):
      guard self.device ?? device == device, finger == nil, place.x.isFinite, place.y.isFinite
      else { return }
      if self.device == nil { (self.device, self.touchscreen) = (device, touchscreen) }
      finger = (slot, place)
    case .move(device, let slot, let place):
      if finger?.slot == slot, place.x.isFinite, place.y.isFinite { finger?.place = place }
    case .up(device, let slot):
      guard let finger, finger.slot == slot else { return }
      taps.append(finger.place)
      self.finger = nil
    case .cancel(device, finger?.slot): finger = nil
    case .removed(device): finger = nil
    default: break
    }
  }

  /// Throws if not all crosses were tapped.
  package func matrix() throws(CalibrationRefusal) -> TouchMatrix {
    guard cross == nil, let touchscreen else {
      throw CalibrationRefusal("not all crosses were tapped")
    }
    return try TouchMatrix(
      taps: taps.map { touchscreen.matrix.inverted(at: $0) }, on: crosses)
  }

  /// The distances of taps from crosses in panel pixels, with `matrix` or the current one.
  package func errors(by matrix: TouchMatrix? = nil, on panel: PixelSize) -> [Double] {
    zip(taps, crosses).map { tap, cross in
      let place =
        if let matrix, let touchscreen {
          matrix.applied(to: touchscreen.matrix.inverted(at: tap))
        } else { tap }
      let (dx, dy) = (
        (place.x - cross.x) * Double(panel.width), (place.y - cross.y) * Double(panel.height)
      )
      return (dx * dx + dy * dy).squareRoot()
    }
  }
}
