// SPDX-License-Identifier: MIT

/// Who brought something about.
public enum Cause: String, Hashable, Sendable {
  /// A finger, or a shake, until what it set in motion has ended.
  case finger
  /// A client or a program.
  case command
  /// An action, whatever set it off.
  case action
  /// Time: a face that turns by itself, a page that goes home.
  case time
}
