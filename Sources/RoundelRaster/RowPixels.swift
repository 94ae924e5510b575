// SPDX-License-Identifier: MIT

/// Memory for rows painted in fours: any four adjacent pixels that include one of the rows'. Unsafe
/// to hold on to: its owner frees it with `deallocate`.
@unsafe struct PixelMemory {
  /// Three would suffice, because one of the four is a pixel. Four keep the alignment of the
  /// memory.
  private static let slack = 4

  private let first: UnsafeMutablePointer<UInt32>
  let count: Int

  /// The pixels are black.
  init(count: Int) {
    precondition(count >= 0, "a negative number of pixels")
    let capacity = unsafe count + 2 * Self.slack
    let memory = UnsafeMutablePointer<UInt32>.allocate(capacity: capacity)
    unsafe memory.initialize(repeating: 0xff00_0000, count: capacity)
    unsafe first = memory + Self.slack
    unsafe self.count = count
  }

  func deallocate() { unsafe (first - Self.slack).deallocate() }

  var pixels: UnsafeMutableBufferPointer<UInt32> { unsafe .init(start: first, count: count) }

  /// - Parameter start: The index of pixel 0, which may be outside.
  @inline(__always)
  func row(at start: Int, _ columns: Range<Int>) -> RowPixels {
    precondition(
      unsafe start + columns.lowerBound >= 0 && start + columns.upperBound <= count,
      "a row outside its memory")
    return unsafe RowPixels(zero: first + start, columns: columns)
  }
}

/// Paintable pixels, in memory that contains any four pixels that include one of them.
// Unsafe to hold on to: the memory is borrowed.
@unsafe struct RowPixels {
  private let zero: UnsafeMutablePointer<UInt32>
  let columns: Range<Int>

  fileprivate init(zero: UnsafeMutablePointer<UInt32>, columns: Range<Int>) {
    unsafe self.zero = zero
    unsafe self.columns = columns
  }

  /// Returns the position of pixel 0, for painting the pixels `x0 ..< x1`, each together with any
  /// four that contain it.
  @inline(__always)
  func zero(for x0: Int, _ x1: Int) -> UnsafeMutablePointer<UInt32> {
    precondition(
      unsafe x0 >= columns.lowerBound && x1 <= columns.upperBound, "painted outside the row")
    return unsafe zero
  }

  /// The caller guarantees that the row is inside the memory.
  @inline(__always)
  func below(by count: Int) -> RowPixels { unsafe RowPixels(zero: zero + count, columns: columns) }
}
