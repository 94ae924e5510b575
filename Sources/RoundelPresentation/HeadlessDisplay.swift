// SPDX-License-Identifier: MIT

package import RoundelDrawing
package import RoundelGeometry
package import RoundelMotion
package import RoundelRaster

/// A display in memory, for machines without a panel and for tests.
package final class HeadlessDisplay: Display {
  /// XRGB8888, rotated like a mounted panel. A single pixel if `storesPixels` was false.
  package let panel: Canvas
  package private(set) var presentCount = 0

  package let refreshInterval: Double
  package var onFlip: ((Timestamp, Int) -> Void)?
  package private(set) var shownFrame: Int?

  private var layout: PanelLayout
  private let clock: () -> Timestamp
  private var isAwake = true

  /// Shows frames immediately, at the time of `clock`. `storesPixels` false saves memory and work.
  package init(
    size: PixelSize, rotation: Rotation = .none, depth: ColorDepth? = nil,
    refreshInterval: Double = 1.0 / 60, storesPixels: Bool = true, clock: @escaping () -> Timestamp
  ) {
    panel = Canvas(size: storesPixels ? size : PixelSize(1, 1))
    layout = PanelLayout(
      size: size, pitch: size.width * 4, format: .xrgb8888, rotation: rotation,
      depth: depth)
    self.refreshInterval = refreshInterval
    self.clock = clock
  }

  package private(set) var sentBytes = 0

  package var canvasSize: PixelSize { layout.canvasSize }

  package var rotation: Rotation {
    get { layout.rotation }
    set {
      guard newValue != layout.rotation else { return }
      layout.rotation = newValue
      shownFrame = nil
    }
  }

  package var depth: ColorDepth? {
    get { layout.depth }
    set {
      guard newValue != layout.depth else { return }
      layout.depth = newValue
      shownFrame = nil
    }
  }

  package var state: DisplayState { isAwake ? .showing : .asleep }

  package var isReady: Bool { isAwake }

  package func present(_ picture: Painter) throws(DisplayError) -> Timestamp? {
    guard isReady else { return nil }
    let damage = picture.damage(since: shownFrame).clipped(to: PixelRect(size: canvasSize))
    sentBytes += damage.bounds.area * layout.format.bytesPerPixel
    if panel.size == layout.size {
      // The panel is a separate canvas of exactly the layout's size.
      unsafe panel.withPixels {
        unsafe layout.paint(
          damage, of: picture, to: UnsafeMutableRawBufferPointer($0))
      }
    }
    shownFrame = picture.frame
    presentCount += 1
    return clock()
  }

  package func setPower(_ on: Bool) throws(DisplayError) {
    isAwake = on
  }
}
