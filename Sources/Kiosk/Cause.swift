// SPDX-License-Identifier: MIT

/// The cause of an event.
public enum Cause: String, Hashable, Sendable {
  /// A finger, a key or a shake, until the resulting motion or blink ends.
  case finger
  /// A client or a program.
  case command
  /// An action, whatever triggered it.
  case action
  /// Only time, such as a ticking dial or the return to the first page.
  case time
}
