// SPDX-License-Identifier: MIT

internal import Drawing
internal import Geometry

/// The theme, the language, the brightness and the panel.
struct Appearance: Sendable {
  /// The default colours and sizes of controls.
  private(set) var theme: Theme
  /// The language in use, or an empty string in a kiosk in one language.
  private(set) var language: String
  /// The panel's brightness while it is awake: 0 … 1, where 1 is the maximum, or nil to leave it unchanged.
  private(set) var brightness: Double?
  /// The panel's rectangle on the plane of the design, or nil if it is the design's.
  private(set) var panel: Rect?
  /// Increases with each visible change.
  private(set) var revision: UInt64 = 0

  init(_ description: Description) {
    theme = description.theme
    language = description.firstLanguage
    brightness = description.screen.brightness
  }

  mutating func set(_ theme: Theme) {
    guard theme != self.theme else { return }
    self.theme = theme
    revision &+= 1
  }

  mutating func set(language: String) {
    self.language = language
    revision &+= 1
  }

  /// Sets the brightness, limited to 0 … 1.
  mutating func set(brightness: Double) { self.brightness = min(max(brightness, 0), 1) }

  mutating func set(panel: Rect?) { self.panel = panel }

  /// Continues with the theme of the next plan; language and brightness stay, unless the next plan has others.
  mutating func follow(_ succession: Succession) {
    let (former, next) = (succession.former.description, succession.next.description)
    set(next.theme)
    set(language: next.language(after: language))
    if former.screen.brightness != next.screen.brightness { brightness = next.screen.brightness }
  }
}
