// SPDX-License-Identifier: MIT

package import RoundelControls
internal import RoundelDrawing
package import RoundelGeometry
internal import LinuxIO
package import RoundelMotion
package import RoundelPresentation
package import RoundelRaster

/// Paints at about the size of a small panel, and scales damaged parts down to the terminal's
/// pixels.
package final class TerminalDisplay: Display {
  /// Receives mouse events as touches, at positions on the unrotated canvas.
  package var onTouch: (Touch.Phase, Point, Timestamp) -> Void = { _, _, _ in }
  package var onKey: (Keysym, Timestamp) -> Void {
    get { screen.onKey }
    set { screen.onKey = newValue }
  }
  package var onLeave: () -> Void {
    get { screen.onLeave }
    set { screen.onLeave = newValue }
  }
  package var onFlip: ((Timestamp, Int) -> Void)?

  /// The typical maximum rate of terminals. A higher rate would only load the connection.
  package let refreshInterval = 1.0 / 30

  private let screen: TerminalScreen
  private var scaling: AreaScaling
  private var isAwake = true
  /// The larger, rotated picture that is scaled down to the terminal's pixels.
  private var panel: Canvas
  package private(set) var shownFrame: Int?

  package init(_ screen: TerminalScreen, rotation: Rotation = .none) {
    self.screen = screen
    self.rotation = rotation
    scaling = AreaScaling(from: screen.layout.canvasSize, to: screen.layout.size)
    panel = Canvas(size: scaling.source)
    screen.onResize = { [unowned self] in
      scaling = AreaScaling(from: screen.layout.canvasSize, to: screen.layout.size)
      panel = Canvas(size: scaling.source)
      shownFrame = nil
    }
    screen.onTaken = { [unowned self] instant in
      if let shownFrame { onFlip?(instant, shownFrame) }
    }
    screen.onTouch = { [unowned self] phase, place, time in
      let size = scaling.source
      let point = Point(place.x * Double(size.width), place.y * Double(size.height))
      onTouch(phase, self.rotation.canvasPoint(point, panel: size), time)
    }
  }

  package func close() { screen.close() }

  package var canvasSize: PixelSize { rotation.applied(to: scaling.source) }

  package var rotation: Rotation {
    didSet { if rotation != oldValue { shownFrame = nil } }
  }

  package var state: DisplayState { isAwake ? .showing : .asleep }

  package var isReady: Bool { isAwake && screen.isReady }

  package func present(_ picture: Painter) throws(DisplayError) -> Timestamp? {
    guard isReady else { return nil }
    let size = scaling.source
    let layout = PanelLayout(
      size: size, pitch: size.width * 4, format: .xrgb8888, rotation: rotation)
    let damage = picture.damage(since: shownFrame).clipped(to: PixelRect(size: canvasSize))
    // A canvas has exactly the layout's size.
    unsafe panel.withPixels {
      unsafe layout.paint(damage, of: picture, to: UnsafeMutableRawBufferPointer($0))
    }
    shownFrame = picture.frame
    return screen.show(
      damage.rects.map { scaling.scaled(scaling.rect(showing: layout.panelRect($0)), of: panel) })
  }

  package func setPower(_ on: Bool) throws(DisplayError) {
    isAwake = on
    shownFrame = nil
    if !on {
      let all = PixelRect(size: scaling.target)
      let black = Array(repeating: 0xff00_0000 as UInt32, count: all.area)
      screen.show([PixelBlock(all, pixels: black)])
    }
  }
}
