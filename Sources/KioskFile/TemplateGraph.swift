// SPDX-License-Identifier: MIT

internal import Controls
internal import Expressions
internal import Kiosk
internal import YAML

/// Which texts show which others, and how much of them in all.
///
/// Nothing is filled in: each text is looked at once, after those that it shows.
private struct TemplateGraph {
  /// What a text takes when everything in it is filled in.
  struct Cost {
    var references = 0
    /// Those that stand in the file.
    var letters = 0
    /// Texts one within the other, itself included.
    var depth = 1

    mutating func add(_ other: Cost) {
      references = min(references + other.references, .max / 2)
      letters = min(letters + other.letters, .max / 2)
      depth = max(depth, other.depth + 1)
    }
  }

  private let templates: [TextTemplate]
  /// The texts that each shows, as often as it does.
  private let shown: [[Int]]
  /// Nil for a text that shows itself, or one that does.
  private(set) var costs: [Cost?]

  /// `place` gives the text that a property is.
  init(_ templates: [TextTemplate], place: (PropertyPath) -> Int?) {
    self.templates = templates
    shown = templates.map { $0.readings.compactMap(place) }
    costs = Array(repeating: nil, count: templates.count)
    var showing: [[Int]] = Array(repeating: [], count: templates.count)
    var waiting = shown.map(\.count)
    for (index, others) in shown.enumerated() {
      for other in others { showing[other].append(index) }
    }
    var ready = templates.indices.filter { waiting[$0] == 0 }
    while let index = ready.popLast() {
      costs[index] = cost(index)
      for other in showing[index] {
        waiting[other] -= 1
        if waiting[other] == 0 { ready.append(other) }
      }
    }
  }

  private func cost(_ index: Int) -> Cost {
    var cost = Cost(
      references: templates[index].readings.count, letters: templates[index].literalBytes)
    for other in shown[index] {
      if let inner = costs[other] { cost.add(inner) }
    }
    return cost
  }

  /// The texts that show each other in circles, each circle once.
  var circles: [[Int]] {
    var circles: [[Int]] = []
    /// The walk in which a text was come upon.
    var walks = [Int](repeating: 0, count: templates.count)
    for start in templates.indices where costs[start] == nil && walks[start] == 0 {
      var path: [Int] = []
      var next: Int? = start
      while let index = next, walks[index] == 0 {
        walks[index] = start + 1
        path.append(index)
        next = shown[index].first { costs[$0] == nil }
      }
      if let index = next, walks[index] == start + 1, let first = path.firstIndex(of: index) {
        circles.append(Array(path[first...]))
      }
    }
    return circles
  }
}

extension KioskReader {
  /// More than any text on a panel shows.
  private static let maximumReferences = 1_000
  private static let maximumLetters = 64 << 10
  /// As deep as the engine fills in.
  private static let maximumDepth = 8

  /// Finds the texts that show themselves, and those that are too long once they are filled in.
  func checkTemplates() {
    var names = PropertyNames()
    for draft in drafts where names.controls[draft.id] == nil {
      names.controls[draft.id] = .some(
        draft.control.map { Entry(id: "", control: $0).propertyKinds })
    }
    var resolved: [Template: TextTemplate] = [:]
    for (template, mark) in references {
      guard hasTime(at: mark) else { return }
      resolved[template] = resolve(template, in: names, at: mark)
    }
    var texts: [(draft: Draft, template: TextTemplate)] = []
    var places: [String: Int] = [:]
    for draft in drafts {
      guard let template = draft.control?.template(of: "text").flatMap({ resolved[$0] }) else {
        continue
      }
      if places[draft.id] == nil { places[draft.id] = texts.count }
      texts.append((draft, template))
    }
    let graph = TemplateGraph(texts.map(\.template)) {
      $0.property == "text" ? places[$0.control] : nil
    }
    for circle in graph.circles {
      let ids = circle.map { texts[$0].draft.id }
      let by =
        ids.dropFirst().isEmpty ? "" : " by way of \(ids.dropFirst().map(\.quoted).alternatives)"
      report(
        "the text of \(ids[0].quoted) shows itself\(by)", at: texts[circle[0]].draft.templateMark,
        expected: "no circle")
    }
    var total = 0
    for (index, cost) in graph.costs.enumerated() {
      guard let cost else { continue }
      let draft = texts[index].draft
      if cost.references > Self.maximumReferences {
        report(
          "the text of \(draft.id.quoted) shows \(cost.references.short) properties once it is filled in",
          at: draft.templateMark, expected: "at most \(Self.maximumReferences)")
      } else if cost.letters > Self.maximumLetters {
        report(
          "the text of \(draft.id.quoted) has \(cost.letters.short) bytes once it is filled in",
          at: draft.templateMark, expected: "at most \(Self.maximumLetters)")
      } else if cost.depth > Self.maximumDepth {
        report(
          "the text of \(draft.id.quoted) shows texts that show others, \(cost.depth) deep",
          at: draft.templateMark, expected: "at most \(Self.maximumDepth)")
      } else {
        total += cost.references
        guard total > Self.maximumTotalReferences else { continue }
        report(
          "up to here the texts of the file show \(total.short) properties", at: draft.templateMark,
          expected: "at most \(Self.maximumTotalReferences)")
        return
      }
    }
  }

  /// Looks up the names of a template, and reports all that are none.
  private func resolve(
    _ template: Template, in names: PropertyNames, at mark: Mark
  ) -> TextTemplate? {
    let names = NoticedNames(names, reader: self)
    while true {
      do throws(ExpressionError) {
        let resolved = try template.resolved(in: names)
        return names.unknown.isEmpty ? resolved : nil
      } catch {
        var error = error
        // An unknown name is excused, so that those after it are found as well.
        guard let missed = names.missed, names.unknown.insert(missed).inserted,
          let path = PropertyPath(missed)
        else {
          if names.missed != nil {
            error.expected = "{control.property}, or {{ and }} for braces"
          }
          report(error, at: mark)
          return nil
        }
        // It is reported as any other reference to a control.
        if checkProperty(path.property, of: path.control, at: mark) { report(error, at: mark) }
        names.missed = nil
      }
    }
  }
}

/// The names of a kiosk, and those asked for that are unknown.
private final class NoticedNames: NameSpace {
  private let names: PropertyNames
  private let reader: Reader
  /// The last that was missed.
  var missed: NamePath?
  /// Those that have been reported. They may be of any kind.
  var unknown: Set<NamePath> = []

  init(_ names: PropertyNames, reader: Reader) {
    self.names = names
    self.reader = reader
  }

  func find(_ path: NamePath) -> (name: PropertyPath, kind: Value.Kind)? {
    if unknown.contains(path) { return PropertyPath(path).map { ($0, .any) } }
    return names.find(path)
  }

  func mistake(in path: NamePath) -> (what: String, near: String?) {
    // What has an operator in it is an expression, even if it begins like a property.
    let isName = path.parts.allSatisfy { part in
      part.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
    }
    if isName { missed = path }
    let property = isName ? PropertyPath(path) : nil
    let known = property.flatMap { names.controls[$0.control] ?? nil }
    let near = property.flatMap { property in
      known?.keys.sorted().nearest(to: property.property, by: reader)
    }
    return ("unknown name \"\(path)\"", near)
  }
}

extension Int {
  /// The number, where people can read it.
  fileprivate var short: String { self < 1_000_000_000 ? "\(self)" : "more than a billion" }
}
