// SPDX-License-Identifier: MIT

internal import Controls
public import Expressions
public import JSON
public import Kiosk

/// What can be done to a kiosk without a finger.
public enum Command: Hashable, Sendable {
  case set(PropertyPath, Value)
  case go(page: String)
  /// `spin`, `open` or `close`.
  case perform(String, control: String)
  /// Puts the panel to sleep, or wakes it.
  case blank(Bool)

  /// The names by which recordings call commands.
  static let names = ["set", "go", "spin", "open", "close", "blank"]

  /// As a recording has it: `"set": {"minutes.value": 3}`.
  public var json: JSONValue.Member {
    switch self {
    case .set(let path, let value):
      .init("set", .object([.init(path.description, JSONValue(value))]))
    case .go(let page): .init("go", .string(page))
    case .perform(let name, let control): .init(name, .string(control))
    case .blank(let blank): .init("blank", .bool(blank))
    }
  }

  /// Nil where that is no command.
  init?(_ json: JSONValue.Member) {
    switch (json.name, json.value) {
    case ("set", .object(let members)):
      guard members.count == 1, let path = PropertyPath(members[0].name),
        let value = Value(members[0].value)
      else { return nil }
      self = .set(path, value)
    case ("go", .string(let page)): self = .go(page: page)
    case ("spin", .string(let id)), ("open", .string(let id)), ("close", .string(let id)):
      self = .perform(json.name, control: id)
    case ("blank", .bool(let blank)): self = .blank(blank)
    default: return nil
    }
  }

  /// How `init(_:)` wants the value of a name.
  static func expected(_ name: String) -> String {
    switch name {
    case "set": "{\"control.property\": value}"
    case "go": "the name of a page"
    case "blank": "true or false"
    default: "the id of a control"
    }
  }
}

/// Why a command was not done.
public struct CommandError: Error, Hashable, Sendable, CustomStringConvertible {
  public var description: String
}

extension Engine {
  /// Does what a command says.
  public mutating func perform(_ command: Command) throws(CommandError) {
    switch command {
    case .set(let path, let value):
      do throws(PropertyError) {
        try set(path.property, of: path.control, to: value)
      } catch {
        throw CommandError(description: "set \(path): \(error)")
      }
    case .go(let page):
      guard go(to: page) else {
        throw CommandError(description: "there is no page \"\(page)\"")
      }
    case .perform(let name, let control):
      guard perform(name, on: control) else {
        throw CommandError(description: "\(control) does not \(name)")
      }
    case .blank(let blank): setBlank(blank)
    }
  }
}
