// SPDX-License-Identifier: MIT

package import Geometry

/// The bus between a card and its panel, as far as flips tell: how many bytes a second go through it, and what
/// is sent at once.
///
/// Most drivers of panels on SPI, I²C and USB send the one rectangle that holds all damage
/// (drm_atomic_helper_damage_merged): of two corners that is the whole panel, 77 ms at 480×320 and 32 MHz.
/// On such a bus, damage goes out in several flips where that is less.
package struct Bus {
  package let bytesPerPixel: Int
  /// A mean of what was seen; nil as long as nothing was.
  package private(set) var bytesPerSecond: Double?

  /// Slower than that are serial buses, and USB 2.
  private static let slow = 40e6
  /// Seconds that a flip takes beside its bytes.
  private static let flipSeconds = 0.001
  /// More flips than that make a frame too late.
  private static let maximumFlips = 4

  /// An SPI of 32 MHz, as small panels have it.
  package static let spi = 4e6

  /// A bus of which nothing is known but, perhaps, how many bytes a second go through it.
  package init(bytesPerPixel: Int, bytesPerSecond: Double? = nil) {
    self.bytesPerPixel = bytesPerPixel
    self.bytesPerSecond = bytesPerSecond
  }

  /// A flip of these clips was done after so many seconds, and not at a blank.
  package mutating func sent(_ clips: [PixelRect], in seconds: Double) {
    let bytes = Double(bytes(of: clips))
    // Of little the flip itself is the most.
    guard seconds > 4 * Self.flipSeconds, bytes > 4096 else {
      if bytes > 65536 { bytesPerSecond = max(bytesPerSecond ?? 0, bytes / max(seconds, 1e-4)) }
      return
    }
    let rate = bytes / (seconds - Self.flipSeconds)
    bytesPerSecond = bytesPerSecond.map { $0 * 0.75 + rate * 0.25 } ?? rate
  }

  package var isSlow: Bool { bytesPerSecond.map { $0 < Self.slow } ?? false }

  /// The bytes of the rectangle that holds all clips.
  package func bytes(of clips: [PixelRect]) -> Int {
    clips.reduce(PixelRect.empty) { $0.union($1) }.area * bytesPerPixel
  }

  /// The clips of each flip that shows a frame, one on a bus that is not slow.
  package func flips(of clips: [PixelRect]) -> [[PixelRect]] {
    guard isSlow, let bytesPerSecond, clips.count > 1 else { return [clips] }
    let overhead = Int(Self.flipSeconds * bytesPerSecond)
    var groups = clips.map { (clips: [$0], bounds: $0) }
    while groups.count > 1 {
      // The two whose common rectangle adds the least.
      var best: (first: Int, second: Int, cost: Int)?
      for first in groups.indices {
        let one = groups[first].bounds
        for second in groups.indices where second > first {
          let other = groups[second].bounds
          let cost = (one.union(other).area - one.area - other.area) * bytesPerPixel
          if cost < best?.cost ?? .max { best = (first, second, cost) }
        }
      }
      guard let best, groups.count > Self.maximumFlips || best.cost <= overhead else { break }
      let (clips, bounds) = groups.remove(at: best.second)
      groups[best.first].clips += clips
      groups[best.first].bounds = groups[best.first].bounds.union(bounds)
    }
    return groups.map(\.clips)
  }
}
