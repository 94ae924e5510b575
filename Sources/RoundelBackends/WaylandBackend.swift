// SPDX-License-Identifier: MIT

package import RoundelDrawing
package import RoundelGeometry
internal import RoundelInput
internal import Kiosk
package import LinuxIO
package import RoundelPresentation
package import RoundelRuntime
package import WaylandDisplay

/// A surface of a Wayland compositor, and the touch and pointer devices of its seats.
package final class WaylandBackend: Backend {
  private let wayland: WaylandDisplay
  package let fixedRotation: Rotation?
  package let fixedDepth: ColorDepth?
  private let resamplesTouches: Bool
  private var fingers: FingerTracker
  private let scanners: ScannerInput
  private var cycle: FrameCycle?

  /// - Parameter onEnd: Called with nil when the user closes the display, or with its error.
  package init(
    _ display: WaylandDisplay, fixedRotation: Rotation? = nil,
    fixedDepth: ColorDepth? = nil, resamplesTouches: Bool = true,
    on loop: EventLoop, onEnd: @escaping (DisplayError?) -> Void,
    report: @escaping (BackendMessage) -> Void = { _ in }
  ) {
    scanners = ScannerInput(on: loop, report: report)
    wayland = display
    self.fixedRotation = fixedRotation
    self.fixedDepth = fixedDepth
    self.resamplesTouches = resamplesTouches
    fingers = FingerTracker(mapping: display.mapping)
    display.onEnd = onEnd
    display.onMisplacement = { report(BackendMessage(.warning, $0)) }
  }

  package var display: any Display { wayland }
  package var inputs: [String] { wayland.inputs }

  package var output: DisplayPlace? {
    wayland.output.map {
      DisplayPlace(
        card: $0.compositor, output: $0.output, mode: $0.mode,
        leftOut: wayland.misplacement.map { [$0] } ?? [])
    }
  }

  package func connect(to cycle: FrameCycle) {
    self.cycle = cycle
    if resamplesTouches { cycle.resampler = TouchResampler() }
    wayland.onKey = { [unowned cycle] input, time in
      // The compositor's own keys close it, not Ctrl+C.
      if case .key(let key, let phase) = input { cycle.press(key, phase, time: time) }
    }
    wayland.onInput = { [unowned self, unowned cycle] event, time in
      // The surface may have been resized since the last turn.
      fingers.mapping = wayland.mapping
      for touch in fingers.handle(event) {
        cycle.handle(finger: touch.finger, touch.phase, at: touch.position, time: time)
      }
    }
  }

  package func turn() {
    if let cycle { _ = scanners.follow(cycle, isActive: true) }
  }
}
