// SPDX-License-Identifier: MIT

internal import Controls
internal import Expressions
internal import Geometry
internal import Kiosk
internal import KioskFile
internal import Motion
internal import YAML

/// What is learned of a suite file while it is read: the kiosk that it tests, in which the names that
/// it uses are looked up.
final class SuiteReader: Reader {
  private let loadKiosk: (String) -> Description?
  /// Nil where there is no kiosk to look anything up in.
  private var engine: Engine?
  private var testNames: [String: Mark] = [:]

  init(file: String, end: Mark, kiosk: @escaping (String) -> Description?) {
    loadKiosk = kiosk
    super.init(file: file, end: end)
  }

  /// The path of the kiosk's file that the suite calls `name`.
  func kiosk(_ name: String, at mark: Mark) -> String? {
    let path = resolve(name)
    guard let description = loadKiosk(path) else {
      report("the kiosk \(path.quoted) cannot be tested", at: mark, expected: "a good kiosk file")
      return nil
    }
    engine = Engine(description, seed: 0)
    return path
  }

  func add(test name: String, at mark: Mark) {
    if let first = testNames[name] {
      report(duplicate: "test", name, first: first, at: mark)
    } else {
      testNames[name] = mark
    }
  }

  // MARK: Names

  /// The control of an id, which must exist.
  private func entry(_ id: String, at mark: Mark) -> PlacedControl? {
    guard let engine else { return nil }
    if let entry = engine.placedControl(id) { return entry }
    let ids = engine.controlIDs
    report(
      "the kiosk has no control \(id.quoted)", at: mark, expected: ids.alternatives,
      near: ids.nearest(to: id, by: self))
    return nil
  }

  func check(control id: String, at mark: Mark) { _ = entry(id, at: mark) }

  func check(_ target: Target, at mark: Mark) {
    guard let entry = entry(target.control, at: mark), let item = target.item else { return }
    let found = entry.control.items(at: .zero)
    // Numbers of a ring are places without being items.
    guard !found.contains(where: { $0.isCalled(item) }),
      entry.control.place(of: item, at: .zero) == nil
    else { return }
    let items = found.map(\.id)
    report(
      "\(target.control.quoted) has no item \(item.quoted)", at: mark,
      expected: items.isEmpty ? "no item" : items.alternatives,
      near: items.nearest(to: item, by: self))
  }

  /// Whether the kiosk has a value of this name, as far as is known.
  func isValue(_ name: String) -> Bool {
    guard let engine else { return true }
    return Reference(name).flatMap { engine.value(of: $0) } != nil
  }

  func check(_ name: Reference, at mark: Mark) {
    guard case .property(let path) = name else {
      if let engine, engine.value(of: name) == nil {
        let names = engine.description.values.map(\.name)
        report(
          "the kiosk has no value \("\(name)".quoted)", at: mark,
          expected: names.isEmpty ? "control.property" : names.alternatives,
          near: names.nearest(to: "\(name)", by: self))
      }
      return
    }
    guard let entry = entry(path.control, at: mark) else { return }
    let properties = entry.propertyKinds
    guard properties[path.property] == nil else { return }
    let names = properties.names
    report(
      "\(path.control.quoted) has no property \(path.property.quoted)", at: mark,
      expected: names.alternatives, near: names.nearest(to: path.property, by: self))
  }

  /// An expression that is true or false, whose names the kiosk has.
  func condition(_ node: Node) -> Condition? {
    guard let text = node.text else {
      reportType(node, expected: "an expression")
      return nil
    }
    do throws(ExpressionError) {
      let expression = try Expression(text)
      guard let engine else { return nil }
      let names = SuiteNames(Names(engine.description, for: expression))
      let condition: Condition
      do throws(ExpressionError) {
        condition = try expression.resolved(in: names)
      } catch {
        // A name that is unknown is reported as in any other place.
        guard let missed = names.missed, !["texts", "event"].contains(missed.parts.first),
          let name = Reference(missed.parts.joined(separator: "."))
        else { throw error }
        let count = mistakes.count
        check(name, at: node.mark)
        if mistakes.count == count { throw error }
        return nil
      }
      guard condition.kind == .flag || condition.kind == .any else {
        report("\(subject) is \(condition.kind)", at: node.mark, expected: "true or false")
        return nil
      }
      return condition
    } catch {
      report(error.what, at: node.mark, expected: error.expected, near: error.near)
      return nil
    }
  }

