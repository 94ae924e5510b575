// SPDX-License-Identifier: MIT

/// Memory for rows of pixels that are painted in fours. It extends before the first pixel and after the last, so
/// that any four pixels that include one of them are inside.
// Unsafe to hold on to: its owner frees it with `deallocate`.
@unsafe struct PixelMemory {
  /// Three would suffice, because one of the four is a pixel. Four keep the alignment of the memory.
  private static let slack = 4

  private let first: UnsafeMutablePointer<UInt32>
  let count: Int

  /// Black pixels.
  init(count: Int) {
    precondition(count >= 0, "memory for less than no pixel")
    let capacity = unsafe count + 2 * Self.slack
    let memory = UnsafeMutablePointer<UInt32>.allocate(capacity: capacity)
    unsafe memory.initialize(repeating: 0xff00_0000, count: capacity)
    unsafe first = memory + Self.slack
    unsafe self.count = count
  }

  func deallocate() { unsafe (first - Self.slack).deallocate() }

  /// The pixels, without the memory before and after them.
  var pixels: UnsafeMutableBufferPointer<UInt32> { unsafe .init(start: first, count: count) }

  /// The pixels `columns` of a row with pixel 0 at the memory's index `start`, which may be outside.
  @inline(__always)
  func row(at start: Int, _ columns: Range<Int>) -> RowPixels {
    precondition(
      unsafe start + columns.lowerBound >= 0 && start + columns.upperBound <= count,
      "a row outside of its memory")
    return unsafe RowPixels(zero: first + start, columns: columns)
  }
}

/// The paintable pixels of a row, in memory that contains any four pixels that include one of them.
// Unsafe to hold on to: the memory is borrowed.
@unsafe struct RowPixels {
  private let zero: UnsafeMutablePointer<UInt32>
  let columns: Range<Int>

  fileprivate init(zero: UnsafeMutablePointer<UInt32>, columns: Range<Int>) {
    unsafe self.zero = zero
    unsafe self.columns = columns
  }

  /// The position of pixel 0, for painting the pixels `x0 ..< x1`, each together with any four that contain it.
  @inline(__always)
  func zero(for x0: Int, _ x1: Int) -> UnsafeMutablePointer<UInt32> {
    precondition(
      unsafe x0 >= columns.lowerBound && x1 <= columns.upperBound, "painted outside of the row")
    return unsafe zero
  }

  /// The row `count` pixels later in the same memory. The caller guarantees that it is inside.
  @inline(__always)
  func below(by count: Int) -> RowPixels { unsafe RowPixels(zero: zero + count, columns: columns) }
}
