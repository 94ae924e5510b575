// SPDX-License-Identifier: MIT

package import Controls
package import Drawing
package import Geometry
internal import LinuxIO
package import Motion
package import Presentation
package import Raster

/// A terminal as a panel. The kiosk is painted at about the size of a small panel, and what is damaged
/// is made as small as the terminal's pixels are.
package final class TerminalDisplay: Display {
  /// What a finger that stands for the mouse does, at a place of the upright canvas.
  package var onTouch: (Touch.Phase, Point, Instant) -> Void = { _, _, _ in }
  /// The one in front of the terminal wants to leave.
  package var onLeave: () -> Void {
    get { screen.onLeave }
    set { screen.onLeave = newValue }
  }
  package var onFlip: ((Instant) -> Void)?

  /// Terminals show about as many; more would only keep the line busy.
  package let refreshInterval = 1.0 / 30

  private let screen: TerminalScreen
  private var scaling: AreaScaling
  private var isAwake = true
  private var nextFrame = Instant.zero
  /// Part of the canvas that was not shown, and the whole at first.
  private var unshown: Damage

  package init(_ screen: TerminalScreen, rotation: Rotation = .none) {
    self.screen = screen
    self.rotation = rotation
    scaling = AreaScaling(from: screen.layout.canvasSize, to: screen.layout.size)
    unshown = Damage(PixelRect(size: rotation.applied(to: scaling.source)))
    screen.onResize = { [unowned self] in
      scaling = AreaScaling(from: screen.layout.canvasSize, to: screen.layout.size)
      showAll()
    }
    screen.onTaken = { [unowned self] in onFlip?($0) }
    screen.onTouch = { [unowned self] phase, place, time in
      let size = scaling.source
      let point = Point(place.x * Double(size.width), place.y * Double(size.height))
      onTouch(phase, self.rotation.canvasPoint(point, panel: size), time)
    }
  }

  /// Leaves the terminal as it was found.
  package func close() { screen.close() }

  package var canvasSize: PixelSize { rotation.applied(to: scaling.source) }

  package var rotation: Rotation {
    didSet { if rotation != oldValue { showAll() } }
  }

  package var state: DisplayState { isAwake ? .showing : .asleep }

  package var isReady: Bool { isAwake && screen.isReady && MonotonicClock.now >= nextFrame }

  package var readyAt: Instant? {
    isAwake && screen.isReady && MonotonicClock.now < nextFrame ? nextFrame : nil
  }

  package var needsFrame: Bool { !unshown.isEmpty }

  package func present(_ canvas: Canvas, damage: Damage) throws(DisplayError) {
    unshown.add(damage)
    guard isReady else { return }
    let damage = unshown.clipped(to: PixelRect(size: canvasSize))
    unshown.removeAll()
    nextFrame = MonotonicClock.now + refreshInterval
    let (panel, rects) = turned(canvas, damage)
    screen.show(rects.map { scaling.scaled(scaling.rect(showing: $0), of: panel) })
  }

  package func setPower(_ on: Bool) throws(DisplayError) {
    isAwake = on
    if on {
      showAll()
    } else {
      let all = PixelRect(size: scaling.target)
      let black = Array(repeating: 0xff00_0000 as UInt32, count: all.area)
      screen.show([PixelBlock(all, pixels: black)])
    }
  }

  private func showAll() { unshown = Damage(PixelRect(size: canvasSize)) }

  /// The canvas as it is turned on the panel, whole or at least where it is damaged.
  private func turned(_ canvas: Canvas, _ damage: Damage) -> (Canvas, [PixelRect]) {
    guard rotation != .none else { return (canvas, damage.rects) }
    let size = scaling.source
    let layout = PanelLayout(
      size: size, pitch: size.width * 4, format: .xrgb8888, rotation: rotation)
    let panel = Canvas(size: size)
    // A pixel of the terminal covers some around the damage, too.
    // A canvas has just the layout's size.
    unsafe panel.withPixels {
      unsafe layout.copy(
        Damage(PixelRect(size: canvas.size)), of: canvas, to: UnsafeMutableRawBufferPointer($0))
    }
    return (panel, damage.rects.map(layout.panelRect))
  }
}
