// SPDX-License-Identifier: MIT

/// The mean of some lines of pixels, sliding down line by line: each step takes one line in and lets
/// one go, so the length of the mean costs nothing.
///
/// With sums and reciprocals of 16 bits the compiler works on eight channels at a time on any
/// processor. All of it is whole numbers: the same bytes on every machine.
struct VerticalBlur {
  /// How many lines the mean goes over.
  let length: Int
  /// How far a sum is shifted to fit into 16 bits, and its product with the reciprocal after that.
  private let narrowing: UInt32
  private let shift: UInt16
  /// 2^(16 + shift + narrowing) / length, with its highest bit set for precision.
  private let reciprocal: UInt16

  /// A blur over `length` lines, 2 … 2²⁴.
  init(length: Int) {
    precondition((2...1 << 24).contains(length), "a mean needs lines")
    self.length = length
    // Up to 256 lines a sum of bytes, and half a length for rounding, stay below 2¹⁶.
    let bits = Int.bitWidth - (length - 1).leadingZeroBitCount
    let narrowing = max(0, bits - 8)
    let shift = bits - narrowing - 1
    self.narrowing = UInt32(narrowing)
    self.shift = UInt16(shift)
    let power = 1 << (16 + shift + narrowing)
    reciprocal = UInt16(min((power + length / 2) / length, 65_535))
  }

  /// The bytes that a sum takes at most, for the four channels of a pixel.
  static let sumBytes = 16

  /// Begins `sums` with all lines but the last of a mean: `lines[0]` up to `lines[length − 2]`, from
  /// pixel `x0` on.
  func begin(
    _ sums: UnsafeMutableRawPointer, _ lines: UnsafePointer<UnsafePointer<UInt32>>, _ x0: Int,
    _ width: Int
  ) {
    if narrowing == 0 {
      unsafe begin(sums.assumingMemoryBound(to: UInt16.self), lines, x0, width * 4)
    } else {
      unsafe begin(sums.assumingMemoryBound(to: UInt32.self), lines, x0, width * 4)
    }
  }

  /// Takes a line in, writes the mean, and lets the oldest line go.
  func slide(
    _ sums: UnsafeMutableRawPointer, in new: UnsafePointer<UInt32>,
    out old: UnsafePointer<UInt32>, into mean: UnsafeMutablePointer<UInt32>, width: Int
  ) {
    let mean = UnsafeMutableRawPointer(mean)
    if narrowing == 0 {
      unsafe slide(
        sums.assumingMemoryBound(to: UInt16.self), in: new, out: old, into: mean, width * 4)
    } else {
      unsafe slide(
        sums.assumingMemoryBound(to: UInt32.self), in: new, out: old, into: mean, width * 4)
    }
  }

  private func begin<Sum: FixedWidthInteger & UnsignedInteger>(
    _ sums: UnsafeMutablePointer<Sum>, _ lines: UnsafePointer<UnsafePointer<UInt32>>, _ x0: Int,
    _ channels: Int
  ) {
    // Half of the length is added once, and so the division rounds to the nearest.
    unsafe sums.update(repeating: Sum(length / 2), count: channels)
    for line in 0..<length - 1 { unsafe add(lines[line] + x0, to: sums, channels) }
  }

  // Inlined, the two loops would not become vector instructions: 212 instead of 80 µs for a reel of
  // 300 × 480 pixels.
  @inline(never)
  private func add<Sum: FixedWidthInteger & UnsignedInteger>(
    _ line: UnsafePointer<UInt32>, to sums: UnsafeMutablePointer<Sum>, _ channels: Int
  ) {
    let bytes = unsafe UnsafeRawPointer(line)
    for channel in 0..<channels {
      unsafe sums[channel] &+= Sum(
        truncatingIfNeeded: bytes.load(fromByteOffset: channel, as: UInt8.self))
    }
  }

  @inline(never)
  private func slide<Sum: FixedWidthInteger & UnsignedInteger>(
    _ sums: UnsafeMutablePointer<Sum>, in new: UnsafePointer<UInt32>,
    out old: UnsafePointer<UInt32>, into mean: UnsafeMutableRawPointer, _ channels: Int
  ) {
    let new = unsafe UnsafeRawPointer(new)
    let old = unsafe UnsafeRawPointer(old)
    let (reciprocal, narrowing, shift) = (reciprocal, Sum(narrowing), shift)
    for channel in 0..<channels {
      let sum =
        unsafe sums[channel]
        &+ Sum(truncatingIfNeeded: new.load(fromByteOffset: channel, as: UInt8.self))
      // Sums of 16 bits need no narrowing; the compiler knows which they are.
      let narrow = UInt16(truncatingIfNeeded: Sum.bitWidth == 16 ? sum : sum &>> narrowing)
      let high = UInt16(truncatingIfNeeded: (UInt32(narrow) &* UInt32(reciprocal)) >> 16)
      unsafe mean.storeBytes(
        of: UInt8(truncatingIfNeeded: high &>> shift), toByteOffset: channel, as: UInt8.self)
      unsafe sums[channel] =
        sum &- Sum(truncatingIfNeeded: old.load(fromByteOffset: channel, as: UInt8.self))
    }
  }
}
