// SPDX-License-Identifier: MIT

public import ArgumentParser
import Controls
public import DRMDisplay
import Expressions
public import Geometry
import Kiosk

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
  public static var allValueStrings: [String] { allCases.map { String($0.rawValue) } }
}

extension ModeRequest: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

/// `control.property=value`, as `--set` takes it.
struct Assignment: ExpressibleByArgument {
  var path: PropertyPath
  var value: Value

  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), let path = PropertyPath(argument[..<equals])
    else { return nil }
    self.path = path
    value = Self.value(String(argument[argument.index(after: equals)...]))
  }

  /// What a person types for a value: `true`, `3.5`, or else a text; quotes make anything a text.
  static func value(_ text: String) -> Value {
    switch text {
    case "true": .flag(true)
    case "false": .flag(false)
    default:
      if let number = Double(text), number.isFinite {
        .number(number)
      } else if text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") {
        .text(String(text.dropFirst().dropLast()))
      } else {
        .text(text)
      }
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
        try set(setting.path.property, of: setting.path.control, to: setting.value)
      } catch {
        throw Failure(.usage, "--set \(setting.path): \(error)")
      }
    }
  }
}
