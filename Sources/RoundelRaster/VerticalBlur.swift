// SPDX-License-Identifier: MIT

internal import CRoundelPixels

/// The sliding mean of several lines: each step adds one and removes one, so the cost doesn't
/// depend on the length.
///
/// With 16 bits, a processor handles sixteen channels at a time. Integer arithmetic gives the same
/// bytes on every machine.
struct VerticalBlur {
  /// The reciprocal is 2^(16 + shift + narrowing) / length, with its highest bit set for precision.
  private let mean: pixels_mean

  var length: Int { Int(mean.length) }

  /// - Parameter length: The number of lines, 2 … 2²⁴.
  init(length: Int) {
    precondition((2...1 << 24).contains(length), "a mean needs lines")
    // Up to 256 lines, a sum of bytes plus half a length for rounding stays below 2¹⁶.
    let bits = Int.bitWidth - (length - 1).leadingZeroBitCount
    let narrowing = max(0, bits - 8)
    let shift = bits - narrowing - 1
    let power = 1 << (16 + shift + narrowing)
    mean = pixels_mean(
      length: UInt32(length), narrowing: UInt32(narrowing),
      reciprocal: UInt16(min((power + length / 2) / length, 65_535)), shift: UInt16(shift))
  }

  static func sumBytes(_ width: Int) -> Int { (width + 7) / 8 * 8 * Int(PIXELS_SUM_BYTES) }

  /// Starts with all lines of a mean except the last.
  func begin(
    _ sums: UnsafeMutableRawPointer, _ lines: Slice<UnsafeMutableBufferPointer<SourceRows.Line>>,
    _ x0: Int, _ width: Int
  ) {
    unsafe pixels_begin(mean, sums, width)
    for number in unsafe lines.indices {
      unsafe pixels_add(mean, lines[number].zero + x0, sums, width)
    }
  }

  /// Adds a line, writes the mean, and removes the oldest line.
  func slide(
    _ sums: UnsafeMutableRawPointer, in new: UnsafePointer<UInt32>,
    out old: UnsafePointer<UInt32>, into means: UnsafeMutablePointer<UInt32>, width: Int
  ) {
    unsafe pixels_slide(mean, new, old, sums, means, width)
  }
}
