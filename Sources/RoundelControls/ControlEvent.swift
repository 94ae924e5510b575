// SPDX-License-Identifier: MIT

public import RoundelExpressions
public import RoundelMotion

/// An event of a control, such as `selected` on the item `dateline`.
public struct ControlEvent: Hashable, Sendable {
  /// The exact time, independent of the frame rate.
  public var time: Instant
  /// The name, such as `pressed` or `settled`.
  public var name: String
  /// The id of the wedge, leaf or other item concerned, if any.
  public var item: String?
  /// Further details, in the order of printing.
  public var fields: [Field]
  /// Details that are never printed, logged or recorded.
  public var secrets: [Field]
  /// The parts whose actions follow: `item` or indices such as `3` or `wheel/2`.
  public var targets: [String]

  /// Creates an event. By default, the only target is `item`.
  public init(
    _ name: String, at time: Instant, item: String? = nil, fields: [Field] = [],
    secrets: [Field] = [], targets: [String]? = nil
  ) {
    self.time = time
    self.name = name
    self.item = item
    self.fields = fields
    self.secrets = secrets
    self.targets = targets ?? item.map { [$0] } ?? []
  }
}
