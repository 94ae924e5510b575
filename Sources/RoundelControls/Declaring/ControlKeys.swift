// SPDX-License-Identifier: MIT

package import RoundelDeclarations
package import RoundelGeometry

package struct ControlKeys<Control: KeyedControl>: Sendable {
  /// Creates a control from the keys that only the file may set.
  package typealias Make = @Sendable (Fields) -> Control?

  package let name: String
  package let summary: String
  package let isSeen: Bool
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
