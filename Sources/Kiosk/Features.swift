// SPDX-License-Identifier: MIT

internal import Motion

/// The state of capabilities that pages, touches and actions do not need.
struct Features: Sendable {
  /// The swipe of the current page, until the page is back in its place.
  var swipe: Swipe? { didSet { revision &+= 1 } }
  /// Whether the kiosk is asking if anybody is still there.
  var isAsking = false {
    didSet { if isAsking != oldValue { revision &+= 1 } }
  }
  /// When a finger was lifted last, or nil if none was.
  var lastLift: Instant?
  /// The state of speech, or nil if the kiosk does not speak.
  var speech: Speech?
  /// The day of the values that go back at midnight, or nil before the start.
  var day: Int?
  /// Increases with each visible change.
  private(set) var revision: UInt64 = 0

  init(_ description: Description) {
    speech = description.speech.map { Speech(isOn: $0.starts.contains(.always), rate: $0.rate) }
  }
}
