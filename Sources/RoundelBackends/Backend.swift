// SPDX-License-Identifier: MIT

package import RoundelDrawing
package import RoundelGeometry
package import RoundelInput
package import RoundelPresentation
package import RoundelRuntime

/// The display and the input devices of a kiosk.
package protocol Backend: AnyObject {
  var display: any Display { get }

  /// The rotation that overrides the kiosk's file.
  var fixedRotation: Rotation? { get }

  /// The colour depth that overrides the kiosk's file.
  var fixedDepth: ColorDepth? { get }

  /// The names of the touch devices.
  var inputs: [String] { get }

  /// The panel's device, its connector and the mode, or nil if there isn't a panel.
  var output: DisplayPlace? { get }

  /// An explanation per device state that couldn't be set. The backend retries.
  var problems: [String] { get }

  /// Whether the picture covers the standard output.
  var coversOutput: Bool { get }

  /// Whether the picture covers the standard error, which defers messages.
  var coversErrors: Bool { get }

  /// Whether the kiosk ends when its terminal session hangs up.
  var endsOnHangUp: Bool { get }

  func connect(to cycle: FrameCycle)

  /// Applies the changes of the cycle's last turn.
  func turn()

  var hasTouchscreen: Bool { get }

  /// Receives the touchscreens' reports instead of the kiosk.
  var touchTaker: ((InputEvent, Touchscreen) -> Void)? { get set }

  /// Sets the matrix of the touchscreens with a given name.
  func calibrate(_ name: String, by matrix: TouchMatrix)

  func tick()

  /// Returns text written to the standard error while the picture covered it.
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

package struct BackendMessage: Sendable {
  package enum Level: Sendable { case debug, warning, error }

  package var level: Level
  package var text: String

  init(_ level: Level, _ text: String) {
    self.level = level
    self.text = text
  }
}
