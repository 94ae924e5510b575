// SPDX-License-Identifier: MIT

internal import Controls
internal import Expressions

/// A parameter of a command. All that reads and writes commands goes by its kind.
package struct CommandParameter: Sendable {
  package enum Kind: Hashable, Sendable {
    /// `{name: value}`: a value, a control's property, or the language.
    case setting
    /// The name of a page, `back` or `home`.
    case page
    /// The id of a control, which knows the command if it is one of controls.
    case control
    /// The id of a control, or `all`.
    case controlOrAll
    /// The name of an event, or `{name: NAME, FIELD: value}`.
    case event
    /// True or false, or a word. A request may leave it out.
    case flag(default: Bool, orWord: String?)
    /// A number within a range, in a unit.
    case number(ClosedRange<Double>, String)
    /// A list of texts.
    case program
    /// The name of a sound file.
    case sound
    /// The name of a `Keystroke`.
    case key
  }

  /// Its name in a request, and in a map of several.
  package let name: String
  package let kind: Kind
  /// A sentence, or the part of one.
  package let about: String
}

/// The parameters of a command while it is declared.
struct CommandParameters {
  private(set) var all: [CommandParameter] = []

  private mutating func add<Content>(
    _ name: String, _ kind: CommandParameter.Kind, _ about: String,
    _ content: @escaping @Sendable (CommandArgument<String, Value>) -> Content?
  ) -> ArgumentKey<Content> {
    all.append(CommandParameter(name: name, kind: kind, about: about))
    return ArgumentKey(index: all.count - 1, content: content)
  }

  mutating func setting(_ name: String, _ about: String) -> ArgumentKey<(Reference, Value)> {
    add(name, .setting, about) {
      if case .setting(let name, let value) = $0 { (name, value) } else { nil }
    }
  }

  mutating func page(_ name: String, _ about: String) -> ArgumentKey<String> {
    add(name, .page, about) { if case .page(let page) = $0 { page } else { nil } }
  }

  mutating func control(_ name: String, _ about: String) -> ArgumentKey<String> {
    add(name, .control, about) { if case .control(let id) = $0 { id } else { nil } }
  }

  /// Nil for all.
  mutating func controlOrAll(_ name: String, _ about: String) -> ArgumentKey<String?> {
    add(name, .controlOrAll, about) {
      if case .controlOrAll(let id) = $0 { .some(id) } else { nil }
    }
  }

  mutating func event(_ name: String, _ about: String) -> ArgumentKey<(String, [Field])> {
    add(name, .event, about) {
      guard case .event(let name, let fields) = $0 else { return nil }
      return (name, fields.map { Field($0.name, $0.value) })
    }
  }

  mutating func flag(
    _ name: String, default value: Bool, _ about: String
  ) -> ArgumentKey<Bool> {
    add(name, .flag(default: value, orWord: nil), about) {
      if case .flag(let flag) = $0 { flag } else { nil }
    }
  }

  /// Nil for the word.
  mutating func flag(
    _ name: String, default value: Bool, orWord word: String, _ about: String
  ) -> ArgumentKey<Bool?> {
    add(name, .flag(default: value, orWord: word), about) {
      switch $0 {
      case .flag(let flag): .some(flag)
      case .word: .some(nil)
      default: nil
      }
    }
  }

  mutating func number(
    _ name: String, _ range: ClosedRange<Double>, _ unit: String = "", _ about: String
  ) -> ArgumentKey<Double> {
    add(name, .number(range, unit), about) {
      if case .number(let number) = $0 { number } else { nil }
    }
  }

  mutating func program(_ name: String, _ about: String) -> ArgumentKey<[String]> {
    add(name, .program, about) { if case .program(let words) = $0 { words } else { nil } }
  }

  /// The path of the file.
  mutating func sound(_ name: String, _ about: String) -> ArgumentKey<String> {
    add(name, .sound, about) {
      guard case .sound(let file, let folder) = $0 else { return nil }
      return file.hasPrefix("/") ? file : folder + file
    }
  }

  mutating func key(_ name: String, _ about: String) -> ArgumentKey<Keystroke> {
    add(name, .key, about) { if case .key(let key) = $0 { key } else { nil } }
  }
}

/// Where a command finds an argument that it has declared.
struct ArgumentKey<Content>: Sendable {
  fileprivate let index: Int
  fileprivate let content: @Sendable (CommandArgument<String, Value>) -> Content?
}

/// The arguments of a command that is carried out.
struct GivenArguments {
  private let all: [CommandArgument<String, Value>]

  init(_ arguments: [CommandArgument<String, Value>]) { all = arguments }

  subscript<Content>(key: ArgumentKey<Content>) -> Content {
    guard all.indices.contains(key.index), let content = key.content(all[key.index]) else {
      preconditionFailure("a command has the arguments of its kind")
    }
    return content
  }
}
