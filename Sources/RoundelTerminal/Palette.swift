// SPDX-License-Identifier: MIT

/// A palette of at most 256 colours for a picture, in units of 1/100, as used by sixels.
///
/// If the picture has more colours, the box with the largest spread is repeatedly split at its
/// median, and each box gets its mean colour. Source: P. Heckbert, "Color image quantization for
/// frame buffer display", 1982.
struct Palette {
  static let maximumColors = 256

  /// Red, green and blue, 0 … 100.
  private(set) var colors: [[Int]] = []
  private var numbers: [UInt32: Int] = [:]

  init(of pixels: [UInt32]) {
    var counts: [UInt32: Int] = [:]
    for pixel in pixels { counts[Self.hundredths(pixel), default: 0] += 1 }
    // In a fixed order, so that the same picture gives the same bytes.
    var boxes = [
      Box(counts.sorted { $0.key < $1.key }.map { Entry(color: $0.key, count: $0.value) })
    ]
    while boxes.count < Self.maximumColors {
      guard let index = boxes.indices.max(by: { boxes[$0].spread < boxes[$1].spread }),
        let halves = boxes[index].halves
      else { break }
      boxes[index] = halves.0
      boxes.append(halves.1)
    }
    for (number, box) in boxes.enumerated() {
      colors.append(box.mean)
      for entry in box.entries { numbers[entry.color] = number }
    }
  }

  func number(of pixel: UInt32) -> Int { numbers[Self.hundredths(pixel)] ?? 0 }

  /// `0xRRGGBB` with channels of 0 … 100.
  private static func hundredths(_ pixel: UInt32) -> UInt32 {
    var result: UInt32 = 0
    for shift: UInt32 in [16, 8, 0] {
      result = result << 8 | ((pixel >> shift & 255) * 100 + 127) / 255
    }
    return result
  }

  private struct Entry {
    var color: UInt32
    var count: Int

    func channel(_ index: Int) -> Int { Int(color >> UInt32(16 - 8 * index) & 255) }
  }

  private struct Box {
    let entries: [Entry]
    /// The channel with the largest range, and the square of that range times the number of pixels.
    private let widest: Int
    let spread: Int

    init(_ entries: [Entry]) {
      self.entries = entries
      let widths = (0..<3).map { channel in
        let values = entries.map { $0.channel(channel) }
        return (values.max() ?? 0) - (values.min() ?? 0)
      }
      let width = widths.max() ?? 0
      widest = widths.firstIndex(of: width) ?? 0
      spread = width * width * entries.reduce(0) { $0 + $1.count }
    }

    /// Split at the median. Nil for a single colour.
    var halves: (Box, Box)? {
      guard entries.count > 1 else { return nil }
      let sorted = entries.sorted {
        ($0.channel(widest), $0.color) < ($1.channel(widest), $1.color)
      }
      let half = entries.reduce(0) { $0 + $1.count } / 2
      var seen = 0
      var cut = 1
      for (index, entry) in sorted.dropLast().enumerated() {
        cut = index + 1
        seen += entry.count
        if seen >= half { break }
      }
      return (Box(Array(sorted[..<cut])), Box(Array(sorted[cut...])))
    }

    var mean: [Int] {
      let total = entries.reduce(0) { $0 + $1.count }
      return (0..<3).map { channel in
        guard total > 0 else { return 0 }
        return (entries.reduce(0) { $0 + $1.channel(channel) * $1.count } + total / 2) / total
      }
    }
  }
}
