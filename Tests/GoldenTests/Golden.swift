// SPDX-License-Identifier: MIT

import Foundation
import RoundelGeometry
import RoundelRaster
import Testing

/// A file in `Goldens` with an expected picture or text, compared exactly.
///
/// If UPDATE_GOLDENS is set in the environment, the file is written, and the test fails once. A
/// different result and its difference are stored in the folder ROUNDEL_ARTIFACTS, by default
/// /tmp/roundel-artifacts.
struct Golden {
  let name: String

  private var url: URL {
    repository.appending(path: "Tests/GoldenTests/Goldens").appending(path: name)
  }

  private static let environment = ProcessInfo.processInfo.environment

  private static var artifacts: URL {
    URL(filePath: environment["ROUNDEL_ARTIFACTS"] ?? "/tmp/roundel-artifacts")
  }

  private func update(_ bytes: [UInt8]) throws -> Bool {
    guard Self.environment["UPDATE_GOLDENS"] != nil else { return false }
    try Data(bytes).write(to: url)
    Issue.record("wrote \(url.path)")
    return true
  }

  private func keep(_ bytes: [UInt8], _ kind: String) throws {
    try FileManager.default.createDirectory(at: Self.artifacts, withIntermediateDirectories: true)
    let file = "\(url.deletingPathExtension().lastPathComponent).\(kind).\(url.pathExtension)"
    try Data(bytes).write(to: Self.artifacts.appending(path: file))
  }

  /// Checks the unrotated picture against the file, and the rotated ones against the rotated file.
  func check(_ panels: [Rotation: Canvas]) throws {
    let upright = try #require(panels[.none])
    if try update(PNG.encode(upright)) { return }
    let golden = try PNG.decode(Array(Data(contentsOf: url)))
    // If the unrotated picture is wrong, the rotated ones add no information.
    guard try check(upright, golden, .none) else { return }
    try checkTurned(panels, golden)
  }

  /// Checks the unrotated picture against a checksum, and the rotated ones against that picture.
  /// For large pictures that also have small goldens.
  func checkSum(_ panels: [Rotation: Canvas]) throws {
    let upright = try #require(panels[.none])
    let sum = upright.bitmap.checksum + "\n"
    if try update(Array(sum.utf8)) { return }
    guard sum == (try String(contentsOf: url, encoding: .utf8)) else {
      let picture = Golden(name: url.deletingPathExtension().lastPathComponent + ".png")
      try picture.keep(PNG.encode(upright), "actual")
      Issue.record("\(name) is not what is seen; see \(Self.artifacts.path)")
      return
    }
    try checkTurned(panels, upright.bitmap)
  }

  private func checkTurned(_ panels: [Rotation: Canvas], _ upright: Bitmap) throws {
    for (rotation, panel) in panels where rotation != .none {
      _ = try check(panel, upright.turned(rotation), rotation)
    }
  }

  private func check(_ panel: Canvas, _ wanted: Bitmap, _ rotation: Rotation) throws -> Bool {
    let actual = panel.bitmap
    guard wanted != actual else { return true }
    let turn = rotation == .none ? "" : "-\(rotation.rawValue)"
    try keep(PNG.encode(panel), "actual\(turn)")
    try keep(PNG.encode(wanted.difference(from: actual)), "difference\(turn)")
    Issue.record(
      "\(name) is not what is seen at \(rotation.rawValue)°; see \(Self.artifacts.path)")
    return false
  }

  /// Checks that the text equals the file.
  func check(_ text: String) throws {
    if try update(Array(text.utf8)) { return }
    guard text != (try String(contentsOf: url, encoding: .utf8)) else { return }
    try keep(Array(text.utf8), "actual")
    Issue.record("\(name) is not what is told; see \(Self.artifacts.path)")
  }
}

extension Canvas {
  var bitmap: Bitmap {
    // Copies the buffer during the call. The alpha bytes of a panel are undefined.
    Bitmap(size: size, pixels: unsafe withPixels { unsafe $0.map { $0 | 0xff00_0000 } })
  }
}

extension Bitmap {
  /// The FNV-1a hash of the pixels, in hexadecimal.
  var checksum: String {
    let sum = pixels.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return String(sum, radix: 16)
  }

  /// The bitmap rotated clockwise, pixel by pixel.
  fileprivate func turned(_ rotation: Rotation) -> Bitmap {
    let (width, height) = (size.width, size.height)
    let panel = rotation.applied(to: size)
    var turned: [UInt32] = []
    turned.reserveCapacity(pixels.count)
    for y in 0..<panel.height {
      for x in 0..<panel.width {
        let source =
          switch rotation {
          case .none: y * width + x
          case .quarter: (height - 1 - x) * width + y
          case .half: (height - 1 - y) * width + width - 1 - x
          case .threeQuarters: x * width + width - 1 - y
          }
        turned.append(pixels[source])
      }
    }
    return Bitmap(size: panel, pixels: turned)
  }

  /// Shows the pixels that differ in white, over a darkened copy of the other picture.
  fileprivate func difference(from other: Bitmap) -> Canvas {
    let canvas = Canvas(size: other.size)
    unsafe canvas.withPixels { difference in
      for index in other.pixels.indices {
        let isSame = size == other.size && pixels[index] == other.pixels[index]
        // In bounds: one value for each pixel of the canvas.
        unsafe difference[index] =
          isSame ? 0xff00_0000 | (other.pixels[index] >> 2 & 0x3f3f3f) : 0xffff_ffff
      }
    }
    return canvas
  }
}
