// SPDX-License-Identifier: MIT

internal import Geometry
public import Motion

extension Dial {
  /// Always true.
  public var takesKeys: Bool { true }

  /// The outline of the face.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    .sector(Sector(center: center, radius: radius))
  }

  /// Turns the face by one label: right and up to the next, left and down to the previous one.
  public mutating func handle(
    _ key: Keystroke, on part: inout Int?, at now: Instant, events: inout [ControlEvent]
  ) -> Bool {
    guard let way = key.way(in: &part) else { return false }
    if way != 0 { turn(by: way, at: now, events: &events) }
    return true
  }
}
