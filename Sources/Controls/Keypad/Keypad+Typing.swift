// SPDX-License-Identifier: MIT

internal import Motion

extension Keypad {
  package enum Obstacle: Error, Hashable, Sendable {
    /// No key types a string that begins with this character.
    case noKey(Character)
    case tooLong(maximum: Int)
  }

  /// Returns the keys that type `text` now. O(n) in the number of characters and keys.
  package func keys(typing text: String) throws(Obstacle) -> [String] {
    var keypad = self
    var events: [ControlEvent] = []
    keypad.letGo(at: .zero, events: &events)
    guard keypad.text.count + text.count <= length else { throw .tooLong(maximum: length) }
    var names: [String] = []
    var rest = text[...]
    while let letter = rest.first {
      guard let way = keypad.way(to: rest) else { throw .noKey(letter) }
      names += way.names
      rest = way.rest
      keypad = way.end
    }
    return names
  }

  /// Returns the shortest keys for a prefix of `text`, and the resulting keypad.
  private func way(to text: Substring) -> (names: [String], end: Keypad, rest: Substring)? {
    var ways: [(names: [String], end: Keypad)] = [([], self)]
    var next = 0
    while next < ways.count {
      let (names, keypad) = ways[next]
      next += 1
      for place in keypad.places {
        let action = keypad.action(place)
        var end = keypad
        var events: [ControlEvent] = []
        end.type(place, at: .zero, events: &events)
        switch action {
        case .type(let letters) where !letters.isEmpty && text.hasPrefix(letters):
          return (names + [action.name], end, text.dropFirst(letters.count))
        case .shift, .symbols:
          // Only layer and shift change, so one path to each combination is enough.
          let isKnown = ways.contains { $0.end.layer == end.layer && $0.end.shift == end.shift }
          if !isKnown { ways.append((names + [action.name], end)) }
        default: break
        }
      }
    }
    return nil
  }
}
