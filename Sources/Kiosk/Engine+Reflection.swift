// SPDX-License-Identifier: MIT

internal import Controls
internal import Drawing

extension Engine {
  /// Reflects the places of all controls, or takes that back, where the language in use is written the
  /// other way. Controls keep their state; what fingers hold ends. O(n) in what the file says of them.
  mutating func matchDirection() {
    let isWanted = screen.isMirrored && LanguageTag(language).isRightToLeft
    guard isWanted != isReflected else { return }
    isReflected = isWanted
    for page in pages.indices {
      for control in pages[page].controls.indices { reflect(Place(page: page, control: control)) }
    }
    // Their keys are the file's again.
    for index in bound.indices { bound[index] = nil }
    noteChange(of: .start)
  }

  private mutating func reflect(_ place: Place) {
    let entry = pages[place.page].controls[place.control]
    guard var new = entry.source?.made(isReflected: isReflected) else { return }
    letGo(place)
    new.resume(pages[place.page].controls[place.control].control, at: now)
    pages[place.page].controls[place.control].control = new
    if !entry.changedKeys.isEmpty { try? change(entry.changedKeys, of: place) }
  }
}
