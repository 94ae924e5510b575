// SPDX-License-Identifier: MIT

public import Expressions
public import Motion

/// Something that happened in the kiosk: to a control, or to the kiosk itself.
public struct Event: Hashable, Sendable {
  public var time: Instant
  /// The control's id; nil for what the kiosk itself reports.
  public var control: String?
  public var name: String
  public var item: String?
  public var fields: [Field]
  public var cause: Cause

  public init(
    _ name: String, at time: Instant, control: String? = nil, item: String? = nil,
    fields: [Field] = [], by cause: Cause = .time
  ) {
    self.time = time
    self.control = control
    self.name = name
    self.item = item
    self.fields = fields
    self.cause = cause
  }
}
