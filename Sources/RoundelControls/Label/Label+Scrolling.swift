// SPDX-License-Identifier: MIT

internal import RoundelDrawing
public import RoundelGeometry
public import RoundelMotion

extension Label {
  var scrollFrame: Rect? { scrolls ? size.map { Rect(center: center, size: $0) } : nil }

  func bounds(at now: Instant) -> TextBounds? {
    guard scrolls, let size else { return size.map(TextBounds.frame) }
    return .column(size, scrolled: scroll.length > 0 ? fraction(at: now) : 0)
  }

  /// Exact for `turn(to:)`, so that another process shows the same lines.
  private func fraction(at now: Instant) -> Double {
    let position = scroll.position(at: now)
    // A glide skips less than half a pixel.
    if position <= scroll.length, position > scroll.length - 0.5 { return 1 }
    return (position / scroll.length * 0x1p20).rounded() * 0x1p-20
  }

  /// The fraction of the overflowing text above the frame, 0 … 1. A text that fits is at its end.
  func position(at now: Instant) -> Double {
    scroll.length > 0 ? fraction(at: now).within(0...1) : 1
  }

  mutating func turn(to position: Double, at now: Instant) {
    scrollGrip = nil
    scroll.turn(to: position * scroll.length, duration: 0.3, at: now)
  }

  /// Starts a new text at its first line.
  mutating func beginText() {
    scroll = Scroll(length: 0, reach: 1)
    measure()
    if end == .reported { end = .unseen }
  }

  mutating func reportEnd(at now: Instant, events: inout [ControlEvent]) {
    guard reportsEnd, scrollFrame != nil, !text.isEmpty, end == .unseen, !scroll.isMoving,
      position(at: now) == 1
    else { return }
    end = .reported
    events.append(ControlEvent("ended", at: now))
  }

  /// Advances the scrolling motion, and reports its end.
  public mutating func advance(to now: Instant, events: inout [ControlEvent]) {
    scroll.advance(to: now)
    reportEnd(at: now, events: &events)
  }

  /// Reports the end of a text that fits.
  public mutating func appear(at now: Instant, events: inout [ControlEvent]) {
    if end == .hidden { end = .unseen }
    reportEnd(at: now, events: &events)
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
      guard scrollGrip?.finger == touch.finger else { return }
      scrollGrip?.move(touch, to: place, &scroll, at: now)
      reportEnd(at: now, events: &events)
    case .up, .cancel:
      guard let grip = scrollGrip, grip.finger == touch.finger else { return }
      scrollGrip = nil
      grip.release(touch, &scroll, at: now)
      reportEnd(at: now, events: &events)
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
    reportEnd(at: now, events: &events)
  }

  /// Returns to the first line.
  public mutating func reset(at now: Instant, events: inout [ControlEvent]) {
    scrollGrip = nil
    scroll = Scroll(length: scroll.length, reach: (size?.height ?? 1).within(1...1e9) / 2)
    end = .hidden
  }

  // MARK: Keys and speech

  /// Whether the text scrolls.
  public var takesKeys: Bool { scrollFrame != nil && scroll.length > 0 }

  /// Scrolls by half a frame: down and right forwards, up and left backwards. At a stop, the key
  /// moves the focus.
  public mutating func handle(
    _ key: Keystroke, on part: inout Int?, at now: Instant, events: inout [ControlEvent]
  ) -> Bool {
    guard let step = key.step, let frame = scrollFrame, scroll.length > 0 else { return false }
    let target = (scroll.target(at: now) + Double(step) * frame.height / 2)
      .within(0...scroll.length)
    guard target != scroll.target(at: now) else { return false }
    scrollGrip = nil
    scroll.turn(to: target, duration: 0.3, at: now)
    return true
  }

  /// The frame.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    scrollFrame.map { .rect(RoundedRect($0)) }
  }

  /// Whether the text scrolls.
  public var scrollsBySpeech: Bool { takesKeys }

  /// Scrolls to the end.
  public mutating func finishSpeech(at now: Instant) { turn(to: 1, at: now) }
}
