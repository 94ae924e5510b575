// SPDX-License-Identifier: MIT

package import Declarations
package import Kiosk

extension ParsedKiosk {
  /// Something in a kiosk that can be shown, but not well.
  package struct Warning {
    /// The part of the file that it is about.
    package enum Subject {
      case page(String)
      case control(PlacedControl)
      case key(String, of: PlacedControl)
      /// A part of a control, by its id.
      case item(String, of: PlacedControl)
      /// Texts and images that the file has a control show.
      case text(String, of: PlacedControl)
    }

    package var what: String
    package var expected: String
    package var place: Subject

    package init(_ what: String, expected: String, at place: Subject) {
      self.what = what
      self.expected = expected
      self.place = place
    }
  }

  /// Adds warnings to the mistakes, each where it belongs in the file.
  package mutating func add(_ warnings: [Warning], as severity: Mistake.Severity = .warning) {
    let room = max(Reader.maximumMistakes - mistakes.count, 0)
    let found = warnings.map { warning in
      let mark = mark(of: warning.place)
      return Mistake(
        file: filePaths[mark.file], line: mark.line, column: mark.column, severity: severity,
        message: "\(warning.what) (expected \(warning.expected))")
    }
    // One place in a file may be shown by many controls.
    var told: Set<Mistake> = []
    let new = found.filter { told.insert($0).inserted }.prefix(room)
    let numbers = Dictionary(
      filePaths.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let all = (mistakes + new).enumerated().map { offset, mistake in
      (
        order: [numbers[mistake.file] ?? 0, mistake.line, mistake.column, offset], mistake: mistake
      )
    }
    mistakes = all.sorted { $0.order.lexicographicallyPrecedes($1.order) }.map(\.mistake)
  }

  /// Where a control's id stands.
  private func mark(of control: PlacedControl) -> Mark {
    let node = nodes[control.id]
    return node?.pairs.first?.value.mark ?? node?.mark ?? .start
  }

  /// The place of a text that a control shows, which may be the same as its id.
  private func mark(ofText text: String, _ control: PlacedControl) -> Mark? {
    nodes[control.id]?.pairs.dropFirst().lazy.compactMap { $0.value.mark(ofText: text) }.first
  }

  private func mark(of place: Warning.Subject) -> Mark {
    switch place {
    case .page(let name): pageMarks[name] ?? .start
    case .control(let entry): mark(of: entry)
    case .key(let key, let entry): nodes[entry.id]?[key]?.mark ?? mark(of: entry)
    case .item(let id, let entry): nodes[entry.id]?.mark(ofItem: id) ?? mark(of: entry)
    case .text(let text, let entry): mark(ofText: text, entry) ?? mark(of: entry)
    }
  }
}

extension Node {
  fileprivate func mark(ofItem id: String) -> Mark? {
    if let own = self["id"], own.text == id { return own.mark }
    return firstMark { $0.mark(ofItem: id) }
  }

  fileprivate func mark(ofText text: String) -> Mark? {
    kind == .scalar && self.text == text ? mark : firstMark { $0.mark(ofText: text) }
  }

  /// The first answer of the nodes within it; an id is not among them.
  private func firstMark(_ answer: (Node) -> Mark?) -> Mark? {
    let nodes: [Node] =
      switch content {
      case .scalar: []
      case .list(let items): items
      case .map(let pairs): pairs.filter { $0.key != "id" }.map(\.value)
      }
    for node in nodes {
      if let mark = answer(node) { return mark }
    }
    return nil
  }
}
