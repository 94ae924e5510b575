// SPDX-License-Identifier: MIT

internal import Declarations
internal import Drawing
internal import Expressions
internal import Geometry
internal import Kiosk

/// The settings and names that a kiosk file states for all of its pages.
struct Outline: Sendable {
  let screen: DeclaredScreen
  let values: KioskValues
  let styles: KioskStyles
  let languages: [String]
  let texts: [Node.Pair]
  let themes: KioskThemes
  /// The values before anything has happened.
  let firstValues: FirstValues

  /// The keys of the file that it is made of, besides `screen`.
  static let keys = ["values", "styles", "languages", "texts", "themes"]

  init(
    screen: DeclaredScreen = DeclaredScreen(), _ keys: KeyValues = [:]
  ) {
    func value<Value>(_ key: String, as type: Value.Type) -> Value? {
      (keys[key] ?? nil) as? Value
    }
    self.screen = screen
    values = value("values", as: KioskValues.self) ?? KioskValues()
    self.styles = value("styles", as: KioskStyles.self) ?? KioskStyles()
    languages = value("languages", as: [String].self) ?? []
    texts = value("texts", as: Node.self)?.pairs ?? []
    themes = value("themes", as: KioskThemes.self) ?? KioskThemes()
    firstValues = FirstValues(values, language: languages.first ?? "")
  }

  /// The names of all themes that the kiosk may have.
  var themeNames: [String] {
    Theme.builtIn.keys.sorted() + themes.names.filter { Theme.builtIn[$0] == nil }
  }
}

/// The screen of a kiosk file, and what readers need to know of the panel.
struct DeclaredScreen: Sendable {
  var screen = Screen()
  /// The sizes of which the screen has one.
  var sizes: [Size] = []
  /// The diagonal of the panel in inches; nil if the file does not state it.
  var panelDiagonal: Double?

  /// Chooses the one of several sizes that covers most of an upright canvas; the first without one.
  mutating func fit(to canvas: PixelSize?) {
    guard let size = canvas?.bestCovered(by: sizes) ?? sizes.first else { return }
    screen.size = size
    guard sizes.count > 1 else { return }
    screen.sizes = sizes
    // Among panels of several shapes, only a square one can be round.
    screen.isRound = screen.isRound && size.width == size.height
  }

  /// The diagonal of the panel, or else 7 inches: the smallest that hangs on many walls.
  var panelInches: Double { panelDiagonal ?? 7 }
  /// The 9 mm that a finger needs, in design pixels.
  var fingerSize: Double { 9 * pixelsPerMillimeter }
  var pixelsPerMillimeter: Double {
    let (width, height) = (screen.size.width, screen.size.height)
    return (width * width + height * height).squareRoot() / (panelInches * 25.4)
  }

  var constants: Constants {
    Constants(["screen.width": screen.size.width, "screen.height": screen.size.height])
  }
}
