// SPDX-License-Identifier: MIT

internal import Geometry
public import Motion

extension Ring {
  /// Whether fingers can drag it.
  public var takesKeys: Bool { isInteractive && !isSpinning }

  /// The rim.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    .sector(Sector(center: center, radius: radius))
  }

  /// Goes by one step: up with right and up, down with left and down.
  public mutating func handle(
    _ key: Keystroke, on part: inout Int?, at now: Instant, events: inout [ControlEvent]
  ) -> Bool {
    guard let way = key.way(in: &part) else { return false }
    if way != 0 { step(by: way, at: now, events: &events) }
    return true
  }
}
