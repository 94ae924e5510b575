// SPDX-License-Identifier: MIT

internal import RoundelAuthoring
internal import RoundelJSON
internal import JSONRPC
internal import Kiosk
internal import LanguageServer

// Edits of several elements, which are done one after the other, and become one change of the text.

extension StudioSource {
  /// The maximum number of elements per request.
  static let maximumOwners = 500

  func removeAll(_ given: ChangeParameters) throws -> ChangeAnswer {
    try sequence(.init()) { edit in
      for owner in given.owners.prefix(Self.maximumOwners) {
        try edit { () throws(EditRefusal) in
          try service.edits(removing: owner.keyOwner, in: path)
        }
      }
    }
  }

  func duplicateAll(_ given: ChangeParameters) throws -> ChangeAnswer {
    var names: [String] = []
    var answer = try sequence(nil) { edit in
      for owner in given.owners.prefix(Self.maximumOwners) {
        try edit { () throws(EditRefusal) in
          let (file, edits, name) = try service.edits(duplicating: owner.keyOwner, in: path)
          if let name { names.append(name) }
          return (file, edits)
        }
      }
    }
    answer.chosen = .init(control: names.last, controls: names)
    return answer
  }

  func copy(_ given: ChangeParameters) throws -> CopyAnswer {
    CopyAnswer(
      text: try given.owners.prefix(Self.maximumOwners).map { owner throws(EditRefusal) in
        try service.source(of: owner.keyOwner, in: path)
      }.joined())
  }

  /// Gives controls unused ids, and moves them from occupied places.
  func paste(_ given: ChangeParameters, on kiosk: StudioKiosk) throws -> ChangeAnswer {
    guard let engine = kiosk.engine else { throw EditRefusal(StudioKiosk.lacking) }
    let page = engine.pages[engine.shownPage].name
    let controls = try service.controls(in: given.name, for: path)
    var answer = try sequence(nil) { edit in
      for control in controls {
        try edit { () throws(EditRefusal) in
          try service.edits(adding: control.text, toPage: page, in: path)
        }
      }
    }
    answer.chosen = .init(control: controls.last?.id, controls: controls.map(\.id))
    return answer
  }

  /// Moves a control or a page.
  func place(_ given: ChangeParameters) throws -> ChangeAnswer {
    let owner = given.owner.keyOwner
    return try sequence(.init(control: given.owner.control, page: given.page)) { edit in
      if let page = given.page, case .control(let id) = owner,
        service.page(of: id, in: path) != page
      {
        let text = try service.source(of: owner, in: path)
        try edit { () throws(EditRefusal) in try service.edits(removing: owner, in: path) }
        try edit { () throws(EditRefusal) in
          try service.edits(adding: text, toPage: page, in: path)
        }
      }
      // Swap neighbours until the element is before the other, or last.
      let goal = try given.before.map { other throws(EditRefusal) in
        try service.position(of: other.keyOwner, in: path)
      }
      var steps = try service.position(of: owner, in: path)
      let target = goal.map { $0.index > steps.index ? $0.index - 1 : $0.index } ?? steps.count - 1
      while steps.index != target {
        let isForward = steps.index < target
        try edit { () throws(EditRefusal) in
          try service.edits(moving: owner, forward: isForward, in: path)
        }
        steps.index += isForward ? 1 : -1
      }
    }
  }

  /// Each edit applies to the text after the previous ones.
  private func sequence(
    _ chosen: ChangeAnswer.Chosen?,
    _ steps: (_ edit: (() throws(EditRefusal) -> Edits) throws -> Void) throws -> Void
  ) throws -> ChangeAnswer {
    let first = bytes
    defer { checker.workspace.put(first, at: path) }
    try steps { step in
      let change = try step()
      guard change.path == path else {
        throw EditRefusal("it is in \(name(of: change.path)), which is not open here")
      }
      checker.workspace.put(SourceFile(bytes).applying(change.edits).bytes, at: path)
    }
    let last = bytes
    checker.workspace.put(first, at: path)
    let edit = LanguageService.difference(
      SourceFile(first), 0..<first.count, String(decoding: last, as: UTF8.self))
    return ChangeAnswer(
      revision: revision, edits: first == last ? [] : changes([edit]), chosen: chosen)
  }

  // MARK: Selection

  var outline: OutlineAnswer {
    OutlineAnswer(
      pages: service.outline(path).filter { $0.kind == .page }.map { page in
        .init(
          name: page.name,
          controls: page.children.map { control in
            .init(
              id: control.name, kind: control.detail ?? "",
              items: control.children.map(\.name))
          })
      })
  }

  func locate(_ given: PlaceParameters) -> LocateAnswer {
    let offset = SourceFile(bytes).offset(of: given.place)
    func inside(_ entries: [OutlineEntry]) -> OutlineEntry? {
      entries.last { $0.range.lowerBound <= offset && offset <= $0.range.upperBound }
    }
    let page = inside(service.outline(path).filter { $0.kind == .page })
    let control = page.flatMap { inside($0.children) }
    return LocateAnswer(
      page: page?.name, control: control?.name,
      item: control.flatMap { inside($0.children)?.name })
  }

  /// Completes a value as if it were written in the text.
  func completeKey(_ given: ChangeParameters) -> WordsAnswer {
    let first = bytes
    defer { checker.workspace.put(first, at: path) }
    let value = "\"\(given.name)"
    guard !given.name.contains(where: { $0.isNewline || $0 == "\"" || $0 == "\\" }),
      let change = try? service.edits(
        setting: given.key, of: given.owner.keyOwner, to: .source("\(value)\""), in: path),
      change.path == path, let edit = change.edits.first,
      let place = edit.text.utf8.lastRange(of: value)
    else { return WordsAnswer() }
    checker.workspace.put(SourceFile(first).applying(change.edits).bytes, at: path)
    let found = service.completions(path, at: edit.range.lowerBound + place.upperBound)
    let end = edit.range.lowerBound + place.upperBound
    let typed = SourceFile(bytes)[found.range.lowerBound..<max(end, found.range.lowerBound)]
    return WordsAnswer(
      typed: typed.utf16.count,
      items: found.items.prefix(300).map {
        .init(label: $0.label, text: $0.text, detail: $0.detail, about: $0.documentation)
      })
  }
}

extension String.UTF8View {
  /// Returns the offsets of the last occurrence.
  fileprivate func lastRange(of text: String) -> Range<Int>? {
    let (all, own) = (Array(self), Array(text.utf8))
    guard all.count >= own.count else { return nil }
    for start in stride(from: all.count - own.count, through: 0, by: -1)
    where all[start..<(start + own.count)].elementsEqual(own) {
      return start..<(start + own.count)
    }
    return nil
  }
}
