// SPDX-License-Identifier: MIT

internal import Controls
internal import Drawing

extension Engine {
  /// Reflects the places of all controls, or takes that back, if the language in use is written in the other
  /// direction. Controls keep their keys and their state, motion included; fingers let go of them. O(n) in the
  /// controls' parts of the file.
  mutating func matchDirection(_ turn: inout Turn) {
    let isWanted = screen.isMirrored && LanguageTag(language).isRightToLeft
    guard isWanted != controls.isReflected else { return }
    for finger in fingers {
      if case .control? = touches[finger]?.holder { release(finger, &turn) }
    }
    controls.set(reflected: isWanted, on: screen.size, at: now)
    for place in places.values where controls[place].source != nil {
      noteChange(of: .control(place), &turn)
    }
  }
}
