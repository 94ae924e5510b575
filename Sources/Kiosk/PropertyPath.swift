// SPDX-License-Identifier: MIT

public import Expressions
internal import Motion

/// A property of a control, written `control.property`. The control's id ends at the first dot; names
/// of properties may contain further ones.
public struct PropertyPath: Hashable, Sendable, CustomStringConvertible {
  /// The id of the control.
  public var control: String
  /// The name of the property, which may contain dots.
  public var property: String

  /// A property of the control with the id `control`.
  public init(control: String, property: String) {
    self.control = control
    self.property = property
  }

  /// Parses `control.property`; nil where one of the names is missing.
  public init?(_ text: some StringProtocol) {
    guard let dot = text.firstIndex(of: "."), dot != text.startIndex,
      text.index(after: dot) != text.endIndex
    else { return nil }
    self.init(control: String(text[..<dot]), property: String(text[text.index(after: dot)...]))
  }

  /// `control.property`.
  public var description: String { "\(control).\(property)" }
}

extension Engine {
  /// The value of a name; nil for an unknown one, and for texts and fields of events.
  public func value(of name: Reference) -> Value? {
    reading().value(of: name)
  }
}
