// SPDX-License-Identifier: MIT

internal import Controls
internal import Expressions

/// Reads properties of a kiosk at one moment. Each template is filled in once, however many others
/// show it: labels that show each other many times over cost as much as others.
final class PropertyReading: Scope {
  typealias Name = PropertyPath

  private let engine: Engine
  private var texts: [PropertyPath: String] = [:]
  /// The texts that could not be filled in whole, and why.
  private(set) var failures: [(path: PropertyPath, error: EvaluationError)] = []

  /// The work that one text may take, in units: operations, and bytes of what it shows. Labels that
  /// show each other would else grow without bounds.
  private static let maximumTextUnits = 65_536

  init(_ engine: Engine) { self.engine = engine }

  /// The value of a property; nil where there is none of that name.
  func value(of path: PropertyPath) -> Value? {
    guard let place = engine.places[path.control] else { return nil }
    let entry = engine.pages[place.page].controls[place.control]
    switch path.property {
    case "enabled": return .flag(entry.isEnabled)
    case "visible": return .flag(entry.isVisible)
    default:
      guard let template = entry.control.template(of: path.property) else {
        return entry.control.value(of: path.property, at: engine.now)
      }
      if let text = texts[path] { return .text(text) }
      // What shows itself, by way of others or not, finds nothing there.
      texts[path] = ""
      let text = text(of: template, at: path)
      texts[path] = text
      return .text(text)
    }
  }

  func value(
    of name: PropertyPath, budget: inout WorkBudget
  ) throws(EvaluationError) -> Value {
    guard let value = value(of: name) else { throw .undefined("\(name) has no value") }
    return value
  }

  private func text(of template: Template, at path: PropertyPath) -> String {
    if let literal = template.literal { return literal }
    // One that could not be resolved shows that nothing is known.
    guard let resolved = engine.templates[template] else { return TextTemplate.placeholder }
    var budget = WorkBudget(Self.maximumTextUnits)
    var failure: EvaluationError?
    let text = resolved.text(in: self, budget: &budget, failure: &failure)
    if let failure { failures.append((path, failure)) }
    return text
  }
}
