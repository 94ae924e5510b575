// SPDX-License-Identifier: MIT

public import ArgumentParser
import Controls
package import DRMDisplay
public import Expressions
public import Geometry
import JSON
public import Kiosk
import LinuxIO
import Session

extension PixelSize: ExpressibleByArgument {
  /// `WxH`, at most that of the largest panels, either way round.
  public init?(argument: String) {
    let parts = argument.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]),
      PixelSize(width, height).isPanelSize
    else { return nil }
    self.init(width, height)
  }
}

extension Rotation: ExpressibleByArgument {
  /// The values that help and completion list: `0`, `90`, `180`, `270`.
  public static var allValueStrings: [String] { allCases.map { String($0.rawValue) } }
}

extension CivilTime: ExpressibleByArgument {
  /// `2026-11-21T08:00`.
  public init?(argument: String) { self.init(argument) }
}

extension ModeRequest: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }
}

extension Reference: ExpressibleByArgument {
  /// `cups`, `dial.value` or `menu.tea.label`.
  public init?(argument: String) { self.init(argument) }
}

extension Target: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }
}

/// `name=value`, as `--set` takes it: a property, a value of the kiosk's own, or the language. What is
/// set says whether the text is a number.
struct Assignment: ExpressibleByArgument {
  var name: Reference
  var text: String

  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), let name = Reference(argument[..<equals])
    else { return nil }
    self.name = name
    text = String(argument[argument.index(after: equals)...])
    // Quotes that a shell has left are not meant.
    if text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") {
      text = String(text.dropFirst().dropLast())
    }
  }
}

/// What `wait` waits for: an expression, or the older `name=value`.
enum AwaitedState: ExpressibleByArgument {
  case expression(String)
  case assignment(Assignment)

  init?(argument: String) {
    guard Self.isAssignment(argument) else {
      self = .expression(argument)
      return
    }
    guard let assignment = Assignment(argument: argument) else { return nil }
    self = .assignment(assignment)
  }

  /// Whether there is a single `=` before any quotation mark: no expression has one.
  private static func isAssignment(_ text: String) -> Bool {
    let head = text.utf8.prefix { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") }
    guard let equals = head.firstIndex(of: UInt8(ascii: "=")) else { return false }
    let before = head[..<equals].last.map { "!<>".utf8.contains($0) } ?? false
    let after = text.utf8[equals...].dropFirst().first == UInt8(ascii: "=")
    return !before && !after
  }
}

/// `field=value` of an event. As in a kiosk file, plain JSON numbers and flags are such, and all else
/// is a text: `007`, `no`.
struct EventField: ExpressibleByArgument {
  var name: String
  var value: Value

  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), equals != argument.startIndex else {
      return nil
    }
    name = String(argument[..<equals])
    let text = String(argument[argument.index(after: equals)...])
    switch try? JSONValue(parsing: Array(text.utf8)) {
    case .number(let number): value = .number(number)
    case .bool(let flag): value = .flag(flag)
    default: value = .text(text)
    }
  }
}

extension Engine {
  /// Applies what `--page` and `--set` ask for, before anything is shown.
  mutating func prepare(page: String?, settings: [Assignment]) throws(Failure) {
    if let page, !go(to: page) {
      let known = pages.map(\.name).joined(separator: ", ")
      throw Failure(.usage, "there is no page \"\(page)\" (the pages are: \(known))")
    }
    for setting in settings {
      do throws(PropertyError) {
        try set(setting.name, to: Value(text: setting.text, as: kind(of: setting.name)))
      } catch {
        throw Failure(.usage, "--set \(setting.name): \(error)")
      }
    }
  }
}
