// SPDX-License-Identifier: MIT

package import RoundelDeclarations
package import Kiosk

extension ParsedKiosk {
  /// A problem that still allows showing a kiosk.
  package struct Warning {
    package enum Subject {
      case page(String)
      case control(PlacedControl)
      case key(String, of: PlacedControl)
      case item(String, of: PlacedControl)
      /// Text or an image of a control.
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

  /// Adds warnings to the errors, sorted by location.
  package mutating func add(_ warnings: [Warning], as severity: Diagnostic.Severity = .warning) {
    let space = max(Reader.maximumDiagnostics - diagnostics.count, 0)
    let found = warnings.map { warning in
      let mark = mark(of: warning.place)
      return Diagnostic(
        file: filePaths[mark.file], line: mark.line, column: mark.column, severity: severity,
        message: "\(warning.what) (expected \(warning.expected))")
    }
    // Many controls may show the same location in a file.
    var reported: Set<Diagnostic> = []
    let new = found.filter { reported.insert($0).inserted }.prefix(space)
    let numbers = Dictionary(
      filePaths.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let all = (diagnostics + new).enumerated().map { offset, diagnostic in
      (
        order: [numbers[diagnostic.file] ?? 0, diagnostic.line, diagnostic.column, offset],
        diagnostic: diagnostic
      )
    }
    diagnostics = all.sorted { $0.order.lexicographicallyPrecedes($1.order) }.map(\.diagnostic)
  }

  private func mark(of control: PlacedControl) -> Mark {
    let node = nodes[control.id]
    return node?.pairs.first?.value.mark ?? node?.mark ?? .start
  }

  /// Finds even a string that equals the id.
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

  /// Returns the first result for child nodes, except ids.
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
