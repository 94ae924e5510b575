// SPDX-License-Identifier: MIT

// Unsafe to hold on to: borrowed from `ComposingLane`.
@unsafe struct PixelRows {
  let y0: Int
  let count: Int
  let inks: Inks
  private let first: RowPixels
  private let stride: Int

  /// - Parameters:
  ///   - start: The index of pixel 0 of the first row in the memory. It may be outside.
  ///   - stride: Pixels from one row to the next.
  init(
    _ rows: Range<Int>, _ columns: Range<Int>, in memory: PixelMemory, at start: Int, stride: Int,
    _ inks: Inks
  ) {
    precondition(!rows.isEmpty && stride >= 0, "no rows")
    unsafe y0 = rows.lowerBound
    unsafe count = rows.count
    unsafe self.inks = inks
    unsafe first = memory.row(at: start, columns)
    // The rows between the first and the last are inside the memory, too.
    _ = unsafe memory.row(at: start + (rows.count - 1) * stride, columns)
    unsafe self.stride = stride
  }

  @inline(__always)
  subscript(number: Int) -> PixelRow {
    unsafe precondition(number >= 0 && number < count, "no such row")
    return unsafe PixelRow(y: y0 &+ number, pixels: first.below(by: number &* stride), inks: inks)
  }
}
