// SPDX-License-Identifier: MIT

internal import Geometry
public import Motion

extension Ring {
  /// Whether fingers can drag the value.
  public var takesKeys: Bool { isInteractive && !isSpinning }

  /// The outline of the rim.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    .sector(Sector(center: center, radius: radius))
  }

  /// Moves the value by one step: right and up increase it, left and down decrease it.
  public mutating func handle(
    _ key: Keystroke, on part: inout Int?, at now: Instant, events: inout [ControlEvent]
  ) -> Bool {
    guard let way = key.way(in: &part) else { return false }
    if way != 0 { step(by: way, at: now, events: &events) }
    return true
  }
}
