// SPDX-License-Identifier: MIT

internal import CPixels

/// The mean of some lines of pixels, sliding down line by line: each step takes one line in and lets
/// one go, so the length of the mean costs nothing.
///
/// With sums and reciprocals of 16 bits a processor works on sixteen channels at a time. All
/// of it is whole numbers: the same bytes on every machine.
struct VerticalBlur {
  /// The reciprocal is 2^(16 + shift + narrowing) / length, with its highest bit set for precision.
  private let mean: pixels_mean

  /// How many lines the mean goes over.
  var length: Int { Int(mean.length) }

  /// A blur over `length` lines, 2 … 2²⁴.
  init(length: Int) {
    precondition((2...1 << 24).contains(length), "a mean needs lines")
    // Up to 256 lines a sum of bytes, and half a length for rounding, stay below 2¹⁶.
    let bits = Int.bitWidth - (length - 1).leadingZeroBitCount
    let narrowing = max(0, bits - 8)
    let shift = bits - narrowing - 1
    let power = 1 << (16 + shift + narrowing)
    mean = pixels_mean(
      length: UInt32(length), narrowing: UInt32(narrowing),
      reciprocal: UInt16(min((power + length / 2) / length, 65_535)), shift: UInt16(shift))
  }

  /// The bytes that the sums of so many pixels take.
  static func sumBytes(_ width: Int) -> Int { (width + 7) / 8 * 8 * Int(PIXELS_SUM_BYTES) }

  /// Begins `sums` with all lines but the last of a mean, from pixel `x0` on.
  func begin(
    _ sums: UnsafeMutableRawPointer, _ lines: Slice<UnsafeMutableBufferPointer<SourceRows.Line>>,
    _ x0: Int, _ width: Int
  ) {
    unsafe pixels_begin(mean, sums, width)
    for number in unsafe lines.indices {
      unsafe pixels_add(mean, lines[number].zero + x0, sums, width)
    }
  }

  /// Takes a line in, writes the mean, and lets the oldest line go.
  func slide(
    _ sums: UnsafeMutableRawPointer, in new: UnsafePointer<UInt32>,
    out old: UnsafePointer<UInt32>, into means: UnsafeMutablePointer<UInt32>, width: Int
  ) {
    unsafe pixels_slide(mean, new, old, sums, means, width)
  }
}
