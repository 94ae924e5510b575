// SPDX-License-Identifier: MIT

/// The receiver of a touch.
public struct TouchReceiver: Hashable, Sendable {
  /// The control that the finger holds, or nil if it holds none.
  public var control: String?
  /// Whether the page itself is the receiver, behind its controls or moved by a swipe.
  public var isPage = false
  /// Whether touches of the control are secret. Recordings omit them.
  public var isSecret = false
  /// Whether the touch only woke the panel.
  public var hasWoken = false
}
