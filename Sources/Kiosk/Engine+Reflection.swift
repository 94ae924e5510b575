// SPDX-License-Identifier: MIT

internal import Controls
internal import Drawing

extension Engine {
  /// Reflects the places of all controls, or takes that back, if the language in use is written in the other
  /// direction. Controls keep their keys and their state, motion included; fingers let go of them. O(n) in the
  /// controls' parts of the file.
  mutating func matchDirection() {
    let isWanted = screen.isMirrored && LanguageTag(language).isRightToLeft
    guard isWanted != isReflected else { return }
    isReflected = isWanted
    for finger in fingers {
      if case .control? = touching[finger]?.holder { release(finger) }
    }
    for page in pages.indices {
      for control in pages[page].controls.indices {
        guard let made = initialPages[page].controls[control].source?.made(isReflected: isReflected)
        else { continue }
        initialPages[page].controls[control].control = made
      }
      initialPages[page].arrange(on: screen.size, isReflected: isReflected)
      for control in pages[page].controls.indices { reflect(Place(page: page, control: control)) }
    }
  }

  /// Puts a control of the file at its place in the present direction.
  private mutating func reflect(_ place: Place) {
    let entry = pages[place.page].controls[place.control]
    let initial = initialPages[place.page].controls[place.control]
    guard let source = initial.source else { return }
    var new = initial.control
    if !entry.changedKeys.isEmpty {
      new = source.changing(entry.changedKeys, of: new, where: [:], at: now).control
    }
    new.resume(entry.control, at: now)
    pages[place.page].controls[place.control].control = new
    noteChange(of: .control(place))
  }
}
