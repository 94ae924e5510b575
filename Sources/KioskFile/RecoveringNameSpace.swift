// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations
internal import RoundelExpressions
internal import Kiosk

/// The names of a kiosk during the check of an expression. Accepts unknown names after reporting
/// them, so that all of them are found.
final class RecoveringNameSpace: NameSpace {
  private let reader: KioskReader
  private var missed: NamePath?
  /// The reported unknown names, which may be of any kind.
  private var unknown: Set<NamePath> = []

  private init(_ reader: KioskReader) { self.reader = reader }

  /// Returns nil after reporting all errors at `mark`.
  static func resolve<Resolved>(
    for reader: KioskReader, at mark: Mark,
    _ check: (RecoveringNameSpace) throws(ExpressionError) -> Resolved
  ) -> Resolved? {
    let names = RecoveringNameSpace(reader)
    while reader.hasTime(at: mark) {
      do throws(ExpressionError) {
        let resolved = try check(names)
        return names.unknown.isEmpty ? resolved : nil
      } catch {
        guard let missed = names.missed, names.unknown.insert(missed).inserted else {
          reader.report(error, at: mark)
          return nil
        }
        names.missed = nil
        reader.report(unknown: missed, error, at: mark)
      }
    }
    return nil
  }

  func find(_ path: NamePath) -> (name: Reference, kind: Value.Kind)? {
    unknown.contains(path) ? (.value(path.description), .any) : reader.names.find(path)
  }

  func elementKind(of name: Reference) -> Value.Kind { reader.names.elementKind(of: name) }

  func mayHave(_ member: String, in name: Reference) -> Bool {
    reader.names.mayHave(member, in: name)
  }

  func problem(in path: NamePath) -> (what: String, suggestion: String?) {
    // A string with an operator is an expression, even if it begins like a property.
    let isName = path.parts.allSatisfy { part in
      part.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
    }
    if isName { missed = path }
    return ("unknown name \"\(path)\"", nil)
  }
}

extension KioskReader {
  fileprivate func report(unknown path: NamePath, _ error: ExpressionError, at mark: Mark) {
    let name = path.description
    switch path.parts.first {
    case "texts" where path.parts.count == 2:
      let known = outline.texts.map(\.key).sorted()
      if known.contains(where: { $0.hasPrefix(path.parts[1]) && path.parts[1].hasSuffix("_") }) {
        // The rest of the name is computed.
        return report(
          error.what, at: mark, expected: "the name in brackets",
          suggestion: "texts[\"\(path.parts[1])\" + …]")
      }
      report(
        UnknownName(
          no: "text", path.parts[1], among: known,
          expected: known.isEmpty ? "it in \"texts\"" : nil), at: mark)
    case "event" where path.parts.count > 1 && pages["event"] == nil:
      guard let event else {
        report(
          "\(name.quoted) is only available in the actions of an event", at: mark,
          expected: "a value or a property")
        return
      }
      let field = path.parts.dropFirst().joined(separator: ".")
      report(UnknownName(event.name, hasNo: "field", field, among: event.all.map(\.name)), at: mark)
    case Message.name where path.parts.count == 2 && pages[Message.name] == nil:
      report(
        UnknownName(no: "field of message", path.parts[1], among: Message.fieldNames), at: mark)
    case _ where path.parts.count > 1:
      let property = PropertyPath(
        control: path.parts[0], property: path.parts.dropFirst().joined(separator: "."))
      // Reports the name like any other reference to a control.
      if found(at: mark, { () throws(UnknownName) in try find(property) }) != nil {
        report(error, at: mark)
      }
    default:
      let known =
        values.map(\.name)
        + [Description.themeValue, Description.textScaleValue, Description.overlayValue]
        + Names.reserved.filter { $0 != "texts" && $0 != "event" }
      report(
        error.what, at: mark, expected: "control.property, or one of \(known.alternatives)",
        suggestion: known.nearest(to: name, by: self))
    }
  }
}
