// SPDX-License-Identifier: MIT

/// Memory for rows of pixels that are painted in fours. It extends before the first pixel and after the last,
/// so that it holds any four of which one is a pixel.
// Unsafe to hold on to: its owner ends it by `deallocate`.
@unsafe struct PixelMemory {
  /// Three would do: one of the four is a pixel. So the first is aligned as the memory is.
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

  /// The pixels `columns` of a row whose pixel 0 is the memory's pixel `start`, or would be.
  @inline(__always)
  func row(at start: Int, _ columns: Range<Int>) -> RowPixels {
    precondition(
      unsafe start + columns.lowerBound >= 0 && start + columns.upperBound <= count,
      "a row outside of its memory")
    return unsafe RowPixels(zero: first + start, columns: columns)
  }
}

/// The pixels of a row that may be painted, in memory that holds each four of which one is among them.
// Unsafe to hold on to: the memory is lent.
@unsafe struct RowPixels {
  private let zero: UnsafeMutablePointer<UInt32>
  let columns: Range<Int>

  fileprivate init(zero: UnsafeMutablePointer<UInt32>, columns: Range<Int>) {
    unsafe self.zero = zero
    unsafe self.columns = columns
  }

  /// Where pixel 0 stands, or would, for those who paint the pixels `x0 ..< x1`, each of them with any
  /// four that hold it.
  @inline(__always)
  func zero(for x0: Int, _ x1: Int) -> UnsafeMutablePointer<UInt32> {
    precondition(
      unsafe x0 >= columns.lowerBound && x1 <= columns.upperBound, "painted outside of the row")
    return unsafe zero
  }

  /// The row of the same memory that begins `count` pixels later, where the caller knows that it lies in it.
  @inline(__always)
  func below(by count: Int) -> RowPixels { unsafe RowPixels(zero: zero + count, columns: columns) }
}
