// SPDX-License-Identifier: MIT

internal import Drawing
package import Geometry
internal import Synchronization

/// Composes the rows of a scene in cached memory, on one thread or on several. It keeps the memory that this
/// needs from one frame to the next.
///
/// Rows do not depend on each other, so the damage is cut into pieces, which the threads take one by one. A
/// pixel does not depend on the piece in which it lies: the picture is the same for any number of threads.
final class RowComposer {
  private let size: PixelSize
  /// A lane for each thread at work, the first for the thread that asks.
  private var lanes: [ComposingLane]
  /// The rectangles of the damage, or parts of them.
  private var pieces: [PixelRect] = []

  /// Rows that are looked at together: a layer far above or below them costs nothing.
  static let maximumBandRows = 16
  /// Beginning a row and looking at its layers takes as long as filling this many pixels.
  private static let rowBeginning = 256
  /// Pieces for each thread: one that comes late, or is held up, leaves the others more of them.
  private static let piecesEach = 4

  /// A composer for pictures of `size` pixels.
  init(size: PixelSize) {
    self.size = size
    lanes = [ComposingLane(size: size)]
  }

  /// Composes the damaged pixels, and lends them to `write` in bands of at most `rows` rows, 1 … 16, in order.
  /// Bands end where `y` is a multiple of `rows`, and with the damage.
  func compose(
    _ scene: Scene, _ splice: Splice?, _ damage: Damage, rows: Int, _ write: (ComposedBand) -> Void
  ) {
    unsafe compose(scene, splice, damage, rows: rows, onto: nil, write)
  }

  /// Paints the damaged pixels on a canvas of the composer's size, in place: it is cached memory.
  func paint(_ scene: Scene, _ splice: Splice?, _ damage: Damage, onto canvas: Canvas) {
    precondition(canvas.size == size, "the canvas must have the picture's size")
    // The canvas lives until the call returns.
    unsafe compose(
      scene, splice, damage, rows: Self.maximumBandRows, onto: canvas.memory, { _ in })
  }

  private func compose(
    _ scene: Scene, _ splice: Splice?, _ damage: Damage, rows: Int, onto picture: PixelMemory?,
    _ write: (ComposedBand) -> Void
  ) {
    guard !damage.isEmpty else { return }
    cut(damage, for: 1)
    // The scene owns what the lane points to.
    withExtendedLifetime(scene) {
      lanes[0].begin(scene, within: splice?.part(of: damage.bounds) ?? damage.bounds)
      var next = 0
      unsafe lanes[0].compose(
        splice, rows: rows, onto: picture,
        take: {
          defer { next += 1 }
          return next < pieces.count ? pieces[next] : nil
        }, write)
    }
  }

  /// The same as `compose`, on as many threads as are worth it. `write` is called on any of them, at the same
  /// time and in no order.
  func compose(
    _ scene: Scene, _ splice: Splice?, _ damage: Damage, rows: Int, on pool: ThreadPool,
    _ write: @Sendable (ComposedBand) -> Void
  ) {
    let count = min(pool.width, Self.work(on: damage) / pool.minimumShare)
    guard count > 1 else {
      return unsafe compose(scene, splice, damage, rows: rows, write)
    }
    cut(damage, for: count)
    while lanes.count < count { lanes.append(ComposingLane(size: size)) }
    let part = splice?.part(of: damage.bounds) ?? damage.bounds
    withExtendedLifetime(scene) {
      for lane in lanes[..<count] { lane.begin(scene, within: part) }
      unsafe pieces.withUnsafeBufferPointer { pieces in
        // All of this is only read until the threads are done.
        let lanes = lanes
        nonisolated(unsafe) let (pieces, splice) = unsafe (pieces, splice)
        let next = Atomic(0)
        pool.run(on: count) { number in
          unsafe lanes[number].compose(
            splice, rows: rows, onto: nil,
            take: {
              let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
              return unsafe index < pieces.count ? pieces[index] : nil
            }, write)
        }
      }
    }
  }

  /// The work to compose damage, in filled pixels.
  private static func work(on damage: Damage) -> Int {
    damage.rects.reduce(0) { $0 + ($1.width + rowBeginning) * $1.height }
  }

  /// Cuts damage into its rectangles inside of the picture, and for several threads these into bands of whole
  /// rows that end where `y` is a multiple of 16.
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

/// Rows of a picture: composed just now, in cached memory that is used again for the next, or where they stand in
/// an image.
// Unsafe to hold on to: the memory is lent by `ComposingLane` for one call.
@unsafe package struct ComposedBand {
  /// The rectangle of the picture that they show.
  package let rect: PixelRect
  /// From the first of them to the last.
  package let pixels: UnsafeBufferPointer<UInt32>
  /// Pixels from one row to the next.
  package let stride: Int

  /// A row whose pixels stand at `pixels`.
  init(_ rect: PixelRect, at pixels: UnsafePointer<UInt32>) {
    precondition(rect.height == 1 && rect.width > 0, "no single row")
    unsafe self.rect = rect
    unsafe self.pixels = UnsafeBufferPointer(start: pixels, count: rect.width)
    unsafe stride = rect.width
  }

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