  func check(page name: String, at mark: Mark) {
    guard let names = engine?.pages.map(\.name), !names.contains(name) else { return }
    report(
      "the kiosk has no page \(name.quoted)", at: mark, expected: names.alternatives,
      near: names.nearest(to: name, by: self))
  }

  func check(command: String, on id: String, at mark: Mark) {
    guard let entry = entry(id, at: mark), !entry.control.commands.contains(command) else { return }
    let able = engine?.controlIDs.filter {
      engine?.placedControl($0)?.control.commands.contains(command) == true
    }
    report(
      "\(id.quoted) cannot \(command)", at: mark,
      expected: able?.isEmpty == false ? able?.alternatives : "a control that can")
  }

  /// A control whose events are expected, and an event that it should know.
  func check(event name: String?, of control: String?, at mark: Mark) {
    let entry = control.flatMap { self.entry($0, at: mark) }
    guard let name, control == nil || entry != nil else { return }
    let known =
      entry.map { KioskVocabulary.events(ofKind: $0.kind) } ?? KioskVocabulary.events
    guard !known.contains(name) else { return }
    report(
      "\(control.map { "\($0.quoted) has no event" } ?? "there is no event") \(name.quoted)",
      at: mark, expected: known.isEmpty ? nil : known.alternatives,
      near: known.nearest(to: name, by: self))
  }

  /// What a property or a value takes of what a node can be taken for: of its own kind, if that is
  /// among it, so that a text stays as it is written.
  func setting(_ name: Reference, _ node: Node) -> Value? {
    guard let engine, let kind = engine.kind(of: name) else { return node.values.first }
    let values = node.values
    var refusal: PropertyError?
    for value in values.filter({ $0.kind == kind }) + values.filter({ $0.kind != kind }) {
      var copy = engine
      do throws(PropertyError) {
        try copy.set(name, to: value)
        return value
      } catch {
        refusal = refusal ?? error
      }
    }
    let quoted = "\(name)".quoted
    switch refusal {
    case .unsuitable(_, let expected):
      report("\(quoted) is set to \(node.summary)", at: node.mark, expected: expected)
    case .readOnly, .fixed: report("\(quoted) can be read, not set", at: node.mark)
    case .bound:
      report(
        "\(quoted) follows an expression and cannot be set", at: node.mark,
        expected: "what that expression reads")
    case .unknown: break
    case .exhausted, nil:
      report(
        "\(quoted) is set to \(node.summary)", at: node.mark,
        expected: "a text, a number, a flag or a list of them")
    }
    return nil
  }

  /// The rectangle of a control.
  func extent(of id: String, at mark: Mark) -> Rect? {
    guard let entry = entry(id, at: mark) else { return nil }
    if let extent = entry.control.extent { return extent }
    report(
      "how large \(id.quoted) is depends on its text", at: mark,
      expected: "a region [x, y, width, height]")
    return nil
  }
}

/// The names of a kiosk, and the last that it does not have.
private final class SuiteNames: NameSpace {
  private let names: Names
  private(set) var missed: NamePath?

  init(_ names: Names) { self.names = names }

  func find(_ path: NamePath) -> (name: Reference, kind: Value.Kind)? { names.find(path) }

  func mistake(in path: NamePath) -> (what: String, near: String?) {
    missed = path
    return names.mistake(in: path)
  }
}

extension Reader {
  /// The suite's tables are read by its reader only.
  var suite: SuiteReader {
    guard let reader = self as? SuiteReader else {
      preconditionFailure("this table is a suite file's")
    }
    return reader
  }
}
