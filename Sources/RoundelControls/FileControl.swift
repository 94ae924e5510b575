// SPDX-License-Identifier: MIT

public import RoundelExpressions
public import RoundelGeometry

/// A control type of a program for kiosk files, such as `- lamp: porch`.
///
/// A file gives each control an id, `at`, the type's keys, `enabled`, `visible`, `spoken` and `on`.
public protocol FileControl: Control {
  /// The name of the type, a word in lower case.
  static var type: String { get }

  /// The description of the type, one sentence.
  static var summary: String { get }

  /// The type's keys. Only the file sets them, so their values aren't templates.
  static var keys: [ControlKey] { get }

  /// The names of the type's events.
  static var events: [String] { get }

  /// The fields of the type's events, of any kind.
  static var eventFields: [String] { get }

  /// Creates a control at a point in design pixels.
  ///
  /// - Parameter values: The values of all keys, of the key's kind and in its range.
  init(at center: Point, _ values: [String: Value])
}

extension FileControl {
  /// The default is an empty string.
  public static var summary: String { "" }
  /// The default is an empty array.
  public static var events: [String] { [] }
  /// The default is an empty array.
  public static var eventFields: [String] { [] }
}

/// A key of a program's control type.
public struct ControlKey: Sendable {
  package enum Kind: Sendable {
    case number(ClosedRange<Double>)
    case text
    case flag
  }

  package let name: String
  package let kind: Kind
  package let initial: Value?
  package let summary: String

  private init(_ name: String, _ kind: Kind, _ initial: Value?, _ summary: String) {
    self.name = name
    self.kind = kind
    self.initial = initial
    self.summary = summary
  }

  /// A number in a range. Required unless it has a default.
  public static func number(
    _ name: String, _ range: ClosedRange<Double>, default initial: Double? = nil, _ summary: String
  ) -> ControlKey {
    ControlKey(name, .number(range), initial.map { .number($0) }, summary)
  }

  /// A string. Required unless it has a default.
  public static func text(
    _ name: String, default initial: String? = nil, _ summary: String
  ) -> ControlKey {
    ControlKey(name, .text, initial.map { .text($0) }, summary)
  }

  /// A flag. Required unless it has a default.
  public static func flag(
    _ name: String, default initial: Bool? = nil, _ summary: String
  ) -> ControlKey {
    ControlKey(name, .flag, initial.map { .flag($0) }, summary)
  }
}
