// SPDX-License-Identifier: MIT

package import Declarations
package import Geometry

/// The keys of a type of control, besides those that all controls have.
package struct ControlKeys<Control: KeyedControl>: Sendable {
  /// Makes a control of the keys that only the file may say; those that may change are stored in it.
  package typealias Make = @Sendable (Fields) -> Control?

  /// The first key, whose value is the control's id.
  package let name: String
  package let summary: String
  /// Whether there is anything to see of it. Otherwise it needs no place.
  package let isSeen: Bool
  /// What it is to a home automation.
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
