// SPDX-License-Identifier: MIT

internal import Geometry

/// The abilities that a terminal has reported.
struct Abilities: Hashable {
  /// Whether tmux or screen stands between this program and the terminal.
  var isMultiplexed = false
  var hasKitty = false
  var hasSixel = false
  /// Whether it shows all output between two marks at once (mode 2026).
  var hasSynchronizedOutput = false
  /// Whether it can report the mouse in pixels (mode 1016).
  var hasPixelMouse = false
  /// Whether it answers, in its turn, when it is asked how it is.
  var answersStatus = false
  /// Pixels of a cell.
  var cell: PixelSize?
  /// Whether it has answered all questions.
  var isComplete = false

  /// Questions whose answers come in the same order. Every terminal answers the last one, so whatever has not
  /// been answered before that never will be.
  ///
  /// Terminals that do not know a question may show it, so it is asked where all is cleared anyway.
  /// tmux and screen take the question about kitty's graphics for a title; they pass no such
  /// graphics on, so they are not asked.
  var query: [UInt8] {
    var text = "\u{1b}[?2026$p\u{1b}[?1016$p\u{1b}[16t"
    // One pixel, to be checked and not shown.
    if !isMultiplexed { text += "\u{1b}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1b}\\" }
    text += "\u{1b}[5n\u{1b}[c"
    return Array(text.utf8)
  }

  /// Takes an answer; other input changes nothing.
  mutating func learn(_ input: InputParser.Input) {
    switch input {
    case .control(let mark?, let parameters, let intermediates, let final)
    where mark == UInt8(ascii: "?"):
      switch (final, intermediates, parameters.count) {
      case (UInt8(ascii: "c"), [], _):
        hasSixel = parameters.dropFirst().contains(4)
        // A VT100 never had sixels, but tmux calls itself one that has.
        if hasSixel, parameters[0] == 1 { isMultiplexed = true }
        isComplete = true
      case (UInt8(ascii: "y"), [UInt8(ascii: "$")], 2):
        // 1 and 2 are on and off, 3 is always on; 0 is unknown, 4 always off.
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

  /// The best that there is.
  ///
  /// tmux offers sixels in every terminal, shows words instead where the terminal has none, keeps
  /// only the last ten or twenty images to draw them again, and before version 3.6 paints up to five
  /// rows of pixels black below each of them.
  var graphics: Graphics { hasKitty ? .kitty : hasSixel && !isMultiplexed ? .sixel : .blocks }
}
