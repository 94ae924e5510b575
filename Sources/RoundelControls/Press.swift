// SPDX-License-Identifier: MIT

public import RoundelExpressions
public import RoundelGeometry

/// A press, which chooses a control or part if the finger is lifted there.
///
/// The engine ends a press that is held or becomes a swipe, and reports the press if the control
/// doesn't.
public struct Press: Hashable, Sendable {
  /// The events that the control reports itself.
  public enum Reporting: Hashable, Sendable {
    case all
    case choice
    case nothing
  }

  /// The item, or nil if the control or a part without an id is pressed.
  public var item: String?
  /// The parts whose actions the events trigger, as in `ControlEvent`.
  public var targets: [String]
  /// The fields of the press's events.
  public var fields: [Field]
  /// Seconds until the press is held, above 0.
  public var hold: Double
  /// Whether the finger is still on the pressed part.
  public var isOn: Bool
  /// The events that the control reports itself.
  public var reporting: Reporting

  /// The default time until a press is held, in seconds.
  public static let standardHold = 1.0

  /// Creates a press of a control or a part.
  public init(
    item: String? = nil, targets: [String]? = nil, fields: [Field] = [],
    hold: Double = standardHold, isOn: Bool = true, reporting: Reporting = .all
  ) {
    self.item = item
    self.targets = targets ?? item.map { [$0] } ?? []
    self.fields = fields
    self.hold = hold
    self.isOn = isOn
    self.reporting = reporting
  }
}

/// The area for presses of a control that doesn't follow fingers.
public struct PressArea: Hashable, Sendable {
  /// The bounds, in design pixels.
  public var frame: Rect
  /// The press of a finger that comes down in the area.
  public var press: Press

  /// Creates an area and its press.
  public init(frame: Rect, press: Press) {
    self.frame = frame
    self.press = press
  }
}
