// SPDX-License-Identifier: MIT

package import Drawing
package import Geometry
package import Motion
package import Raster

/// A panel of nothing but memory, for machines without one and for tests.
package final class HeadlessDisplay: Display {
  /// What the panel shows: XRGB8888, turned as the panel is mounted. It has one pixel where nobody
  /// looks.
  package let panel: Canvas
  /// How often something was shown.
  package private(set) var presentCount = 0

  package let refreshInterval: Double
  package var onFlip: ((Instant) -> Void)?

  private var layout: PanelLayout
  private let clock: () -> Instant
  private var pacer: FramePacer
  private var isAwake = true
  /// Part of the canvas that was not shown because the panel slept, and the whole at first.
  private var unshown: Damage

  /// A panel of `size` pixels whose flips happen at once, at the moment of `clock`. Where it is not
  /// `lookedAt`, it does without the memory and the copies that its picture takes.
  package init(
    size: PixelSize, rotation: Rotation = .none, refreshInterval: Double = 1.0 / 60,
    lookedAt: Bool = true, clock: @escaping () -> Instant
  ) {
    panel = Canvas(size: lookedAt ? size : PixelSize(1, 1))
    layout = PanelLayout(
      size: size, pitch: size.width * 4, format: .xrgb8888, rotation: rotation)
    self.refreshInterval = refreshInterval
    self.clock = clock
    pacer = FramePacer(interval: refreshInterval)
    unshown = Damage(PixelRect(size: layout.canvasSize))
  }

  package var canvasSize: PixelSize { layout.canvasSize }

  package var rotation: Rotation {
    get { layout.rotation }
    set {
      guard newValue != layout.rotation else { return }
      layout.rotation = newValue
      unshown = Damage(PixelRect(size: layout.canvasSize))
    }
  }

  package var state: DisplayState { isAwake ? .showing : .asleep }

  package var isReady: Bool { isAwake && readyAt == nil }

  package var readyAt: Instant? {
    isAwake && clock() < pacer.readyAt ? pacer.readyAt : nil
  }

  package var needsFrame: Bool { !unshown.isEmpty }

  package func present(_ canvas: Canvas, damage: Damage) throws(DisplayError) {
    unshown.add(damage)
    guard isReady else { return }
    if panel.size == layout.size {
      // The panel is a canvas of its own, which has just the layout's size.
      unsafe panel.withPixels {
        unsafe layout.copy(unshown, of: canvas, to: UnsafeMutableRawBufferPointer($0))
      }
    }
    unshown = Damage()
    presentCount += 1
    let now = clock()
    pacer.flipped(at: now)
    onFlip?(now)
  }

  package func setPower(_ on: Bool) throws(DisplayError) {
    isAwake = on
  }
}
