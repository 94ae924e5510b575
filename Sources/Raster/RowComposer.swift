// SPDX-License-Identifier: MIT

internal import Drawing
internal import Geometry

/// Paints the damage of a scene on a canvas, row by row. It keeps the memory that this needs from one
/// frame to the next.
// Safe: the buffers are its own, as long as their comments say, and lent to `RowPass` only while
// `paint` runs.
@safe final class RowComposer {
  private let width: Int
  private var layers: [RowPass.Layer] = []
  private var inks: [Ink] = []
  /// Runs hold different pixels of the row, so there are never more than `width`, and as many that
  /// come of them.
  private let runs: UnsafeMutablePointer<RowRuns.Run>
  /// As many as there have ever been layers.
  private var near = UnsafeMutableBufferPointer<UnsafePointer<RowPass.Layer>>.allocate(capacity: 1)

  /// Rows that are looked at together: a layer far above or below them costs nothing.
  private static let band = 16

  /// A composer for canvases of `width` pixels.
  init(width: Int) {
    self.width = width
    unsafe runs = .allocate(capacity: 2 * width)
  }

  deinit {
    unsafe runs.deallocate()
    unsafe near.deallocate()
  }

  /// Paints the damaged pixels of a canvas that is as wide as the composer.
  func paint(_ scene: Scene, _ damage: Damage, onto canvas: Canvas) {
    precondition(canvas.size.width == width, "a canvas as wide as the composer")
    guard !damage.isEmpty else { return }
    flatten(scene, within: damage.bounds)
    let whole = PixelRect(size: canvas.size)
    // Everything that the pass points to outlives it: the scene owns coverage and pixels, and the
    // arrays do not change while they lend their elements.
    withExtendedLifetime(scene) {
      unsafe canvas.withPixels { pixels in
        unsafe layers.withUnsafeBufferPointer { layers in
          unsafe inks.withUnsafeBufferPointer { inks in
            guard let pixels = pixels.baseAddress, let near = unsafe near.baseAddress,
              let inks = inks.baseAddress
            else {
              return
            }
            var pass = unsafe RowPass(layers: layers, near: near)
            for rect in damage.rects {
              let rect = rect.intersection(whole)
              for top in stride(from: rect.y0, to: rect.y1, by: Self.band) {
                let band = PixelRect(
                  x0: rect.x0, y0: top, x1: rect.x1, y1: min(top + Self.band, rect.y1))
                unsafe pass.look(at: band)
                for y in top..<band.y1 {
                  let row = unsafe PixelRow(y: y, pixels: pixels + y * width, inks: inks)
                  var line = unsafe RowRuns(
                    row, x0: rect.x0, x1: rect.x1, width: width, memory: runs)
                  unsafe pass.lay(&line, rect.x0, rect.x1)
                  unsafe pass.blend(row, rect.x0, rect.x1)
                }
              }
            }
          }
        }
      }
    }
  }

  /// Lists the layers that show something of the damage, and their inks.
  private func flatten(_ scene: Scene, within damage: PixelRect) {
    layers.removeAll(keepingCapacity: true)
    inks.removeAll(keepingCapacity: true)
    inks.append(Ink(scene.background ?? .black))
    for layer in scene.layers where layer.bounds.overlaps(damage) {
      layers.append(RowPass.Layer(layer, firstInk: inks.count))
      inks += layer.inks
    }
    if unsafe near.count < layers.count {
      unsafe near.deallocate()
      unsafe near = .allocate(capacity: layers.count * 2)
    }
  }
}
