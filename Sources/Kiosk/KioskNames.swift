// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations
package import RoundelExpressions

/// An error for an unknown name, with the valid names.
package struct UnknownName: Error, Hashable, Sendable {
  package let what: String
  /// The valid names in words, or nil if nothing is valid.
  package let expected: String?
  package let name: String
  package let candidates: [String]

  /// `expected` is needed if the valid names aren't just the candidates.
  package init(
    _ what: String, _ name: String, among candidates: [String], expected: String? = nil
  ) {
    self.what = what
    self.expected = expected ?? (candidates.isEmpty ? nil : candidates.alternatives)
    self.name = name
    self.candidates = candidates
  }

  package init(
    no kind: String, _ name: String, among candidates: [String], expected: String? = nil
  ) {
    self.init(
      "there is no \(kind) \(name.quoted)", name, among: candidates, expected: expected)
  }

  package init(_ control: String, hasNo kind: String, _ name: String, among candidates: [String]) {
    self.init(
      "\(control.quoted) has no \(kind) \(name.quoted)", name, among: candidates,
      expected: candidates.isEmpty ? "no \(kind)" : nil)
  }

  fileprivate init(_ control: String, _ kind: String, cannot command: String, able: [String]) {
    self.init(
      "\(control.quoted) is a \(kind), which does not \(command)", control, among: able,
      expected: able.isEmpty ? "a control that does" : nil)
  }
}

extension UnknownName: CustomStringConvertible {
  package var description: String {
    ExpressionError(offset: 0, what, expected: expected, suggestion: candidates.nearest(to: name))
      .description
  }
}

/// The names in a kiosk that files, suites, clients and recordings refer to.
package protocol KioskNames {
  var pageNames: [String] { get }
  func has(page name: String) -> Bool
  func isOver(page name: String) -> Bool
  var valueNames: [String] { get }
  func kind(ofValue name: String) -> Value.Kind?
  /// All controls if `command` is nil.
  func controlIDs(knowing command: String?) -> [String]
  func names(ofControl id: String) -> ControlNames?
}

/// The names in a control. In a control with errors, any name is allowed.
package struct ControlNames {
  package var kind: String
  package var commands: [String]?
  package var hasProperty: (String) -> Bool
  /// O(n) in the items.
  package var properties: () -> [String]

  package init(
    kind: String, commands: [String]? = nil,
    hasProperty: @escaping (String) -> Bool = { _ in true },
    properties: @escaping () -> [String] = { [] }
  ) {
    self.kind = kind
    self.commands = commands
    self.hasProperty = hasProperty
    self.properties = properties
  }
}

extension KioskNames {
  /// Checks that a control exists and accepts `command`, unless `command` is nil.
  @discardableResult
  package func find(
    control id: String, knowing command: String? = nil
  ) throws(UnknownName) -> ControlNames {
    guard let names = names(ofControl: id) else {
      throw UnknownName(no: "control", id, among: controlIDs(knowing: command))
    }
    if let command, let commands = names.commands, !commands.contains(command) {
      throw UnknownName(id, names.kind, cannot: command, able: controlIDs(knowing: command))
    }
    return names
  }

  package func find(_ property: PropertyPath) throws(UnknownName) {
    let id = property.control
    if names(ofControl: id) == nil, valueNames.contains(id) || Names.builtInValues.contains(id) {
      throw UnknownName(
        "the value \(id.quoted) has no property \(property.property.quoted)", property.property,
        among: [],
        expected: kind(ofValue: id) == .list
          ? "\(id)[0].\(property.property), or \(id).map(i, i.\(property.property)) for all items"
          : "\(id), or control.property")
    }
    let names = try find(control: id)
    guard !names.hasProperty(property.property) else { return }
    throw UnknownName(
      property.control, hasNo: "property", property.property, among: names.properties())
  }

  package func find(page: String) throws(UnknownName) {
    guard !has(page: page) else { return }
    throw UnknownName(no: "page", page, among: pageNames)
  }

  package func find(overPage name: String) throws(UnknownName) {
    guard !isOver(page: name) else { return }
    guard has(page: name) else {
      throw UnknownName(no: "page", name, among: pageNames.filter(isOver(page:)))
    }
    throw UnknownName(
      "the page \(name.quoted) is not shown over others", name, among: [],
      expected: "\"go\", or a page with \"over: true\"")
  }

  package func find(destination name: String) throws(UnknownName) {
    guard !isOver(page: name) else {
      throw UnknownName(
        "the page \(name.quoted) is shown over others", name, among: [], expected: "\"show\"")
    }
    guard !has(page: name), !Destination.words.contains(name) else { return }
    let pages = pageNames.filter { !isOver(page: $0) }
    throw UnknownName(
      no: "page", name, among: pages + Destination.words, expected: pages.alternatives)
  }

  package func find(value: String) throws(UnknownName) {
    let names = valueNames
    guard !names.contains(value), value != Description.textScaleValue else { return }
    throw UnknownName(
      no: "value", value, among: names, expected: (["control.property"] + names).alternatives)
  }

  package func find(_ name: Reference) throws(UnknownName) {
    switch name {
    case .property(let path): try find(path)
    case .value(let name): try find(value: name)
    case .text, .texts, .event, .language, .page, .now, .uptime: break
    }
  }
}

private let maximumCandidates = 10_000

extension Engine: KioskNames {
  package var pageNames: [String] { declaredPages.map(\.name) }
  package func has(page name: String) -> Bool { declaredPages.contains { $0.name == name } }
  package func isOver(page name: String) -> Bool {
    declaredPages.first { $0.name == name }?.isOver ?? false
  }
  package var valueNames: [String] { description.values.map(\.name) }
  package func kind(ofValue name: String) -> Value.Kind? { kind(of: .value(name)) }

  package func controlIDs(knowing command: String?) -> [String] {
    declaredPages.flatMap(\.controls).filter { command.map($0.control.commands.contains) ?? true }
      .map(\.id)
  }

  package func names(ofControl id: String) -> ControlNames? {
    guard let entry = placedControl(id) else { return nil }
    let kinds = entry.propertyKinds
    return ControlNames(
      kind: entry.kind, commands: entry.control.commands, hasProperty: { kinds[$0] != nil },
      properties: { kinds.names(upTo: maximumCandidates) })
  }

  package func kind(named name: Reference) throws(UnknownName) -> Value.Kind {
    if let kind = kind(of: name) { return kind }
    try find(name)
    return .any
  }

  @discardableResult
  package func find(_ target: Target) throws(UnknownName) -> PlacedControl {
    try find(control: target.control)
    guard let entry = placedControl(target.control) else {
      preconditionFailure("a control that was found is placed")
    }
    guard let item = target.item else { return entry }
    let items = entry.control.items(at: now)
    // Numbers of a ring have positions but aren't items.
    guard
      items.contains(where: { $0.isCalled(item) })
        || entry.control.place(of: item, at: now) != nil
    else {
      throw UnknownName(target.control, hasNo: "item", item, among: items.map(\.id))
    }
    return entry
  }
}
