// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations
internal import RoundelExpressions
internal import RoundelGeometry
internal import Kiosk
internal import KioskFile
internal import RoundelMotion

/// Looks up names in the suite's kiosk.
final class SuiteReader: Reader {
  private let loadKiosk: (String, PixelSize?) -> Description?
  /// The canvas in headless tests, read before the kiosk's name.
  var size: PixelSize?
  /// The kiosk for looking up names, or nil if it can't be used.
  private var engine: Engine?
  private var testNames: [String: Mark] = [:]
  /// The missing targets whose controls exist at the start.
  private var missing: [(target: Target, what: UnknownName, mark: Mark)] = []
  private var refilled: Set<String> = []
  private var expandedCount = 0

  init(file: String, end: Mark, kiosk: @escaping (String, PixelSize?) -> Description?) {
    loadKiosk = kiosk
    super.init(file: file, end: end)
  }

  /// Returns a place for messages. Only tests and steps support "for" and "if".
  override func place(ofDirective name: String) -> String? {
    switch name {
    case "for", "if": "it in a test, or in a step of a list"
    case "include": "no \"include\" in a suite"
    default: super.place(ofDirective: name)
    }
  }

  /// Returns the path of the loaded kiosk file.
  func kiosk(_ name: String, at mark: Mark) -> String? {
    let path = resolve(name)
    guard let description = loadKiosk(path, size) else {
      report(
        "cannot test the kiosk \(path.quoted)", at: mark, expected: "a kiosk file without errors")
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

  /// Returns false if the file's limit would be exceeded.
  func makeRoom(for count: Int) -> Bool {
    guard count <= Step.maximumExpandedCount - expandedCount else { return false }
    expandedCount += count
    return true
  }

  // MARK: Names

  /// Returns nil without a kiosk, or after reporting an unknown name.
  @discardableResult
  func found<Found>(
    at mark: Mark, _ find: (Engine) throws(UnknownName) -> Found
  ) -> Found? {
    guard let engine else { return nil }
    return found(at: mark) { () throws(UnknownName) in try find(engine) }
  }

  /// A missing item may appear during a test, so `reportMissing` reports it later.
  func look(for target: Target, at mark: Mark) {
    guard let engine else { return }
    found(at: mark) { () throws(UnknownName) in try engine.find(control: target.control) }
      .map { _ in
        do throws(UnknownName) { try engine.find(target) } catch {
          missing.append((target, error, mark))
        }
      }
  }

  /// Reports missing items of controls whose items neither the suite nor the kiosk sets. Call it at
  /// the end of the file.
  func reportMissing() {
    for (target, what, mark) in missing
    where !refilled.contains(target.control)
      && engine?.description.changesItems(of: target.control) == false
    {
      report(what, at: mark)
    }
  }

  /// Returns true without a kiosk.
  func isValue(_ name: String) -> Bool {
    guard let engine else { return true }
    return Reference(name).flatMap { try? engine.kind(named: $0) } != nil
  }

  /// Reports unknown names.
  func condition(_ node: Node) -> Condition? {
    guard let text = node.text else {
      reportType(node, expected: "an expression")
      return nil
    }
    do throws(ExpressionError) {
      let expression = try Expression(text)
      guard let engine else { return nil }
      let names = SuiteNames(Names(engine.description, for: expression))
      var resolved: Condition?
      repeat {
        do throws(ExpressionError) {
          resolved = try expression.resolved(in: names)
        } catch {
          // Excuses each reported name, so that all unknown names are found.
          guard let missed = names.acceptMissed(),
            !["texts", "event"].contains(missed.parts.first),
            let name = Reference(missed.parts.joined(separator: ".")),
            found(at: node.mark, { (engine) throws(UnknownName) in try engine.kind(named: name) })
              == nil
          else { throw error }
        }
      } while resolved == nil
      guard let condition = resolved, names.accepted.isEmpty else { return nil }
      guard condition.kind == .flag || condition.kind == .any else {
        report("\(subject) is \(condition.kind)", at: node.mark, expected: "true or false")
        return nil
      }
      return condition
    } catch {
      report(error.what, at: node.mark, expected: error.expected, suggestion: error.suggestion)
      return nil
    }
  }

  /// Reports an unknown control or event.
  func check(event name: String?, of control: String?, at mark: Mark) {
    let names = control.flatMap { control in
      found(at: mark) { (engine) throws(UnknownName) in try engine.find(control: control) }
    }
    guard let name, control == nil || names != nil else { return }
    let known = names.map { KioskVocabulary.events(ofKind: $0.kind) } ?? KioskVocabulary.events
    guard !known.contains(name) else { return }
    report(
      control.map { UnknownName($0, hasNo: "event", name, among: known) }
        ?? UnknownName(no: "event", name, among: known), at: mark)
  }

  func extent(of id: String, at mark: Mark) -> Rect? {
    let target = Target(control: id)
    guard
      let entry = found(at: mark, { (engine) throws(UnknownName) in try engine.find(target) })
    else { return nil }
    if let extent = entry.control.extent { return extent }
    report(
      "the size of \(id.quoted) depends on its text", at: mark,
      expected: "a region [x, y, width, height]")
    return nil
  }
}

extension SuiteReader: CommandReader {
  var kioskNames: (any KioskNames)? { engine }
  static var controlID: Form<String> { .word("the id of a control") }

  func text(_ node: Node) -> Action.Argument? { node.text.map { .value(.text($0)) } }

  func fieldValue(_ node: Node) -> Action.Argument? {
    let value = (node.kind == .nothing ? nil : node.literal) ?? node.value
    if value == nil { reportType(node, expected: "a string, a number or a flag") }
    return value.map { .value($0) }
  }

  /// The name's kind takes precedence, so that a string is kept as written.
  func setting(_ pair: Node.Pair, _ name: Reference) -> Action.Argument? {
    let values = pair.value.kind == .map ? [pair.value.value].compactMap(\.self) : pair.value.values
    guard let engine else { return values.first.map { .value($0) } }
    guard
      let kind = found(
        at: pair.keyMark, { (engine) throws(UnknownName) in try engine.kind(named: name) })
    else { return nil }
    if kind == .list, case .property(let path) = name { refilled.insert(path.control) }
    var refusal: PropertyError?
    for value in values.filter({ $0.kind == kind }) + values.filter({ $0.kind != kind }) {
      var copy = engine
      do throws(PropertyError) {
        try copy.set(name, to: value)
        return .value(value)
      } catch {
        refusal = refusal ?? error
      }
    }
    report(refusal, of: pair)
    return nil
  }
}

/// Names of a kiosk. Unknown ones can be accepted after a report.
private final class SuiteNames: NameSpace {
  private let names: Names
  private var missed: NamePath?
  /// The reported unknown names, which match any kind.
  private(set) var accepted: Set<NamePath> = []

  init(_ names: Names) { self.names = names }

  /// Excuses the last unknown name, or returns nil.
  func acceptMissed() -> NamePath? {
    guard let missed, accepted.insert(missed).inserted else { return nil }
    self.missed = nil
    return missed
  }

  func find(_ path: NamePath) -> (name: Reference, kind: Value.Kind)? {
    accepted.contains(path) ? (.value(path.description), .any) : names.find(path)
  }

  func elementKind(of name: Reference) -> Value.Kind { names.elementKind(of: name) }

  func mayHave(_ member: String, in name: Reference) -> Bool { names.mayHave(member, in: name) }

  func problem(in path: NamePath) -> (what: String, suggestion: String?) {
    missed = path
    return names.problem(in: path)
  }
}

extension Reader {
  /// The reader as a suite's. Only suites have the tables that use it.
  var suite: SuiteReader {
    guard let reader = self as? SuiteReader else {
      preconditionFailure("this table is a suite file's")
    }
    return reader
  }
}
