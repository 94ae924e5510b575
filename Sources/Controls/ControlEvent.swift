// SPDX-License-Identifier: MIT

public import Expressions
public import Motion

/// Something that happened to a control: `selected` on the item `dateline`.
public struct ControlEvent: Hashable, Sendable {
  /// When it happened, to the microsecond; not when somebody looked.
  public var time: Instant
  /// `pressed`, `selected`, `cancelled`, `passing`, `settled`, `opened`, `closed`, `started`.
  public var name: String
  /// The id of the wedge, leaf or wheel that it concerns, if it concerns one.
  public var item: String?
  /// What else is told, in the order in which it is printed.
  public var fields: [Field]

  public init(_ name: String, at time: Instant, item: String? = nil, fields: [Field] = []) {
    self.time = time
    self.name = name
    self.item = item
    self.fields = fields
  }
}
