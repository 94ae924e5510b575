// SPDX-License-Identifier: MIT

public import Expressions

/// A text with `{control.property}` in it, filled in when it is shown. `{{` and `}}` stand for the
/// braces themselves.
public struct Template: Hashable, Sendable {
  public enum Part: Hashable, Sendable {
    case literal(String)
    case property(control: String, property: String)
  }

  public let parts: [Part]

  /// Why a text is no template.
  public struct Mistake: Error, Hashable, Sendable {
    public var what: String
  }

  /// Reads a template. An opening brace without its end, or a reference that is not two names with a
  /// dot between them, is a mistake.
  public init(_ text: String) throws(Mistake) {
    var parts: [Part] = []
    var literal = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      if (character == "{" || character == "}") && rest.first == character {
        rest.removeFirst()
        literal.append(character)
      } else if character == "{" {
        guard let end = rest.firstIndex(of: "}") else {
          throw Mistake(what: "\"{\" without \"}\" in \"\(text)\"")
        }
        let reference = rest[..<end]
        rest = rest[rest.index(after: end)...]
        // A wheel's property has a dot of its own: the control's name ends at the first one.
        guard let dot = reference.firstIndex(of: "."), dot != reference.startIndex,
          reference.index(after: dot) != reference.endIndex
        else { throw Mistake(what: "\"{\(reference)}\" is not of the form {control.property}") }
        if !literal.isEmpty { parts.append(.literal(literal)) }
        literal = ""
        parts.append(
          .property(
            control: String(reference[..<dot]),
            property: String(reference[reference.index(after: dot)...])))
      } else {
        literal.append(character)
      }
    }
    if !literal.isEmpty { parts.append(.literal(literal)) }
    self.parts = parts
  }

  /// A text in which nothing is filled in, braces included.
  public init(literal text: String) {
    parts = text.isEmpty ? [] : [.literal(text)]
  }

  /// The text with every reference filled in; one that has no value leaves nothing.
  public func filled(_ property: (_ control: String, _ property: String) -> Value?) -> String {
    parts.map { part in
      switch part {
      case .literal(let text): text
      case .property(let control, let name): property(control, name)?.display ?? ""
      }
    }.joined()
  }
}
