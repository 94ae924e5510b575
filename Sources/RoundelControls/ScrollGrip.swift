// SPDX-License-Identifier: MIT

internal import RoundelGeometry
internal import RoundelMotion

/// A finger on content that scrolls vertically. It scrolls when it has moved too far up or down for a
/// tap, or if it caught moving content.
struct ScrollGrip: Hashable {
  let finger: Int
  /// The point at touch-down, or when the content last followed the finger.
  private var last: Point
  private(set) var isDragging: Bool

  /// Stops `scroll` under the finger.
  init(_ touch: Touch, at point: Point, on scroll: inout Scroll, _ now: Instant) {
    finger = touch.finger
    last = point
    isDragging = scroll.isMoving
    scroll.grab(at: now, reported: touch.time)
  }

  mutating func move(_ touch: Touch, to point: Point, _ scroll: inout Scroll, at now: Instant) {
    if !isDragging, abs(point.y - last.y) > Touch.slop {
      // The finger's previous movement is ignored.
      (isDragging, last) = (true, point)
    }
    guard isDragging else { return }
    scroll.drag(by: last.y - point.y, at: now, reported: touch.time)
    last = point
  }

  /// Moves `scroll` for a picture.
  func shift(_ scroll: inout Scroll, to point: Point) {
    if isDragging { scroll.shift(by: last.y - point.y) }
  }

  func release(_ touch: Touch, _ scroll: inout Scroll, at now: Instant) {
    scroll.release(at: now, reported: touch.time, hasMomentum: touch.phase == .up && isDragging)
  }
}

/// A control whose content scrolls vertically.
protocol ScrollingControl: KeyedControl {
  var scroll: Scroll { get set }
  var scrollGrip: ScrollGrip? { get }
}

extension ScrollingControl {
  /// Whether the finger doesn't scroll the content along the axis.
  public func yields(_ finger: Int, toSwipeAlong axis: Axis, at now: Instant) -> Bool {
    scrollGrip?.finger == finger && (axis == .horizontal || scroll.length == 0)
  }

  /// Advances the scrolling motion.
  public mutating func advance(to now: Instant, events: inout [ControlEvent]) {
    scroll.advance(to: now)
  }

  /// The time when the motion ends or reverses.
  public func nextChange(after now: Instant) -> Instant? { scroll.nextChange }

  /// Whether the content scrolls without a finger.
  public func isMoving(at now: Instant) -> Bool { scroll.isMoving }
}
