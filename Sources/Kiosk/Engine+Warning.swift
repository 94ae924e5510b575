// SPDX-License-Identifier: MIT

internal import Controls
internal import Drawing
internal import Expressions
internal import Geometry
internal import Motion

/// The question whether anybody is still there, before the kiosk goes home or sleeps. Any touch or key goes
/// on, and does nothing else.
extension Engine {
  /// When the kiosk is to ask, and when it goes home or sleeps then; nil for never.
  private var question: (start: Instant, end: Instant)? {
    // A page that is shown for less time, as a thank you, is left without a question.
    guard let seconds = pages[shownPage].warn ?? screen.warn, !isBlank, let due = dueTime,
      seconds < due.after
    else { return nil }
    return (due.moment + -seconds, due.moment)
  }

  /// When the question is to be asked; nil where it is asked already, or never.
  var questionTime: Instant? { isAsking ? nil : question?.start }

  /// Asks, or asks no more, as the time says.
  mutating func followQuestion(_ turn: inout Turn) {
    let isDue = question.map { $0.start <= now && now < $0.end } ?? false
    guard isDue != isAsking else { return }
    features.isAsking = isDue
    guard isDue, let question else { return }
    // Nothing is pressed that nobody sees any more.
    for finger in fingers { release(finger, &turn) }
    let seconds = ((question.end - now) * 1e6).rounded() / 1e6
    report("warned", [Field("seconds", .number(seconds))], &turn)
  }

  /// A person is there: what is asked is answered. Returns whether it was asked.
  mutating func answerQuestion() -> Bool {
    guard isAsking else { return false }
    features.isAsking = false
    features.speech?.announced = nil
    return true
  }

  /// Draws the question in front of all else.
  func drawQuestion(into list: inout DisplayList, in context: DrawingContext) {
    let whole = screen.circle?.bounds ?? Rect(size: screen.size)
    let side = min(whole.width, whole.height)
    let size = Size(min(whole.width * 0.7, side * 1.1), side * 0.5)
    let box = Rect(center: whole.center, size: size)
    list.add(.rect(Rect(size: screen.size)), Color.black.faded(to: 0.6))
    list.add(.roundedRect(RoundedRect(box, radius: side * 0.03)), theme.background)
    let frame = box.inset(by: side * 0.01)
    list.add(.roundedRect(RoundedRect(frame, radius: side * 0.025)), theme.surface)
    let text = TextRun(
      stillThere, font: context.font, size: side * 0.08,
      at: Point(box.center.x, box.y0 + box.height * 0.3),
      box: Size(frame.width * 0.9, box.height * 0.4), lines: 2, minimumSize: side * 0.03)
    list.add(.text(text), context.ink(on: theme.surface))
    let button = Rect(
      center: Point(box.center.x, box.y0 + box.height * 0.72),
      size: Size(box.width * 0.5, box.height * 0.34))
    list.add(.roundedRect(RoundedRect(button, radius: button.height * 0.3)), theme.accent)
    let answer = TextRun(
      sentence("still_here"), font: context.font, size: side * 0.07, at: button.center,
      box: Size(button.width * 0.9, button.height * 0.8), minimumSize: side * 0.03)
    list.add(.text(answer), context.ink(on: theme.accent))
  }
}
