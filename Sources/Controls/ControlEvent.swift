// SPDX-License-Identifier: MIT

public import Expressions
public import Motion

/// Something that happened to a control: `selected` on the item `dateline`.
public struct ControlEvent: Hashable, Sendable {
  /// When it happened, to the microsecond; not when somebody looked.
  public var time: Instant
  /// `pressed`, `selected`, `confirmed`, `cancelled`, `passing`, `settled`, `opened`, `closed`,
  /// `started`, `due`.
  public var name: String
  /// The id of the wedge, leaf or wheel that it concerns, if it concerns one.
  public var item: String?
  /// What else is told, in the order in which it is printed.
  public var fields: [Field]
  /// The parts of the control whose actions it sets off besides the control's own, in order: `item`,
  /// or, for parts without an id, their places, as `3` on a dial and `wheel/2` in a picker. They are
  /// not printed.
  public var targets: [String]

  /// An event whose target is its item, unless `targets` says otherwise.
  public init(
    _ name: String, at time: Instant, item: String? = nil, fields: [Field] = [],
    targets: [String]? = nil
  ) {
    self.time = time
    self.name = name
    self.item = item
    self.fields = fields
    self.targets = targets ?? item.map { [$0] } ?? []
  }
}
