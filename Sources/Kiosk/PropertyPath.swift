// SPDX-License-Identifier: MIT

/// A property of a control, written `control.property`. The control's id ends at the first dot.
public struct PropertyPath: Hashable, Sendable, CustomStringConvertible {
  /// The control's id.
  public var control: String
  /// The name of the property, which may contain dots.
  public var property: String

  /// A property of a control.
  public init(control: String, property: String) {
    self.control = control
    self.property = property
  }

  /// Parses `control.property`, or returns nil if one of the names is missing.
  public init?(_ text: some StringProtocol) {
    guard let dot = text.firstIndex(of: "."), dot != text.startIndex,
      text.index(after: dot) != text.endIndex
    else { return nil }
    self.init(control: String(text[..<dot]), property: String(text[text.index(after: dot)...]))
  }

  /// `control.property`.
  public var description: String { "\(control).\(property)" }
}

extension PropertyPath {
  /// Whether the path is a field of the open message, unless a control has that name.
  var isOfMessage: Bool { control == Message.name && Message.fieldNames.contains(property) }
}
