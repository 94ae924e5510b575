// SPDX-License-Identifier: MIT

/// A device that types lines, such as a reader of codes or cards.
package struct Scanner: Hashable, Sendable {
  /// The key that ends a line.
  package enum End: String, CaseIterable, Sendable {
    case enter, tab

    package var symbols: [Keysym] {
      switch self {
      case .enter: [Keysym(0xff0d), Keysym(0xff8d)]
      case .tab: [Keysym(0xff09)]
      }
    }
  }

  /// The pattern of the device's name, where `*` is any text and `?` any character.
  package var device: String
  /// The beginning of its lines, which isn't part of the text.
  package var prefix: String
  package var end: End
  /// Whether only actions and `logic` get its lines.
  package var isPrivate: Bool

  package init(
    device: String, prefix: String = "", end: End = .enter, isPrivate: Bool = false
  ) {
    self.device = device
    self.prefix = prefix
    self.end = end
    self.isPrivate = isPrivate
  }

  /// The maximum number of characters of a line.
  package static let maximumLength = 4096

  /// Whether the device has this name. O(n·m) in their characters.
  package func matches(_ name: String) -> Bool {
    let (name, pattern) = (Array(name), Array(device))
    var (at, place) = (0, 0)
    // The last star, and the position where its text ends.
    var star: (place: Int, at: Int)?
    while at < name.count {
      if place < pattern.count, pattern[place] == "*" {
        star = (place, at)
        place += 1
      } else if place < pattern.count, pattern[place] == "?" || pattern[place] == name[at] {
        (at, place) = (at + 1, place + 1)
      } else if let last = star {
        star = (last.place, last.at + 1)
        (at, place) = (last.at + 1, last.place + 1)
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == "*" }
  }
}
