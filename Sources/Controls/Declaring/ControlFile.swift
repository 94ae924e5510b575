// SPDX-License-Identifier: MIT

package import Declarations
package import Drawing
package import Geometry

/// The file that describes a control, as far as the keys need more of it than their own values.
package protocol ControlFile: NamingReader {
  /// The design size.
  var screenSize: Size { get }

  /// Whether the panel shows a circle only, the largest in the design.
  var isScreenRound: Bool { get }

  /// The 9 mm that a finger needs, in design pixels, on the panel that the file is for.
  var fingerSize: Double { get }

  /// Remembers families that the file names.
  func add(font families: [String], at mark: Mark)

  /// Loads a font.
  func use(_ font: Font, at mark: Mark)

  /// Remembers a part of the control that is being read.
  func add(item id: String, at mark: Mark, events: [String], actions: Node?, spoken: Node?)

  /// Remembers a target for fingers with this much room, in design pixels.
  func add(target what: String, room: Size, at mark: Mark)

  /// Counts values that the file does not write out.
  func add(values count: Int, at mark: Mark)

  /// Whether a key of the control that is being read has the value that the file says, rather than that
  /// of a template.
  func isWritten(_ key: String) -> Bool
}

extension Reader {
  /// Keys of controls are read by the reader of a file of controls only.
  package var controlFile: any ControlFile {
    guard let file = self as? any ControlFile else {
      preconditionFailure("this table is a control's")
    }
    return file
  }
}
