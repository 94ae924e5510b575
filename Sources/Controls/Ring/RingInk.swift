// SPDX-License-Identifier: MIT

internal import Drawing

/// The ink that the labels of a ring have in common: white where it can be read on all fills, otherwise
/// near-black, or whichever can be read on more of them.
struct RingInk {
  private let context: DrawingContext
  private var white = (large: 0, small: 0)
  private var dark = (large: 0, small: 0)
  private var isThemed = true

  init(_ context: DrawingContext) { self.context = context }

  /// Adds what lies behind one of the labels.
  mutating func add(_ fill: Color) {
    isThemed = isThemed && (fill == context.theme.background || fill == context.theme.surface)
    let (onWhite, onDark) = (fill.contrast(with: .white), fill.contrast(with: .dark))
    if onWhite >= TextInk.largeContrast { white.large += 1 }
    if onWhite >= TextInk.smallContrast { white.small += 1 }
    if onDark >= TextInk.largeContrast { dark.large += 1 }
    if onDark >= TextInk.smallContrast { dark.small += 1 }
  }

  /// The ink of a label: the ring's, or, where that cannot be read on its fill, one of its own.
  func ink(on fill: Color) -> TextInk {
    let own = context.ink(on: fill)
    if isThemed { return own }
    let large = white.large >= dark.large ? Color.white : .dark
    let small = white.small >= dark.small ? Color.white : .dark
    return TextInk(
      large: large.contrast(with: fill) >= TextInk.largeContrast ? large : own.large,
      small: small.contrast(with: fill) >= TextInk.smallContrast ? small : own.small)
  }
}
