// SPDX-License-Identifier: MIT

internal import RoundelControls
package import RoundelGeometry
internal import Glibc
internal import LinuxIO
package import RoundelPresentation
package import RoundelRuntime
package import RoundelTerminal

/// A terminal as the panel, and its mouse as the touch device.
package final class TerminalBackend: Backend {
  private let terminal: TerminalDisplay
  /// The program's messages would overwrite the picture.
  private let heldMessages: HeldMessages?

  package init(_ screen: TerminalScreen, rotation: Rotation, onLeave: @escaping () -> Void) {
    terminal = TerminalDisplay(screen, rotation: rotation)
    terminal.onLeave = onLeave
    heldMessages = HeldMessages()
  }

  package var display: any Display { terminal }
  package var fixedRotation: Rotation? { terminal.rotation }
  package var coversOutput: Bool { isatty(1) == 1 }
  package var coversErrors: Bool { heldMessages != nil }
  package var endsOnHangUp: Bool { true }

  package func connect(to cycle: FrameCycle) {
    terminal.onTouch = { [unowned cycle] phase, place, time in
      cycle.handle(finger: 0, phase, at: place, time: time)
    }
    terminal.onKey = { [unowned cycle] symbol, time in
      cycle.press(.symbol(symbol), time: time)
    }
  }

  package func close() -> String {
    terminal.close()
    return heldMessages?.take() ?? ""
  }
}
