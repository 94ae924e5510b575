// SPDX-License-Identifier: MIT

package import RoundelGeometry

/// The bus between a graphics device and its panel, as measured by flips.
///
/// Most drivers on SPI, I²C and USB send the damage's bounding rectangle
/// (drm_atomic_helper_damage_merged): for two opposite corners the whole panel, 77 ms at 480×320
/// and 32 MHz. On such a bus, several flips send damage if that takes less time.
package struct Bus {
  package let bytesPerPixel: Int
  /// The measured average.
  package private(set) var bytesPerSecond: Double?

  /// In bytes per second: serial buses and USB 2.
  private static let slow = 40e6
  /// The duration of a flip in seconds, without its bytes.
  private static let flipSeconds = 0.001
  /// More flips would delay a frame too much.
  private static let maximumFlips = 4

  /// A typical rate for SPI at 32 MHz on small panels, in bytes per second.
  package static let spi = 4e6

  package init(bytesPerPixel: Int, bytesPerSecond: Double? = nil) {
    self.bytesPerPixel = bytesPerPixel
    self.bytesPerSecond = bytesPerSecond
  }

  /// Records that a flip of `clips` took `seconds`, and wasn't synchronised to a blank.
  package mutating func sent(_ clips: [PixelRect], in seconds: Double) {
    let bytes = Double(bytes(of: clips))
    // For few bytes, the flip itself takes most of the time.
    guard seconds > 4 * Self.flipSeconds, bytes > 4096 else {
      if bytes > 65536 { bytesPerSecond = max(bytesPerSecond ?? 0, bytes / max(seconds, 1e-4)) }
      return
    }
    let rate = bytes / (seconds - Self.flipSeconds)
    bytesPerSecond = bytesPerSecond.map { $0 * 0.75 + rate * 0.25 } ?? rate
  }

  package var isSlow: Bool { bytesPerSecond.map { $0 < Self.slow } ?? false }

  /// Returns the bytes of the bounding rectangle of all clips.
  package func bytes(of clips: [PixelRect]) -> Int {
    clips.reduce(PixelRect.empty) { $0.union($1) }.area * bytesPerPixel
  }

  /// The clips of a frame's flips, a single flip unless the bus is slow. O(n²) in the clips.
  package func flips(of clips: [PixelRect]) -> [[PixelRect]] {
    guard isSlow, let bytesPerSecond, clips.count > 1 else { return [clips] }
    let overhead = Int(Self.flipSeconds * bytesPerSecond)
    var groups = clips.map { Group(clips: [$0], bounds: $0) }
    for index in groups.indices { findNearest(to: index, in: &groups) }
    var count = groups.count
    while count > 1 {
      // The pair whose common rectangle adds the least.
      guard let first = groups.indices.min(by: { groups[$0].excess < groups[$1].excess }),
        count > Self.maximumFlips || groups[first].excess <= overhead
      else { break }
      let second = groups[first].nearest
      groups[first].clips += groups[second].clips
      groups[first].bounds = groups[first].bounds.union(groups[second].bounds)
      groups[second] = Group(clips: [], bounds: .empty)
      count -= 1
      for index in groups.indices where !groups[index].clips.isEmpty {
        if index == first || groups[index].nearest == first || groups[index].nearest == second {
          findNearest(to: index, in: &groups)
        } else {
          groups[index].see(first, excess(groups[index], groups[first]))
        }
      }
    }
    return groups.map(\.clips).filter { !$0.isEmpty }
  }

  /// Empty once merged into another group.
  private struct Group {
    var clips: [PixelRect]
    var bounds: PixelRect
    /// The other group with the smallest excess, and that excess in bytes.
    var nearest = 0
    var excess = Int.max

    mutating func see(_ other: Int, _ excess: Int) {
      if excess < self.excess { (nearest, self.excess) = (other, excess) }
    }
  }

  private func findNearest(to index: Int, in groups: inout [Group]) {
    groups[index].excess = .max
    for other in groups.indices where other != index && !groups[other].clips.isEmpty {
      groups[index].see(other, excess(groups[index], groups[other]))
    }
  }

  private func excess(_ a: Group, _ b: Group) -> Int {
    (a.bounds.union(b.bounds).area - a.bounds.area - b.bounds.area) * bytesPerPixel
  }
}
