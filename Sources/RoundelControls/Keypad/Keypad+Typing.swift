// SPDX-License-Identifier: MIT

package import RoundelMotion

extension Keypad {
  package enum Obstacle: Error, Hashable, Sendable {
    /// No key types a string that begins with this character.
    case noKey(Character)
    case tooLong(maximum: Int)
  }

  /// O(n) in the characters and keys.
  package func keys(typing text: String) throws(Obstacle) -> [String] {
    var keypad = self
    var events: [ControlEvent] = []
    keypad.letGo(at: .zero, events: &events)
    guard keypad.text.count + text.count <= length else { throw .tooLong(maximum: length) }
    var names: [String] = []
    var rest = text[...]
    while let letter = rest.first {
      guard let route = keypad.route(to: rest) else { throw .noKey(letter) }
      names += route.names
      rest = route.rest
      keypad = route.end
    }
    return names
  }

  /// Returns the shortest keys for a prefix of `text`, and the resulting keypad.
  private func route(to text: Substring) -> (names: [String], end: Keypad, rest: Substring)? {
    var routes: [(names: [String], end: Keypad)] = [([], self)]
    var next = 0
    while next < routes.count {
      let (names, keypad) = routes[next]
      next += 1
      for position in keypad.positions {
        let action = keypad.action(position)
        var end = keypad
        var events: [ControlEvent] = []
        end.type(position, at: .zero, events: &events)
        switch action {
        case .type(let letters) where !letters.isEmpty && text.hasPrefix(letters):
          return (names + [action.name], end, text.dropFirst(letters.count))
        case .shift, .symbols:
          // Only layer and shift change, so one path to each combination is enough.
          let isKnown = routes.contains { $0.end.layer == end.layer && $0.end.shift == end.shift }
          if !isKnown { routes.append((names + [action.name], end)) }
        default: break
        }
      }
    }
    return nil
  }
}

// MARK: Keyboards

extension Keypad {
  /// The text that a keyboard's character types: the character, otherwise its other case. Nil if no key types either.
  package func key(typing character: Unicode.Scalar) -> String? {
    let letter = String(Character(character))
    let actions = possibleActions
    return [letter, letter.uppercased(), letter.lowercased()].first {
      actions.contains(.type($0))
    }
  }

  /// Whether the keypad has a key that removes the last character, and a character.
  package var canErase: Bool { !text.isEmpty && possibleActions.contains(.delete) }

  /// The part of the enter key in the current layer, or nil if there isn't one.
  package var enterPart: Int? { positions.firstIndex { action($0) == .enter } }

  /// Types a character of a keyboard, or removes the last character if it is nil. Has no effect while a finger holds a
  /// key.
  package mutating func type(
    _ character: Unicode.Scalar?, at now: Instant, events: inout [ControlEvent]
  ) {
    guard !isTouched else { return }
    guard let character else { return delete(at: now, &events) }
    guard let letter = key(typing: character), text.count < length else { return }
    append(letter, at: now, &events)
  }
}
