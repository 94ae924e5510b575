// SPDX-License-Identifier: MIT

/// The mean of some lines of pixels, sliding down line by line: each step takes one line in and lets
/// one go, so the length of the mean costs nothing.
///
/// A channel's sum and the reciprocal of the length fit into 16 bits each, which lets the compiler
/// work on eight at a time on any processor. That holds for up to 256 lines; of a longer stretch,
/// every second or third line and so on is taken, with sums of their own for the lines between. All
/// of it is whole numbers: the same bytes on every machine.
struct VerticalBlur {
  /// The most lines that a sum may hold: 256 · 255 and half of 256 for rounding stay below 2¹⁶.
  private static let greatestCount = 256

  /// Every how many lines one is taken.
  private let stride: Int
  /// How many are taken.
  private let count: Int

  /// A blur over `length` lines, at least 2; of more than 256, over the next multiple of the stride
  /// below.
  init(length: Int) {
    precondition(length >= 2, "a mean of one line is the line")
    stride = (length + Self.greatestCount - 1) / Self.greatestCount
    count = length / stride
  }

  /// How many lines the mean goes over.
  var length: Int { stride * count }

  /// Writes as many means as `target` has room for, `width` pixels each. The mean of the lines
  /// `lines[y]` up to `lines[y + length − 1]` becomes line y, so there must be `length − 1` lines
  /// more than means.
  func blur(
    _ lines: [UnsafePointer<UInt32>], width: Int, into target: UnsafeMutableBufferPointer<UInt32>
  ) {
    guard width > 0, let base = target.baseAddress else { return }
    let height = target.count / width
    unsafe precondition(lines.count >= height + length - 1, "a mean needs all of its lines")
    let channels = width * 4
    // Half of the length is added once, and so the division rounds to the nearest.
    var sums = [UInt16](repeating: UInt16(count / 2), count: channels * stride)
    let reciprocal = UInt16((65_536 + count / 2) / count)
    unsafe sums.withUnsafeMutableBufferPointer { sums in
      guard let sums = sums.baseAddress else { return }
      for line in 0..<length - stride {
        unsafe add(lines[line], to: sums + line % stride * channels, channels)
      }
      for y in 0..<height {
        let phase = unsafe sums + y % stride * channels
        // In bounds: y + length − stride ≤ height − 1 + length − 1 < lines.count, and each line and
        // each mean has `width` pixels of four channels.
        unsafe slide(
          phase, in: lines[y + length - stride], out: lines[y],
          into: UnsafeMutableRawPointer(base + y * width), channels, reciprocal)
      }
    }
  }

  // Inlined, the two loops would not become vector instructions: 212 instead of 80 µs for a reel.
  @inline(never)
  private func add(
    _ line: UnsafePointer<UInt32>, to sums: UnsafeMutablePointer<UInt16>, _ channels: Int
  ) {
    let bytes = unsafe UnsafeRawPointer(line)
    for channel in 0..<channels {
      unsafe sums[channel] &+= UInt16(bytes.load(fromByteOffset: channel, as: UInt8.self))
    }
  }

  /// Takes a line in, writes the mean, and lets the oldest line go.
  @inline(never)
  private func slide(
    _ sums: UnsafeMutablePointer<UInt16>, in new: UnsafePointer<UInt32>,
    out old: UnsafePointer<UInt32>, into mean: UnsafeMutableRawPointer, _ channels: Int,
    _ reciprocal: UInt16
  ) {
    let new = unsafe UnsafeRawPointer(new)
    let old = unsafe UnsafeRawPointer(old)
    for channel in 0..<channels {
      let sum = unsafe sums[channel] &+ UInt16(new.load(fromByteOffset: channel, as: UInt8.self))
      unsafe mean.storeBytes(
        of: UInt8(truncatingIfNeeded: (UInt32(sum) &* UInt32(reciprocal)) >> 16),
        toByteOffset: channel, as: UInt8.self)
      unsafe sums[channel] =
        sum &- UInt16(old.load(fromByteOffset: channel, as: UInt8.self))
    }
  }
}
