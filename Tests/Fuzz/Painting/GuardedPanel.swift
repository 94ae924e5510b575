// SPDX-License-Identifier: MIT

import RoundelDrawing
import RoundelGeometry
import RoundelPresentation
import RoundelRaster
import TestSupport

/// A panel of any size, format and rotation, between guard bytes.
struct GuardedPanel {
  private(set) var layout: PanelLayout
  private var memory: [UInt8]
  private var shownFrame: Int?

  private static let margin = 64
  private static let mark: UInt8 = 0xa5

  private static let formats: [PixelFormat] =
    PixelFormat.named
    + [(24, 12, 6, 0, 6), (16, 10, 5, 0, 5), (32, 20, 10, 0, 10)].compactMap {
      bits, red, green, blue, length in
      func channel(_ offset: Int) -> ChannelLayout.Channel { .init(offset: offset, length: length) }
      return ChannelLayout(
        bitsPerPixel: bits, red: channel(red), green: channel(green), blue: channel(blue)
      ).map { PixelFormat($0) }
    }

  /// A random side, usually small or odd.
  private static func side(_ random: inout SeededGenerator) -> Int {
    switch Int.random(in: 0..<16, using: &random) {
    case 0..<6: Int.random(in: 1...9, using: &random)
    case 6..<15: Int.random(in: 1...200, using: &random)
    default: [240, 333, 480, 799, 1280].randomElement(using: &random) ?? 1
    }
  }

  init(_ random: inout SeededGenerator, isLargest: Bool) {
    let size =
      isLargest
      ? Self.largest.randomElement(using: &random) ?? PixelSize(1, 1)
      : PixelSize(Self.side(&random), Self.side(&random))
    let format = Self.formats.randomElement(using: &random) ?? .xrgb8888
    let gap = [0, 0, 4, 60].randomElement(using: &random) ?? 0
    self.init(
      PanelLayout(
        size: size, pitch: size.width * format.bytesPerPixel + gap, format: format,
        rotation: Rotation.allCases.randomElement(using: &random) ?? .none,
        depth: Bool.random(using: &random) ? nil : ColorDepth.all.randomElement(using: &random)))
  }

  init(_ layout: PanelLayout) {
    self.layout = layout
    memory = Array(repeating: Self.mark, count: layout.byteCount + 2 * Self.margin)
  }

  private static let largest = [
    PixelSize(7680, 4320), PixelSize(7680, 4320), PixelSize(4320, 7680), PixelSize(7679, 3),
    PixelSize(5, 4319), PixelSize(2999, 2003),
  ]

  /// Rotates the picture on the panel.
  mutating func turn(_ random: inout SeededGenerator) {
    layout.rotation = Rotation.allCases.randomElement(using: &random) ?? .none
    shownFrame = nil
  }

  func hasSamePixels(as other: GuardedPanel) -> Bool { memory == other.memory }

  /// Updates the panel. Returns the violation, if any.
  mutating func show(_ picture: Painter) -> String? {
    let damage = picture.damage(since: shownFrame)
    shownFrame = picture.frame
    // Inside the array because of its margins.
    unsafe memory.withUnsafeMutableBytes { bytes in
      let own = Self.margin..<Self.margin + layout.byteCount
      unsafe layout.paint(
        damage, of: picture, to: UnsafeMutableRawBufferPointer(rebasing: bytes[own]))
    }
    return spoiled
  }

  /// The modified byte outside the pixels, if any.
  private var spoiled: String? {
    let row = layout.size.width * layout.format.bytesPerPixel
    func isWhole(_ range: Range<Int>) -> Bool { memory[range].allSatisfy { $0 == Self.mark } }
    if !isWhole(0..<Self.margin) { return "bytes before the panel's were written" }
    if !isWhole(memory.count - Self.margin..<memory.count) {
      return "bytes behind the panel's were written"
    }
    for y in 0..<layout.size.height where layout.pitch > row {
      let start = Self.margin + y * layout.pitch
      if !isWhole(start + row..<start + layout.pitch) { return "bytes between rows were written" }
    }
    return nil
  }
}
