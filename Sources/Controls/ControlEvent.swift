// SPDX-License-Identifier: MIT

public import Expressions
public import Motion

/// Something that happened to a control: `selected` on the item `dateline`.
public struct ControlEvent: Hashable, Sendable {
  /// The exact moment, independent of the frame rate.
  public var time: Instant
  /// `pressed`, `selected`, `confirmed`, `cancelled`, `passing`, `settled`, `opened`, `closed`,
  /// `started`, `due`.
  public var name: String
  /// The id of the wedge, leaf or wheel that it concerns, if it concerns one.
  public var item: String?
  /// Further details, in the order in which they are printed.
  public var fields: [Field]
  /// Details that actions and subscribers get, and that are never printed, logged or recorded.
  public var secrets: [Field]
  /// The parts of the control whose actions it triggers after the control's own: `item` or, for parts
  /// without an id, their indices, as `3` on a dial or `wheel/2` in a picker. Not printed.
  public var targets: [String]

  /// An event at `time`. By default the only target is `item`.
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
