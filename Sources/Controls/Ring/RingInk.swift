// SPDX-License-Identifier: MIT

internal import Drawing

/// The ink that the labels of a ring have in common: white or near-black, whichever can be read on more of
/// the fills.
struct RingInk {
  private let context: DrawingContext
  private var white = 0
  private var dark = 0
  private var isThemed = true
  private var isReadable = true

  init(_ context: DrawingContext) { self.context = context }

  /// Adds the colour behind one of the labels.
  mutating func add(_ fill: Color) {
    isThemed = isThemed && (fill == context.theme.background || fill == context.theme.surface)
    isReadable = isReadable && context.theme.text.contrast(with: fill) >= Color.textContrast
    if fill.contrast(with: .white) >= Color.textContrast { white += 1 }
    if fill.contrast(with: .dark) >= Color.textContrast { dark += 1 }
  }

  /// The ink of a label: the ring's, or, where that has not even the contrast of a sign, one of its own.
  func ink(on fill: Color) -> Color {
    if isThemed { return context.ink(on: fill) }
    let plain = white >= dark ? Color.white : .dark
    let common = plain == .white && isReadable ? context.theme.text : plain
    return common.kept(on: fill, contrast: Color.signContrast)
  }
}
