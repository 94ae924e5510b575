// SPDX-License-Identifier: MIT

internal import CRoundelEvdev
internal import RoundelControls
internal import RoundelInput

/// Assembles the lines of one scanner from its events.
struct ScannerLines {
  enum Result: Hashable, Sendable {
    case scanned(String, isPrivate: Bool = false)
    /// A line without the prefix of a scanner in the file.
    case unexpected
    /// More characters than a line may have. The rest of the line is dropped.
    case overlong
    /// The kernel dropped events of the line.
    case incomplete
  }

  /// The declarations whose pattern matches the device's name.
  private let scanners: [Scanner]
  private let keymap: Keymap
  private var text: [Unicode.Scalar] = []
  /// Whether the rest of the line has no effect.
  private var isDropped = false

  init(_ scanners: [Scanner], _ keymap: Keymap) {
    self.scanners = scanners
    self.keymap = keymap
  }

  mutating func handle(type: UInt16, code: UInt16, value: Int32) -> Result? {
    switch (Int32(type), value) {
    case (EV_SYN, _) where Int32(code) == SYN_DROPPED:
      defer { isDropped = true }
      return isDropped ? nil : .incomplete
    case (EV_KEY, 0), (EV_KEY, 1):
      // A key changes the modifiers of later keys.
      defer { keymap.update(code: Int(code), isDown: value == 1) }
      return value == 1 ? keymap.symbol(of: Int(code)).flatMap { take($0) } : nil
    // 2 is a repeated key.
    default: return nil
    }
  }

  private mutating func take(_ symbol: Keysym) -> Result? {
    let ending = scanners.filter { $0.end.symbols.contains(symbol) }
    guard ending.isEmpty else { return end(ending) }
    // Characters with Control are control characters.
    guard !isDropped, !keymap.isShortcut, let character = symbol.character,
      character.properties.generalCategory != .control
    else { return nil }
    guard text.count < Scanner.maximumLength else {
      (text, isDropped) = ([], true)
      return .overlong
    }
    text.append(character)
    return nil
  }

  /// Ends the line. An empty line has no effect: some devices type two keys at the end.
  private mutating func end(_ scanners: [Scanner]) -> Result? {
    defer { (text, isDropped) = ([], false) }
    guard !isDropped, !text.isEmpty else { return nil }
    for scanner in scanners {
      let prefix = Array(scanner.prefix.unicodeScalars)
      guard text.starts(with: prefix) else { continue }
      var line = String.UnicodeScalarView()
      line.append(contentsOf: text.dropFirst(prefix.count))
      return .scanned(String(line), isPrivate: scanner.isPrivate)
    }
    return .unexpected
  }
}
