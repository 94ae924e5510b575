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

  /// Writes as many means as `target` has room for, `width` pixels each. The mean of the lines
  /// `lines[y]` up to `lines[y + length − 1]` becomes line y, so there must be `length − 1` lines
  /// more than means.
  func blur(
    _ lines: [UnsafePointer<UInt32>], width: Int, into target: UnsafeMutableBufferPointer<UInt32>
  ) {
    if narrowing == 0 {
      unsafe blur(lines, width, into: target, sums: UInt16.self)
    } else {
      unsafe blur(lines, width, into: target, sums: UInt32.self)
    }
  }

  private func blur<Sum: FixedWidthInteger & UnsignedInteger>(
    _ lines: [UnsafePointer<UInt32>], _ width: Int,
    into target: UnsafeMutableBufferPointer<UInt32>, sums: Sum.Type
  ) {
    guard width > 0, let base = target.baseAddress else { return }
    let height = target.count / width
    unsafe precondition(lines.count >= height + length - 1, "a mean needs all of its lines")
    let channels = width * 4
    // Half of the length is added once, and so the division rounds to the nearest.
    var sums = [Sum](repeating: Sum(length / 2), count: channels)
    unsafe sums.withUnsafeMutableBufferPointer { sums in
      guard let sums = sums.baseAddress else { return }
      // In bounds: y + length − 1 < lines.count, and each line and each mean has `width` pixels of
      // four channels.
      for line in 0..<length - 1 { unsafe add(lines[line], to: sums, channels) }
      for y in 0..<height {
        unsafe slide(
          sums, in: lines[y + length - 1], out: lines[y],
          into: UnsafeMutableRawPointer(base + y * width), channels)
      }
    }
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

  /// Takes a line in, writes the mean, and lets the oldest line go.
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
      let narrow = UInt16(truncatingIfNeeded: sum &>> narrowing)
      let high = UInt16(truncatingIfNeeded: (UInt32(narrow) &* UInt32(reciprocal)) >> 16)
      unsafe mean.storeBytes(
        of: UInt8(truncatingIfNeeded: high &>> shift), toByteOffset: channel, as: UInt8.self)
      unsafe sums[channel] =
        sum &- Sum(truncatingIfNeeded: old.load(fromByteOffset: channel, as: UInt8.self))
    }
  }
}
