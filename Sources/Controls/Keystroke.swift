// SPDX-License-Identifier: MIT

/// A press of a key, or one detent of a rotary encoder.
///
/// A turn each way and a press are enough for an encoder: `left`, `right` and `enter` can do everything that
/// keys can do, except leave a ring or a control early.
public enum Keystroke: String, CaseIterable, Hashable, Sendable {
  /// An arrow; an encoder that turns counterclockwise.
  case left
  /// An arrow; an encoder that turns clockwise.
  case right
  case up, down
  /// Tab: to the next control, also out of one that is in use.
  case next
  /// Shift and Tab.
  case previous
  /// A press of the encoder, Enter, Space.
  case enter
  /// Escape, Backspace.
  case back
  /// Repeats the last sentence, or begins to speak.
  case `repeat`
  /// How fast and how loud it speaks.
  case faster, slower, louder, quieter
  /// Stops speech until the next guest or `repeat`.
  case stop

  /// Whether it is for speech, and moves no focus.
  package var isOfSpeech: Bool {
    switch self {
    case .repeat, .faster, .slower, .louder, .quieter, .stop: true
    case .left, .right, .up, .down, .next, .previous, .enter, .back: false
    }
  }

  /// The direction of a turn through things in their order: 1 is forward, -1 back; nil for none.
  public var way: Int? {
    switch self {
    case .right, .down: 1
    case .left, .up: -1
    case .next, .previous, .enter, .back: nil
    case .repeat, .faster, .slower, .louder, .quieter, .stop: nil
    }
  }
}

// Enter enters a control that has parts or turns; then a key turns it or goes to another part, and Back
// leaves it.

extension Keystroke {
  /// The number of steps by which a key turns a control with one part, which Enter enters: 1 for right and up, −1 for
  /// left and down, 0 where it is entered or left; nil where the key does nothing there.
  func way(in part: inout Int?) -> Int? {
    guard part != nil else {
      guard self == .enter else { return nil }
      part = 0
      return 0
    }
    switch self {
    case .right, .up: return 1
    case .left, .down: return -1
    case .enter, .back:
      part = nil
      return 0
    default: return nil
    }
  }
}

extension Range<Int> {
  /// The next number that is suitable, going round at most once: the last is followed by the first.
  func next(
    from start: Int, by way: Int, startingHere: Bool = false, where suits: (Int) -> Bool
  ) -> Int? {
    guard !isEmpty else { return nil }
    var place = start
    for step in 0...count {
      if step > 0 || startingHere, suits(place) { return place }
      place += way
      if place >= upperBound { place = lowerBound }
      if place < lowerBound { place = upperBound - 1 }
    }
    return nil
  }
}
