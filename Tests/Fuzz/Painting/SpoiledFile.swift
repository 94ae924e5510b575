// SPDX-License-Identifier: MIT

import RoundelAudio
import RoundelDrawing
import RoundelGeometry
import RoundelJSON
import Kiosk
import KioskFile
import RoundelRaster
import RoundelSession
import RoundelSuites
import TestSupport
import RoundelText

/// A file that is read with randomly damaged bytes.
package struct SpoiledFile {
  private let bytes: [UInt8]
  private let kind: Substring

  /// - Parameter name: The file's name, whose suffix determines the kind.
  package init(_ bytes: [UInt8], name: String) {
    self.bytes = bytes
    kind = name.split(separator: ".").last ?? ""
  }

  /// Reads `rounds` damaged versions. Returns the number of readable ones, or nil for an unknown
  /// kind of file.
  package func read(_ rounds: Int, seed: UInt64) -> Int? {
    var random = SeededGenerator(seed: seed)
    var count = 0
    for _ in 0..<rounds {
      guard let isRead = read(spoiled(&random), &random) else { return nil }
      if isRead { count += 1 }
    }
    return count
  }

  /// The first bytes contain most of a file's structure, so they are damaged more often.
  private func spoiled(_ random: inout SeededGenerator) -> [UInt8] {
    let count = bytes.count >> Int.random(in: 0...8, using: &random)
    guard count > 0 else { return bytes }
    let spoiled = Array(bytes[..<count]).mutated(using: &random) + bytes[count...]
    return kind == "png" ? Self.checked(spoiled) : spoiled
  }

  /// The PNG file with correct checksums in all complete chunks. Otherwise nothing after them would
  /// be read.
  private static func checked(_ png: [UInt8]) -> [UInt8] {
    var file = png
    var start = 8
    while file.count - start >= 12 {
      let length = file[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= file.count - start - 12 else { break }
      let end = start + 8 + length
      var sum = UInt32.max
      for byte in file[start + 4..<end] {
        sum ^= UInt32(byte)
        for _ in 0..<8 { sum = sum >> 1 ^ (sum & 1) &* 0xedb8_8320 }
      }
      for (place, shift) in zip(end..<end + 4, [24, 16, 8, 0] as [UInt32]) {
        file[place] = UInt8(truncatingIfNeeded: ~sum >> shift)
      }
      start = end + 4
    }
    return file
  }

  private func read(_ bytes: [UInt8], _ random: inout SeededGenerator) -> Bool? {
    switch kind {
    case "png", "jpg": Self.paint(image: bytes)
    case "wav": (try? Sound(bytes)) != nil
    case "json": (try? JSONValue(parsing: bytes)) != nil
    case "jsonl": (try? Recording(bytes, path: "r.jsonl")) != nil
    case "ttf", "otf", "ttc": Self.paint(font: bytes, &random)
    case "yaml":
      Self.kiosk(bytes) != nil
        || SuiteReading(bytes, path: "s.yaml", kiosk: { _, _ in Self.tested }).suite != nil
    default: nil
    }
  }

  private static func kiosk(_ bytes: [UInt8]) -> Description? {
    ParsedKiosk(bytes, path: "k.yaml", assets: AllAssets()).description
  }

  private static let tested = kiosk(
    Array("kiosk: k\npages: [{page: p, controls: [{timer: t, at: [0, 0], every: 9}]}]".utf8))

  /// Paints an image in several sizes.
  private static func paint(image: [UInt8]) -> Bool {
    _ = IgnoredProfile(of: image)
    guard let image = try? ImageFile(image) else { return false }
    for side in [1, 7, 90] {
      let size = PixelSize(side, side)
      let painter = Painter(
        size: size, viewport: Viewport(scale: 1, offset: .zero), fonts: FontLibrary(),
        images: ["i": image])
      var list = DisplayList()
      let frame = Rect(size: Size(Double(side), Double(side)))
      list.add(.rect(frame), .image("i", frame: frame))
      painter.show(list)
      _ = painter.block(PixelRect(size: size))
    }
    return true
  }

  /// Draws text in the font, at rest and rotating.
  private static func paint(font: [UInt8], _ random: inout SeededGenerator) -> Bool {
    let fonts = FontLibrary()
    guard (try? fonts.add(FaceName("f"), bytes: font)) != nil else { return false }
    let painter = Painter(
      size: PixelSize(90, 60), viewport: Viewport(scale: 1, offset: .zero), fonts: fonts)
    for isBold in [false, true] {
      var list = DisplayList()
      for isMoving in [false, true] {
        let run = TextRun(
          "Ag7 ☕👍🏿 " + RandomText.any(&random), font: Font(["f"], weight: isBold ? 700 : 400),
          size: .random(in: 5...40, using: &random), at: Point(45, 30),
          angle: isMoving ? .degrees(33) : .zero, isMoving: isMoving)
        list.add(.text(run), .white)
      }
      painter.show(list)
      _ = painter.block(PixelRect(size: painter.size))
    }
    return true
  }
}
