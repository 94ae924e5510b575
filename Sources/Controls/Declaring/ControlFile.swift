// SPDX-License-Identifier: MIT

package import Declarations
package import Drawing
package import Geometry

/// The file that describes a control, for keys that need more than their own values.
package protocol ControlFile: NamingReader {
  /// The design size of the screen.
  var screenSize: Size { get }

  /// Whether the panel shows only the largest circle of the design.
  var isScreenRound: Bool { get }

  /// The minimum size of a touch target, 9 mm on the file's panel, in design pixels.
  var fingerSize: Double { get }

  /// Records font families named in the file.
  func add(font families: [String], at mark: Mark)

  /// Loads a font.
  func use(_ font: Font, at mark: Mark)

  /// Records an item of the current control.
  func add(item id: String, at mark: Mark, events: [String], actions: Node?, spoken: Node?)

  /// Records a touch target of this size, in design pixels.
  func add(target what: String, room: Size, at mark: Mark)

  /// Counts values that the file doesn't list.
  func add(values count: Int, at mark: Mark)

  /// Whether the value of a key of the current control is written in the file, and not given by a template.
  func isWritten(_ key: String) -> Bool
}

extension Reader {
  /// The reader as a file of controls. Keys of controls are read only from such files.
  package var controlFile: any ControlFile {
    guard let file = self as? any ControlFile else {
      preconditionFailure("this table is a control's")
    }
    return file
  }
}
