// SPDX-License-Identifier: MIT

import Audio
import JSON
import KioskFile
import Raster
import TestSupport

/// A file whose bytes are spoiled at random before it is read.
package struct SpoiledFile {
  private let bytes: [UInt8]
  private let kind: Substring

  /// - Parameter name: ends as files of its kind do.
  package init(_ bytes: [UInt8], name: String) {
    self.bytes = bytes
    kind = name.split(separator: ".").last ?? ""
  }

  /// Reads it as often as `rounds` says, spoiled in another way each time; returns how often it could
  /// still be read, nil for a file of no kind that a kiosk reads.
  package func read(_ rounds: Int, seed: UInt64) -> Int? {
    var random = SeededGenerator(seed: seed)
    var count = 0
    for _ in 0..<rounds {
      guard let isRead = read(bytes.mutated(using: &random)) else { return nil }
      if isRead { count += 1 }
    }
    return count
  }

  private func read(_ bytes: [UInt8]) -> Bool? {
    switch kind {
    case "png", "jpg": (try? ImageFile(bytes)) != nil
    case "wav": (try? Sound(bytes)) != nil
    case "json": (try? JSONValue(parsing: bytes)) != nil
    case "yaml":
      ParsedKiosk(bytes, path: "k.yaml", assets: AllAssets()).description != nil
    default: nil
    }
  }
}
