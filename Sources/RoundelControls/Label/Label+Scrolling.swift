// SPDX-License-Identifier: MIT

internal import RoundelDrawing
public import RoundelGeometry
public import RoundelMotion

extension Label {
  var scrollFrame: Rect? { scrolls ? size.map { Rect(center: center, size: $0) } : nil }

  func bounds(at now: Instant) -> TextBounds? {
    guard scrolls, let size else { return size.map(TextBounds.frame) }
    let share = scroll.length > 0 ? scroll.position(at: now) / scroll.length : 0
    return .column(size, scrolled: share)
  }

  /// O(n) in the length of the text.
  mutating func measure() {
    guard let frame = scrollFrame else {
      scroll = Scroll(length: 0, reach: 1)
      return
    }
    let em = fontSize ?? standardSize
    // Overestimates the height, so that the text can be scrolled to its end.
    let rows = TextBounds.lineCount(text, width: frame.width / em * 0.95)
    let length = max(Double(rows) * 1.25 * em - frame.height + em, 0)
    guard length != scroll.length else { return }
    scroll = Scroll(length: length, reach: frame.height.within(1...1e9) / 2)
  }

  package mutating func keysChanged(since old: Label?, at now: Instant) {
    guard scrolls || old?.scrolls == true else { return }
    if old == nil || fontSize != old?.fontSize || scrolls != old?.scrolls { measure() }
    if let old { resumeScroll(of: old, at: now) }
  }

  mutating func resumeScroll(of old: Label, at now: Instant) {
    guard scrolls else { return scrollGrip = nil }
    scrollGrip = old.scrollGrip
    scroll.resume(old.scroll, at: now)
  }

  // MARK: Touch

  /// Whether `point` is on scrollable text. Otherwise, touches pass through.
  public func contains(_ point: Point, at now: Instant) -> Bool {
    scrollFrame?.contains(point) == true && scroll.length > 0
  }

  /// Scrolls with a finger.
  public mutating func handle(_ touch: Touch, at now: Instant, events: inout [ControlEvent]) {
    let place = touch.position
    switch touch.phase {
    case .down:
      guard scrollGrip == nil, contains(place, at: now) else { return }
      scrollGrip = ScrollGrip(touch, at: place, on: &scroll, now)
    case .move:
      if scrollGrip?.finger == touch.finger { scrollGrip?.move(touch, to: place, &scroll, at: now) }
    case .up, .cancel:
      guard let grip = scrollGrip, grip.finger == touch.finger else { return }
      scrollGrip = nil
      grip.release(touch, &scroll, at: now)
    }
  }

  /// Scrolls with the finger.
  public mutating func follow(_ position: (_ finger: Int) -> Point?, at now: Instant) {
    guard let grip = scrollGrip, let point = position(grip.finger) else { return }
    grip.shift(&scroll, to: point)
  }

  /// Stops immediately.
  public mutating func letGo(at now: Instant, events: inout [ControlEvent]) {
    scrollGrip = nil
    scroll.finish(at: now)
  }

  /// Returns to the first line.
  public mutating func reset(at now: Instant, events: inout [ControlEvent]) {
    scrollGrip = nil
    scroll = Scroll(length: scroll.length, reach: (size?.height ?? 1).within(1...1e9) / 2)
  }
}
