// SPDX-License-Identifier: MIT

package import RoundelDeclarations
package import RoundelDrawing
package import RoundelGeometry

/// The file that describes a control.
package protocol ControlFile: NamingReader {
  var screenSize: Size { get }

  var isScreenRound: Bool { get }

  /// The minimum size of a touch target, 9 mm on the panel, in design pixels.
  var fingerSize: Double { get }

  func add(font families: [String], at mark: Mark)

  func use(_ font: Font, at mark: Mark)

  func add(
    item id: String, at mark: Mark, events: [String], actions: Node?, spoken: Node?,
    language: String?)

  func add(target what: String, size: Size, at mark: Mark)

  func add(values count: Int, at mark: Mark)

  /// Whether the value isn't given by a template.
  func isWritten(_ key: String) -> Bool
}

extension Reader {
  var controlFile: any ControlFile {
    guard let file = self as? any ControlFile else {
      preconditionFailure("this table is a control's")
    }
    return file
  }
}
