// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelGeometry
internal import RoundelMotion

/// Asks whether a user is still present before the kiosk goes home or sleeps. Any touch or key
/// answers it, and has no other effect.
struct StillThere: Feature {
  private(set) var isAsking = false {
    didSet { if isAsking != oldValue { revision &+= 1 } }
  }
  private(set) var revision: UInt64 = 0

  init(_ description: Description) {}

  /// Returns the times of the question, and of going home or to sleep.
  private func question(in engine: Engine) -> (start: Instant, end: Instant)? {
    // Pages with a shorter time limit, such as a thank-you page, don't ask.
    guard let seconds = engine.pages[engine.shownPage].warn ?? engine.screen.warn, !engine.isBlank,
      let due = engine.dueTime, seconds < due.after
    else { return nil }
    return (due.instant + -seconds, due.instant)
  }

  func nextChange(in engine: Engine) -> Instant? { isAsking ? nil : question(in: engine)?.start }

  mutating func notice(_ input: Input, _ engine: inout Engine) -> Bool {
    let wasAsking = isAsking
    switch input {
    case .touch(.down), .key:
      isAsking = false
      return wasAsking
    case .touch, .shake: isAsking = false
    case .jack, .end: break
    }
    return false
  }

  mutating func advance(_ engine: inout Engine, _ turn: inout Turn) {
    let question = question(in: engine)
    let isDue = question.map { $0.start <= engine.now && engine.now < $0.end } ?? false
    guard isDue != isAsking else { return }
    isAsking = isDue
    guard isDue, let question else { return }
    // The question hides the pressed controls.
    engine.releaseFingers(&turn)
    let seconds = ((question.end - engine.now) * 1e6).rounded() / 1e6
    engine.report("warned", [Field("seconds", .number(seconds))], &turn)
  }

  mutating func endSession(_ engine: inout Engine) { isAsking = false }

  func draw(into list: inout DisplayList, _ engine: Engine, in context: DrawingContext) {
    guard isAsking else { return }
    let whole = engine.screen.circle?.bounds ?? Rect(size: engine.screen.size)
    let side = min(whole.width, whole.height)
    let size = Size(min(whole.width * 0.7, side * 1.1), side * 0.5)
    let box = Rect(center: whole.center, size: size)
    list.add(.rect(Rect(size: engine.screen.size)), Color.black.faded(to: 0.6))
    list.add(.roundedRect(RoundedRect(box, radius: side * 0.03)), engine.theme.background)
    let frame = box.inset(by: side * 0.01)
    list.add(.roundedRect(RoundedRect(frame, radius: side * 0.025)), engine.theme.surface)
    let text = TextRun(
      engine.stillThere, font: context.font, size: side * 0.08,
      at: Point(box.center.x, box.y0 + box.height * 0.3),
      box: Size(frame.width * 0.9, box.height * 0.4), lines: 2, minimumSize: side * 0.03)
    list.add(.text(text), context.ink(on: engine.theme.surface))
    let button = Rect(
      center: Point(box.center.x, box.y0 + box.height * 0.72),
      size: Size(box.width * 0.5, box.height * 0.34))
    list.add(.roundedRect(RoundedRect(button, radius: button.height * 0.3)), engine.theme.accent)
    let answer = TextRun(
      engine.sentence(.stillHere), font: context.font, size: side * 0.07, at: button.center,
      box: Size(button.width * 0.9, button.height * 0.8), minimumSize: side * 0.03)
    list.add(.text(answer), context.ink(on: engine.theme.accent))
  }
}

extension Engine {
  /// Whether the kiosk is asking if a user is still present.
  public var isAsking: Bool { features[StillThere.self]?.isAsking ?? false }
}
