// SPDX-License-Identifier: MIT

internal import CPixels

/// The mean of some lines of pixels, sliding down line by line: each step takes one line in and lets
/// one go, so the length of the mean costs nothing.
///
/// With sums and reciprocals of 16 bits a processor works on eight channels at a time, or sixteen. All
/// of it is whole numbers: the same bytes on every machine.
struct VerticalBlur {
  /// How many lines the mean goes over.
  let length: Int
  /// How far a sum is shifted to fit into 16 bits; 2^(16 + shift + narrowing) / length, with its highest
  /// bit set for precision; and how far the product with it is shifted.
  private let mean: pixels_mean

  /// A blur over `length` lines, 2 … 2²⁴.
  init(length: Int) {
    precondition((2...1 << 24).contains(length), "a mean needs lines")
    self.length = length
    // Up to 256 lines a sum of bytes, and half a length for rounding, stay below 2¹⁶.
    let bits = Int.bitWidth - (length - 1).leadingZeroBitCount
    let narrowing = max(0, bits - 8)
    let shift = bits - narrowing - 1
    let power = 1 << (16 + shift + narrowing)
    mean = pixels_mean(
      narrowing: UInt32(narrowing),
      reciprocal: UInt16(min((power + length / 2) / length, 65_535)), shift: UInt16(shift))
  }

  /// The bytes that a sum takes at most, for the four channels of a pixel.
  static let sumBytes = 16

  /// Begins `sums` with all lines but the last of a mean: `lines[0]` up to `lines[length − 2]`, from
  /// pixel `x0` on.
  func begin(
    _ sums: UnsafeMutableRawPointer, _ lines: UnsafePointer<UnsafePointer<UInt32>>, _ x0: Int,
    _ width: Int
  ) {
    // There is room for four sums a pixel. Half of the length is added once, and so the division rounds
    // to the nearest.
    if mean.narrowing == 0 {
      let sums = unsafe sums.assumingMemoryBound(to: UInt16.self)
      unsafe sums.update(repeating: UInt16(length / 2), count: width * 4)
      for line in 0..<length - 1 {
        unsafe pixels_add_16(Self.channels(lines[line] + x0), sums, width * 4)
      }
    } else {
      let sums = unsafe sums.assumingMemoryBound(to: UInt32.self)
      unsafe sums.update(repeating: UInt32(length / 2), count: width * 4)
      for line in 0..<length - 1 {
        unsafe pixels_add_32(Self.channels(lines[line] + x0), sums, width * 4)
      }
    }
  }

  /// Takes a line in, writes the mean, and lets the oldest line go.
  func slide(
    _ sums: UnsafeMutableRawPointer, in new: UnsafePointer<UInt32>,
    out old: UnsafePointer<UInt32>, into mean: UnsafeMutablePointer<UInt32>, width: Int
  ) {
    let means = unsafe UnsafeMutableRawPointer(mean).assumingMemoryBound(to: UInt8.self)
    let (new, old) = unsafe (Self.channels(new), Self.channels(old))
    if self.mean.narrowing == 0 {
      unsafe pixels_slide_16(
        self.mean, new, old, sums.assumingMemoryBound(to: UInt16.self), means, width * 4)
    } else {
      unsafe pixels_slide_32(
        self.mean, new, old, sums.assumingMemoryBound(to: UInt32.self), means, width * 4)
    }
  }

  private static func channels(_ pixels: UnsafePointer<UInt32>) -> UnsafePointer<UInt8> {
    unsafe UnsafeRawPointer(pixels).assumingMemoryBound(to: UInt8.self)
  }
}
