// SPDX-License-Identifier: MIT

internal import Drawing
package import Geometry

/// Composes the rows of a scene in cached memory. It keeps the memory that this needs from one frame to
/// the next.
// Safe: the buffers are its own, as long as their comments say, and lent to `RowPass` only while
// `compose` runs.
@safe final class RowComposer {
  private let size: PixelSize
  private var layers: [RowPass.Layer] = []
  private var inks: [Ink] = []
  /// Two lists. Runs hold different pixels of the row, so there are never more than it has pixels; while a
  /// layer is laid, two more for each of its solids, which are not that many.
  private let runs: UnsafeMutableBufferPointer<RowRuns.Run>
  /// As many as there have ever been layers.
  private var near = UnsafeMutableBufferPointer<UnsafePointer<RowPass.Layer>>.allocate(capacity: 1)
  /// Rows of `stride` pixels.
  private var band: PixelMemory
  /// A little more than the picture's width: rows of 1024 pixels that are turned into columns would
  /// compete for the same few lines of the cache.
  private let stride: Int

  /// Rows that are looked at together: a layer far above or below them costs nothing.
  static let maximumBandRows = 16

  /// A composer for pictures of `size` pixels.
  init(size: PixelSize) {
    self.size = size
    unsafe runs = .allocate(capacity: 4 * size.width)
    stride = size.width + 4
    unsafe band = PixelMemory(count: stride)
  }

  deinit {
    unsafe runs.deallocate()
    unsafe near.deallocate()
    unsafe band.deallocate()
  }

  /// Composes the damaged pixels, and lends them to `write` in bands of at most `rows` rows, 1 … 16.
  /// Bands end where `y` is a multiple of `rows`, and with the damage.
  func compose(
    _ scene: Scene, _ splice: Splice?, _ damage: Damage, rows: Int,
    _ write: (ComposedBand) -> Void
  ) {
    precondition((1...Self.maximumBandRows).contains(rows), "1 … 16 rows")
    if unsafe rows * stride > band.count {
      unsafe band.deallocate()
      unsafe band = PixelMemory(count: rows * stride)
    }
    unsafe compose(scene, splice, damage, rows: rows, onto: nil, write)
  }

  /// - Parameter picture: memory of all of the picture's rows, in which they are composed in place; nil
  ///   for the band. There is no gap between rows: four pixels that reach into the row before or after
  ///   leave what they find there.
  private func compose(
    _ scene: Scene, _ splice: Splice?, _ damage: Damage, rows: Int,
    onto picture: PixelMemory?, _ write: (ComposedBand) -> Void
  ) {
    guard !damage.isEmpty else { return }
    flatten(scene, within: splice?.part(of: damage.bounds) ?? damage.bounds)
    let whole = PixelRect(size: size)
    // Everything that the pass points to outlives it: the scene owns coverage and pixels, and the
    // arrays do not change while they lend their elements.
    withExtendedLifetime(scene) {
      unsafe layers.withUnsafeBufferPointer { layers in
        unsafe inks.withUnsafeBufferPointer { inks in
          guard let inks = unsafe Inks(inks) else { return }
          var pass = unsafe RowPass(layers: layers, near: near)
          for rect in damage.rects {
            let rect = rect.intersection(whole)
            guard !rect.isEmpty else { continue }
            // While a picture goes, another one is composed into a part of the result, beside itself.
            let part = splice?.part(of: rect) ?? rect
            let shift = splice?.shift ?? (x: 0, y: 0)
            var top = rect.y0
            while top < rect.y1 {
              let end = min(rect.y1, (top / Self.maximumBandRows + 1) * Self.maximumBandRows)
              let composed = PixelRect(
                x0: part.x0, y0: max(top - shift.y, part.y0), x1: part.x1,
                y1: min(end - shift.y, part.y1))
              unsafe pass.look(at: composed)
              while top < end {
                let next = min(end, (top / rows + 1) * rows)
                let memory = unsafe picture ?? band
                let first = unsafe picture == nil ? top : 0
                let stride = unsafe picture == nil ? stride : size.width
                for y in top..<next {
                  let start = (y - first) * stride
                  let own = y - shift.y
                  if own >= composed.y0, own < composed.y1, part.x0 < part.x1 {
                    let row = unsafe PixelRow(
                      y: own, pixels: memory.row(at: start + shift.x, part.x0..<part.x1), inks: inks
                    )
                    var line = unsafe RowRuns(row, memory: runs)
                    unsafe pass.lay(&line, part.x0, part.x1)
                    unsafe pass.blend(row, part.x0, part.x1)
                  }
                  unsafe splice?.complete(memory.row(at: start, rect.x0..<rect.x1), y: y)
                }
                unsafe write(
                  ComposedBand(
                    PixelRect(x0: rect.x0, y0: top, x1: rect.x1, y1: next),
                    in: memory, first: first, stride: stride))
                top = next
              }
            }
          }
        }
      }
    }
  }

  /// Paints the damaged pixels on a canvas of the composer's size, in place: it is cached memory.
  func paint(_ scene: Scene, _ splice: Splice?, _ damage: Damage, onto canvas: Canvas) {
    precondition(canvas.size == size, "the canvas must have the picture's size")
    // The canvas lives until the call returns.
    unsafe compose(
      scene, splice, damage, rows: Self.maximumBandRows, onto: canvas.memory, { _ in })
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

/// Rows of a picture that have just been composed, in cached memory that is used again for the next.
// Unsafe to hold on to: the memory is lent by `RowComposer` for one call.
@unsafe package struct ComposedBand {
  /// Which pixels of the picture they are.
  package let rect: PixelRect
  /// From the first of them to the last.
  package let pixels: UnsafeBufferPointer<UInt32>
  /// Pixels from one row to the next.
  package let stride: Int

  /// - Parameters:
  ///   - first: the row of the picture with which the memory begins.
  ///   - stride: pixels from one row to the next.
  init(_ rect: PixelRect, in memory: PixelMemory, first: Int, stride: Int) {
    let start = (rect.y0 - first) * stride + rect.x0
    let end = (rect.y1 - 1 - first) * stride + rect.x1
    unsafe precondition(
      start >= 0 && start < end && end <= memory.count, "a band outside of its memory")
    unsafe self.rect = rect
    unsafe pixels = UnsafeBufferPointer(rebasing: memory.pixels[start..<end])
    unsafe self.stride = stride
  }
}
