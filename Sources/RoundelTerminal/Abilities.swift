// SPDX-License-Identifier: MIT

internal import RoundelGeometry

struct Abilities: Hashable {
  /// Whether tmux or screen is between this program and the terminal.
  var isMultiplexed = false
  var hasKitty = false
  var hasSixel = false
  /// Whether the terminal displays all output between two marks at once (mode 2026).
  var hasSynchronizedOutput = false
  /// Whether the terminal can report the mouse in pixels (mode 1016).
  var hasPixelMouse = false
  /// Whether the terminal responds to status requests, in order.
  var answersStatus = false
  /// In pixels.
  var cell: PixelSize?
  /// Whether the terminal has responded to all queries.
  var isComplete = false

  /// Terminals answer in order. All answer the last query, so earlier missing answers will never
  /// arrive.
  ///
  /// Terminals may display unknown queries, so they are sent before the screen is cleared. tmux and
  /// screen don't forward kitty graphics, and interpret their query as a title, so it is omitted.
  var query: [UInt8] {
    var text = "\u{1b}[?2026$p\u{1b}[?1016$p\u{1b}[16t"
    // One pixel, for validation without display.
    if !isMultiplexed { text += "\u{1b}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1b}\\" }
    text += "\u{1b}[5n\u{1b}[c"
    return Array(text.utf8)
  }

  /// Processes an answer. Other input is ignored.
  mutating func learn(_ input: InputParser.Input) {
    switch input {
    case .control(let mark?, let parameters, let intermediates, let final)
    where mark == UInt8(ascii: "?"):
      switch (final, intermediates, parameters.count) {
      case (UInt8(ascii: "c"), [], _):
        hasSixel = parameters.dropFirst().contains(4)
        // A VT100 never had sixels, but tmux claims to be a VT100 with sixels.
        if hasSixel, parameters[0] == 1 { isMultiplexed = true }
        isComplete = true
      case (UInt8(ascii: "y"), [UInt8(ascii: "$")], 2):
        // 1 and 2 are on and off, 3 is always on, 0 is unknown, 4 is always off.
        let isKnown = (1...3).contains(parameters[1])
        if parameters[0] == 2026 { hasSynchronizedOutput = isKnown }
        if parameters[0] == 1016 { hasPixelMouse = isKnown }
      default: break
      }
    case .control(nil, let parameters, [], let final):
      if final == UInt8(ascii: "n"), parameters == [0] { answersStatus = true }
      if final == UInt8(ascii: "t"), parameters.count == 3, parameters[0] == 6 {
        let size = PixelSize(parameters[2], parameters[1])
        if TerminalLayout.isUsable(cell: size) { cell = size }
      }
    case .command(let text):
      if text.starts(with: "Gi=31".utf8) { hasKitty = text.suffix(3).elementsEqual(";OK".utf8) }
    default: break
    }
  }

  /// The best available graphics.
  ///
  /// tmux offers sixels in every terminal, displays text if the terminal doesn't support them,
  /// keeps only the last ten or twenty images, and before version 3.6 paints up to five rows of
  /// pixels black below each.
  var graphics: Graphics { hasKitty ? .kitty : hasSixel && !isMultiplexed ? .sixel : .blocks }
}
