// SPDX-License-Identifier: MIT

public import Expressions
public import Geometry

/// The press of a finger on a control, or a part of it, that is chosen when the finger is lifted there.
///
/// The engine ends a press that lasts, where actions follow `held`, and one that becomes a swipe. It also
/// reports the press where the control does not.
public struct Press: Hashable, Sendable {
  /// How much of a press the control reports itself.
  public enum Reporting: Hashable, Sendable {
    /// `pressed`, `selected` and `cancelled`.
    case all
    /// `selected`.
    case choice
    case nothing
  }

  /// The id of the wedge or row that is pressed; nil for the control, or a part without an id.
  public var item: String?
  /// The parts whose actions its events trigger, as of a `ControlEvent`.
  public var targets: [String]
  /// The fields of its events.
  public var fields: [Field]
  /// Seconds until it counts as held, above 0.
  public var hold: Double
  /// Whether the finger is still on the thing that it pressed, so that lifting it chooses that.
  public var isOn: Bool
  /// How much of the press the control reports itself.
  public var reporting: Reporting

  /// The minimum duration of a held press, in seconds.
  public static let standardHold = 1.0

  /// A press on a control, or on a part of it.
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

/// The part of the screen on which fingers press a control that does not follow them.
public struct PressArea: Hashable, Sendable {
  /// In design pixels.
  public var frame: Rect
  /// The press of a finger that comes down there.
  public var press: Press

  /// An area, and the press of a finger that comes down there.
  public init(frame: Rect, press: Press) {
    self.frame = frame
    self.press = press
  }
}
