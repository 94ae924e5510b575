// SPDX-License-Identifier: MIT

internal import RoundelDrawing
package import RoundelGeometry
internal import Synchronization

/// Composes the rows of a scene in cached memory.
///
/// Threads compose pieces of the damage. A pixel doesn't depend on its piece, so the picture
/// doesn't depend on the threads.
final class RowComposer {
  private let size: PixelSize
  /// A lane per working thread. The first is the caller's.
  private var lanes: [ComposingLane]
  private var pieces: [PixelRect] = []

  /// Rows checked together: a layer far above or below them costs nothing.
  static let maximumBandRows = 16
  /// The cost of starting a row and checking its layers, in filled pixels.
  private static let rowBeginning = 256
  /// Several pieces per thread, because a thread may be late.
  private static let piecesEach = 4

  init(size: PixelSize) {
    self.size = size
    lanes = [ComposingLane(size: size)]
  }

  /// Passes bands of at most `rows` rows (1 … 16) in order. Bands end at multiples of `rows`, and
  /// at the end of the damage.
  func compose(
    _ scene: Scene, _ composition: TransitionComposition?, _ damage: Damage, rows: Int,
    _ write: (ComposedBand) -> Void
  ) {
    unsafe compose(scene, composition, damage, rows: rows, onto: nil, write)
  }

  /// Paints on a canvas of the composer's size, in place, because it is cached memory.
  func paint(
    _ scene: Scene, _ composition: TransitionComposition?, _ damage: Damage, onto canvas: Canvas
  ) {
    precondition(canvas.size == size, "the canvas must have the picture's size")
    // The canvas lives until the call returns.
    unsafe compose(
      scene, composition, damage, rows: Self.maximumBandRows, onto: canvas.memory, { _ in })
  }

  private func compose(
    _ scene: Scene, _ composition: TransitionComposition?, _ damage: Damage, rows: Int,
    onto picture: PixelMemory?,
    _ write: (ComposedBand) -> Void
  ) {
    guard !damage.isEmpty else { return }
    cut(damage, for: 1)
    // The scene owns the memory that the lane points to.
    withExtendedLifetime(scene) {
      lanes[0].begin(scene, within: composition?.part(of: damage.bounds) ?? damage.bounds)
      var next = 0
      unsafe lanes[0].compose(
        composition, rows: rows, onto: picture,
        take: {
          defer { next += 1 }
          return next < pieces.count ? pieces[next] : nil
        }, write)
    }
  }

  /// Composes on as many threads as is worthwhile. They call `write` concurrently, in any order.
  func compose(
    _ scene: Scene, _ composition: TransitionComposition?, _ damage: Damage, rows: Int,
    on pool: ThreadPool,
    _ write: @Sendable (ComposedBand) -> Void
  ) {
    let count = min(pool.width, Self.work(on: damage) / pool.minimumShare)
    guard count > 1 else {
      return unsafe compose(scene, composition, damage, rows: rows, write)
    }
    cut(damage, for: count)
    while lanes.count < count { lanes.append(ComposingLane(size: size)) }
    let part = composition?.part(of: damage.bounds) ?? damage.bounds
    withExtendedLifetime(scene) {
      for lane in lanes[..<count] { lane.begin(scene, within: part) }
      unsafe pieces.withUnsafeBufferPointer { pieces in
        // All of this is only read until the threads are done.
        let lanes = lanes
        nonisolated(unsafe) let (pieces, composition) = unsafe (pieces, composition)
        let next = Atomic(0)
        pool.run(on: count) { number in
          unsafe lanes[number].compose(
            composition, rows: rows, onto: nil,
            take: {
              let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
              return unsafe index < pieces.count ? pieces[index] : nil
            }, write)
        }
      }
    }
  }

  /// In filled pixels.
  private static func work(on damage: Damage) -> Int {
    damage.rects.reduce(0) { $0 + ($1.width + rowBeginning) * $1.height }
  }

  /// Cuts the damage into pieces. For several threads, they end at multiples of 16 rows.
  private func cut(_ damage: Damage, for count: Int) {
    pieces.removeAll(keepingCapacity: true)
    let area = count > 1 ? damage.area / (count * Self.piecesEach) : .max
    for rect in damage.rects {
      let rect = rect.intersection(PixelRect(size: size))
      guard !rect.isEmpty else { continue }
      let height = max(area / rect.width, Self.maximumBandRows)
      var top = rect.y0
      while top < rect.y1 {
        let end =
          height < rect.height
          ? min((top + height) / Self.maximumBandRows * Self.maximumBandRows, rect.y1) : rect.y1
        pieces.append(PixelRect(x0: rect.x0, y0: top, x1: rect.x1, y1: end))
        top = end
      }
    }
  }
}

/// Rows of a picture, in cached memory that will be reused, or in the memory of an image.
// Unsafe to hold on to: the memory is valid during one call of `ComposingLane`.
@unsafe package struct ComposedBand {
  package let rect: PixelRect
  /// The pixels from the first in the rectangle to the last.
  package let pixels: UnsafeBufferPointer<UInt32>
  /// Pixels from one row to the next.
  package let stride: Int

  init(_ rect: PixelRect, at pixels: UnsafePointer<UInt32>) {
    precondition(rect.height == 1 && rect.width > 0, "the rectangle must be one row")
    unsafe self.rect = rect
    unsafe self.pixels = UnsafeBufferPointer(start: pixels, count: rect.width)
    unsafe stride = rect.width
  }

  /// - Parameter first: The picture's row at the start of the memory.
  init(_ rect: PixelRect, in memory: PixelMemory, first: Int, stride: Int) {
    let start = (rect.y0 - first) * stride + rect.x0
    let end = (rect.y1 - 1 - first) * stride + rect.x1
    unsafe precondition(
      start >= 0 && start < end && end <= memory.count, "a band outside its memory")
    unsafe self.rect = rect
    unsafe pixels = UnsafeBufferPointer(rebasing: memory.pixels[start..<end])
    unsafe self.stride = stride
  }
}
