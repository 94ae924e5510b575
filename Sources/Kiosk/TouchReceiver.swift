// SPDX-License-Identifier: MIT

/// The receiver of a touch.
public struct TouchReceiver: Hashable, Sendable {
  /// The id of the control that the finger belongs to; nil for none.
  public var control: String?
  /// Whether it is the page itself, behind its controls or moved by a swipe.
  public var isPage = false
  /// Whether what fingers do on that control is secret: recordings are without them.
  public var isSecret = false
  /// Whether the touch woke the panel, and did nothing else.
  public var hasWoken = false
}
