// SPDX-License-Identifier: MIT

/// A press of a key, or one detent of a rotary encoder.
///
/// An encoder needs no more than a turn each way and a press: `left`, `right` and `enter` reach all that
/// keys can do, but for leaving a ring or a control early.
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

  /// The direction of a turn through things in their order: 1 is forward, -1 back; nil for none.
  public var way: Int? {
    switch self {
    case .right, .down: 1
    case .left, .up: -1
    case .next, .previous, .enter, .back: nil
    }
  }
}
