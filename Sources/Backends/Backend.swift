// SPDX-License-Identifier: MIT

package import Drawing
package import Geometry
package import Input
package import Presentation
package import Runtime

/// The display and the devices of a kiosk: a panel with its touchscreen, a terminal with its mouse, or
/// memory alone.
package protocol Backend: AnyObject {
  var display: any Display { get }

  /// How far the picture is turned, whatever the kiosk's file says; nil where the file decides.
  var fixedRotation: Rotation? { get }

  /// The colour depth of the panel, whatever the kiosk's file says; nil where the file decides.
  var fixedDepth: ColorDepth? { get }

  /// The names of the devices that fingers come from.
  var inputs: [String] { get }

  /// The panel that shows the picture, for people: the card, its connector and the mode; nil where there
  /// is no panel.
  var output: DisplayPlace? { get }

  /// The refused states of the machine, each with its reason. The backend sets them again until they hold.
  var problems: [String] { get }

  /// Whether the picture is shown on the standard output.
  var coversOutput: Bool { get }

  /// Whether the picture is shown on the standard error, so that messages have to wait.
  var coversErrors: Bool { get }

  /// Whether the kiosk ends with the session that it was started from.
  var endsOnHangUp: Bool { get }

  /// Sends the input of people to `cycle` from now on.
  func connect(to cycle: FrameCycle)

  /// Applies the changes of the cycle's last turn.
  func turn()

  /// Whether the display has a touchscreen of its own.
  var hasTouchscreen: Bool { get }

  /// Receives the reports of touchscreens in place of the kiosk; nil for none.
  var touchTaker: ((InputEvent, Touchscreen) -> Void)? { get set }

  /// Uses a matrix for the touchscreens of a name.
  func calibrate(_ name: String, by matrix: TouchMatrix)

  /// Lets a finger feel a detent.
  func tick()

  /// Gives the machine back; returns the text that was written to the standard error while the picture
  /// covered it.
  func close() -> String
}

extension Backend {
  package var fixedDepth: ColorDepth? { nil }
  package var inputs: [String] { [] }
  package var output: DisplayPlace? { nil }
  package var problems: [String] { [] }
  package var coversOutput: Bool { false }
  package var coversErrors: Bool { false }
  package var endsOnHangUp: Bool { false }
  package func connect(to cycle: FrameCycle) {}
  package func turn() {}
  package func tick() {}
  package var hasTouchscreen: Bool { false }
  package var touchTaker: ((InputEvent, Touchscreen) -> Void)? {
    get { nil }
    set {}
  }
  package func calibrate(_ name: String, by matrix: TouchMatrix) {}
  package func close() -> String { "" }
}

/// A message of a backend to people.
package struct BackendMessage: Sendable {
  /// How much it matters.
  package enum Level: Sendable { case debug, warning, error }

  package var level: Level
  package var text: String

  init(_ level: Level, _ text: String) {
    self.level = level
    self.text = text
  }
}
