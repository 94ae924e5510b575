// SPDX-License-Identifier: MIT

/// A key press, or one detent of a rotary encoder, which needs only `left`, `right` and `enter`.
public enum Keystroke: String, CaseIterable, Hashable, Sendable {
  /// A counterclockwise turn of an encoder.
  case left
  /// A clockwise turn of an encoder.
  case right
  case up, down
  /// Tab, which also leaves a control in use.
  case next
  /// Shift+Tab.
  case previous
  /// Enter, Space, or a press of the encoder.
  case enter
  /// Escape or Backspace.
  case back
  /// Repeats the last sentence, or starts speech.
  case `repeat`
  case faster, slower, louder, quieter
  /// Stops speech until the next guest or `repeat`.
  case stop

  package var isOfSpeech: Bool {
    switch self {
    case .repeat, .faster, .slower, .louder, .quieter, .stop: true
    case .left, .right, .up, .down, .next, .previous, .enter, .back: false
    }
  }

  /// Right and down are 1, left and up are -1.
  public var step: Int? {
    switch self {
    case .right, .down: 1
    case .left, .up: -1
    case .next, .previous, .enter, .back: nil
    case .repeat, .faster, .slower, .louder, .quieter, .stop: nil
    }
  }
}

extension Range<Int> {
  /// Returns the next suitable number, wrapping around at most once.
  func next(
    from start: Int, by distance: Int, startingHere: Bool = false, where suits: (Int) -> Bool
  ) -> Int? {
    guard !isEmpty else { return nil }
    var place = start
    for step in 0...count {
      if step > 0 || startingHere, suits(place) { return place }
      place += distance
      if place >= upperBound { place = lowerBound }
      if place < lowerBound { place = upperBound - 1 }
    }
    return nil
  }
}
