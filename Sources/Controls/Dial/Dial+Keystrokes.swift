// SPDX-License-Identifier: MIT

internal import Geometry
public import Motion

extension Dial {
  /// True.
  public var takesKeys: Bool { true }

  /// The face.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    .sector(Sector(center: center, radius: radius))
  }

  /// Turns by one label: right and up to the next index, left and down to the one before.
  public mutating func handle(
    _ key: Keystroke, on part: inout Int?, at now: Instant, events: inout [ControlEvent]
  ) -> Bool {
    guard let way = key.way(in: &part) else { return false }
    if way != 0 { turn(by: way, at: now, events: &events) }
    return true
  }
}
