// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelGeometry
internal import Kiosk

struct Outline: Sendable {
  let screen: DeclaredScreen
  let values: KioskValues
  let styles: KioskStyles
  let languages: [String]
  let texts: [Node.Pair]
  let themes: KioskThemes
  let firstValues: InitialValues

  /// The file's keys in the outline, except for `screen`.
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
    firstValues = InitialValues(values, language: languages.first ?? "")
  }

  var themeNames: [String] {
    Theme.builtIn.keys.sorted() + themes.names.filter { Theme.builtIn[$0] == nil }
  }
}

struct DeclaredScreen: Sendable {
  var screen = Screen()
  var sizes: [Size] = []
  /// The panel's diagonal in inches, or nil if the file doesn't have it.
  var panelDiagonal: Double?

  /// Chooses the size that covers most of an unrotated canvas, or the first if nil.
  mutating func fit(to canvas: PixelSize?) {
    if sizes == Self.automatic {
      screen.size = (canvas ?? Self.usualCanvas).designSize
      // Each orientation may lack something that the other one has.
      screen.sizes = [Self.usualCanvas.designSize, Self.uprightCanvas.designSize]
      screen.hasPanelShape = true
      screen.isRound = screen.isRound && screen.size.width == screen.size.height
      return
    }
    guard let size = canvas?.bestCovered(by: sizes) ?? sizes.first else { return }
    screen.size = size
    guard sizes.count > 1 else { return }
    screen.sizes = sizes
    // Of several shapes, only a square one can be round.
    screen.isRound = screen.isRound && size.width == size.height
  }

  /// Represents `auto`.
  static let automatic = [Size(0, 0)]
  private static let usualCanvas = PixelSize(1280, 800)
  private static let uprightCanvas = PixelSize(800, 1280)

  /// By default 7 inches, the smallest common wall panel.
  var panelInches: Double { panelDiagonal ?? 7 }
  /// The minimum size of a touch target, 9 mm, in design pixels.
  var fingerSize: Double { 9 * pixelsPerMillimeter }
  var pixelsPerMillimeter: Double {
    let (width, height) = (screen.size.width, screen.size.height)
    return (width * width + height * height).squareRoot() / (panelInches * 25.4)
  }

  var constants: Constants {
    Constants(["screen.width": screen.size.width, "screen.height": screen.size.height])
  }
}
