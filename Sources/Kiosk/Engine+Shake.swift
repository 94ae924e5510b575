// SPDX-License-Identifier: MIT

internal import Controls
public import Motion

extension Engine {
  /// Whether a shake would do something: an accelerometer need not be asked while it would not.
  public var awaitsShake: Bool { !isBlank && !shakeable.isEmpty }

  /// The panel was shaken.
  public mutating func shake(at time: Instant) {
    advance(to: time)
    guard !isBlank else { return }
    for id in shakeable { perform("shake", on: id) }
  }

  private var shakeable: [String] {
    pages[shownPage].controls
      .filter { $0.isEnabled && $0.isVisible && $0.control.commands.contains("shake") }
      .map(\.id)
  }
}
