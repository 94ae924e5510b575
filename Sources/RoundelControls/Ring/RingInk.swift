// SPDX-License-Identifier: MIT

internal import RoundelDrawing

/// The labels' shared ink: white or near-black, whichever is legible on more fills.
struct RingInk {
  private let context: DrawingContext
  private var white = Legibility()
  private var dark = Legibility()
  private var isThemed = true
  private var isReadable = true

  private struct Legibility {
    var count = 0
    var contrast = Double.infinity

    mutating func add(_ contrast: Double) {
      if contrast >= Color.textContrast { count += 1 }
      self.contrast = min(self.contrast, contrast)
    }
  }

  init(_ context: DrawingContext) { self.context = context }

  mutating func add(_ fill: Color) {
    isThemed = isThemed && (fill == context.theme.background || fill == context.theme.surface)
    isReadable = isReadable && context.theme.text.contrast(with: fill) >= Color.textContrast
    white.add(fill.contrast(with: .white))
    dark.add(fill.contrast(with: .dark))
  }

  /// Replaces the shared ink if it lacks a symbol's contrast.
  func ink(on fill: Color) -> Color {
    if isThemed { return context.ink(on: fill) }
    let isWhite = (white.count, white.contrast) >= (dark.count, dark.contrast)
    let plain = isWhite ? Color.white : .dark
    let common = plain == .white && isReadable ? context.theme.text : plain
    return common.kept(on: fill, contrast: Color.signContrast)
  }
}
