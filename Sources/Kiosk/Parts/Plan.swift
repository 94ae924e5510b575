// SPDX-License-Identifier: MIT

internal import Controls

/// A version of a kiosk with the results of its analysis. It does not change while the kiosk runs.
final class Plan: Sendable {
  let description: Description
  /// The place of each control, by id.
  let places: [String: Engine.Place]
  let bindings: Bindings
  /// Whether values go back at midnight.
  let hasDailyValues: Bool

  init(_ description: Description) {
    precondition(!description.pages.isEmpty, "a kiosk needs a page")
    self.description = description
    var places: [String: Engine.Place] = [:]
    for (page, controls) in description.pages.map(\.controls).enumerated() {
      for (control, entry) in controls.enumerated() {
        places[entry.id] = Engine.Place(page: page, control: control)
      }
    }
    self.places = places
    bindings = Bindings(description, places: places)
    hasDailyValues = description.values.contains(where: \.isDaily)
  }

  /// Whether a path means the panel's brightness, `screen.brightness`, as no control is called `screen`.
  func isBrightness(_ path: PropertyPath) -> Bool {
    path.control == "screen" && path.property == "brightness" && places[path.control] == nil
  }
}
