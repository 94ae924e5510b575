// SPDX-License-Identifier: MIT

internal import RoundelDrawing
internal import RoundelGeometry

struct Appearance: Sendable {
  private(set) var theme: Theme
  private(set) var language: String
  private(set) var brightness: Double?
  private(set) var panel: Rect?
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

  mutating func set(brightness: Double) { self.brightness = min(max(brightness, 0), 1) }

  mutating func set(panel: Rect?) { self.panel = panel }

  /// Keeps language and brightness, unless the next plan changes them.
  mutating func adopt(_ mapping: PlanMapping) {
    let (former, next) = (mapping.former.description, mapping.next.description)
    set(next.theme)
    set(language: next.language(after: language))
    if former.screen.brightness != next.screen.brightness { brightness = next.screen.brightness }
  }
}
