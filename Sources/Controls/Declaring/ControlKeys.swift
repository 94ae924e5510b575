// SPDX-License-Identifier: MIT

package import Declarations
package import Geometry

/// The keys of a type of control, besides those that all controls have.
package struct ControlKeys<Control: KeyedControl>: Sendable {
  /// Makes a control from the keys that only the file may set; keys that may change are stored in it.
  package typealias Make = @Sendable (Fields) -> Control?

  /// The first key, whose value is the control's id.
  package let name: String
  package let summary: String
  /// Whether it is visible. Otherwise it needs no place.
  package let isSeen: Bool
  /// The role of the control in a home automation.
  package let home: HomeEntity
  package let declare: @Sendable (inout Keys, _ at: Key<Point>) -> Make

  package init(
    _ name: String, _ summary: String, isSeen: Bool = true, home: HomeEntity,
    _ declare: @escaping @Sendable (inout Keys, _ at: Key<Point>) -> Make
  ) {
    self.name = name
    self.summary = summary
    self.isSeen = isSeen
    self.home = home
    self.declare = declare
  }
}
