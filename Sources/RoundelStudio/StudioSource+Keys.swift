// SPDX-License-Identifier: MIT

internal import RoundelAuthoring
internal import RoundelDeclarations
internal import RoundelGeometry
internal import RoundelJSON
internal import JSONRPC
internal import Kiosk

// The program computes the edits, and the page applies and sends them as its own.

extension StudioSource {
  typealias Edits = (path: String, edits: [TextEdit])

  func select(_ given: ChangeParameters, on kiosk: StudioKiosk) -> KeysAnswer {
    let owner = given.owner.keyOwner
    do throws(EditRefusal) {
      var answer = KeysAnswer()
      answer.keys = try service.keys(of: owner, in: path).map { .init($0, kiosk) }
      answer.actions = try service.actions(of: owner, in: path).map { .init($0, kiosk) }
      answer.state = kiosk.properties(of: given.owner.control)
      answer.mayReact = service.mayReact(owner, in: path)
      answer.commands = LanguageService.commands
      answer.mayHaveItems =
        given.owner.control.map { service.mayHaveItems($0, in: path) } ?? false
      if let symbol = owner.symbol, let place = service.place(of: symbol, in: path),
        place.path == path
      {
        answer.from = position(at: place.range.lowerBound)
      }
      return answer
    } catch {
      return KeysAnswer(text: error.description)
    }
  }

  func set(_ given: ChangeParameters, on kiosk: StudioKiosk) throws -> ChangeAnswer {
    let owner = given.owner.keyOwner
    if let name = given.value?.string, let symbol = owner.symbol,
      given.key == nameKey(of: owner, on: kiosk)
    {
      return try rename(symbol, to: name)
    }
    return try answer { () throws(EditRefusal) in
      guard let value = try keyValue(given, on: kiosk) else {
        return try service.edits(removing: given.key, of: owner, in: path)
      }
      return try service.edits(setting: given.key, of: owner, to: value, in: path)
    }
  }

  func setAll(_ given: ChangeParameters, on kiosk: StudioKiosk) throws -> ChangeAnswer {
    try answer { () throws(EditRefusal) in
      var all: [TextEdit] = []
      for change in given.changes.prefix(Self.maximumOwners) {
        var one = ChangeParameters()
        (one.key, one.value, one.inPixels) = (change.key, change.value, change.inPixels)
        guard let value = try keyValue(one, on: kiosk) else { continue }
        let edits = try service.edits(
          setting: change.key, of: change.owner.keyOwner, to: value, in: path)
        guard edits.path == path else { return edits }
        all += edits.edits
      }
      return (path, all)
    }
  }

  /// Returns nil to remove the key.
  private func keyValue(
    _ given: ChangeParameters, on kiosk: StudioKiosk
  ) throws(EditRefusal) -> KeyValue? {
    switch given.value {
    case .number(let number)?: return .number(number)
    case .bool(let flag)?: return .flag(flag)
    case .string(let text)?: return given.isSource ? .source(text) : .text(text)
    case nil, .null?: return nil
    case .array, .object:
      guard let both = given.value.flatMap(JSONType<Point>.pixel.read),
        let point = given.inPixels ? kiosk.designPoint(both) : both
      else { throw EditRefusal("the value is invalid for \(given.key)") }
      return .point(point.x.rounded(), point.y.rounded())
    }
  }

  /// Places the control at a pixel, or in free space.
  func add(_ given: ChangeParameters, to kiosk: StudioKiosk) throws -> ChangeAnswer {
    guard let engine = kiosk.engine else { throw EditRefusal(StudioKiosk.lacking) }
    let kind = given.kind
    let image = service.pictures(near: path).first
    guard !LanguageService.showsFile(kind) || image != nil else {
      throw EditRefusal("no image in the kiosk's folder; add a file first")
    }
    let id = engine.freeID(kind)
    let place = kiosk.freeSpace(for: kind, at: given.pixel)
    guard
      let text = LanguageService.newControl(
        kind, id: id, at: (place.center.x, place.center.y), scale: place.scale, image: image)
    else { throw EditRefusal("there is no control of the type \(kind)") }
    return try answer(.init(control: id)) { () throws(EditRefusal) in
      try service.edits(adding: text, toPage: engine.pages[engine.activePage].name, in: path)
    }
  }

  /// Creates a kiosk with one page.
  func begin(_ given: ChangeParameters) throws -> ChangeAnswer {
    let page = Self.newPage("page1").split(separator: "\n").map { "  \($0)\n" }.joined()
    let text = """
      kiosk: \(KeyValue.text(given.name).written(in: nil))
      screen: {size: [\(given.width), \(given.height)]}
      pages:
      \(page)
      """
    return try answer(.init(page: "page1")) { (path, [TextEdit(0..<bytes.count, text)]) }
  }

  func addPage(_ given: ChangeParameters, to kiosk: StudioKiosk) throws -> ChangeAnswer {
    guard let engine = kiosk.engine else { throw EditRefusal(StudioKiosk.lacking) }
    let known = Set(engine.declaredPages.map(\.name))
    var number = known.count + 1
    while known.contains("page\(number)") { number += 1 }
    let name = "page\(number)"
    let text = Self.newPage(name)
    return try answer(.init(page: name)) { () throws(EditRefusal) in
      (path, try service.edits(addingPage: text, to: path))
    }
  }

  private static func newPage(_ name: String) -> String {
    """
    - page: \(name)
      controls: []
    """
  }

  func remove(_ given: ChangeParameters) throws -> ChangeAnswer {
    let owner = given.owner.keyOwner
    let chosen: ChangeAnswer.Chosen? =
      switch owner {
      case .part: nil
      // The item's control.
      case .item(_, let control): .init(control: control)
      default: .init()
      }
    return try answer(chosen) { () throws(EditRefusal) in
      try service.edits(removing: owner, in: path)
    }
  }

  func move(_ given: ChangeParameters) throws -> ChangeAnswer {
    try answer { () throws(EditRefusal) in
      try service.edits(moving: given.owner.keyOwner, forward: given.isForward, in: path)
    }
  }

  func duplicate(_ given: ChangeParameters) throws -> ChangeAnswer {
    let owner = given.owner.keyOwner
    let (file, edits, name) = try service.edits(duplicating: owner, in: path)
    var chosen = ChangeAnswer.Chosen(control: given.owner.control)
    switch owner {
    case .control: chosen.control = name
    case .item: chosen.item = name
    case .page: chosen.page = name
    case .kiosk, .part: break
    }
    return try answer(chosen) { (file, edits) }
  }

  func addItem(_ given: ChangeParameters) throws -> ChangeAnswer {
    guard let control = given.owner.control else { throw EditRefusal("no control is selected") }
    let (file, edits, name) = try service.edits(addingItemTo: control, in: path)
    return try answer(.init(control: control, item: name)) { (file, edits) }
  }

  func addAction(_ given: ChangeParameters) throws -> ChangeAnswer {
    guard case .part(let owner, let steps) = given.owner.keyOwner else {
      throw EditRefusal("no actions are selected")
    }
    return try answer { () throws(EditRefusal) in
      try service.edits(adding: given.command, toActions: steps, of: owner, in: path)
    }
  }

  func addReaction(_ given: ChangeParameters) throws -> ChangeAnswer {
    try answer { () throws(EditRefusal) in
      try service.edits(addingReaction: given.command, to: given.owner.keyOwner, in: path)
    }
  }

  func choose(_ given: ChangeParameters) throws -> ChangeAnswer {
    try answer { () throws(EditRefusal) in
      try service.edits(choosing: given.command, for: given.owner.keyOwner, in: path)
    }
  }

  /// `chosen` is the page's next selection.
  func answer(
    _ chosen: ChangeAnswer.Chosen? = nil, _ edits: () throws(EditRefusal) -> Edits
  ) throws(EditRefusal) -> ChangeAnswer {
    let change = try edits()
    guard change.path == path else {
      throw EditRefusal("it is in \(name(of: change.path)), which is not open here")
    }
    return ChangeAnswer(revision: revision, edits: changes(change.edits), chosen: chosen)
  }

  private func nameKey(of owner: KeyOwner, on kiosk: StudioKiosk) -> String? {
    switch owner {
    case .kiosk: nil
    case .page: "page"
    case .control(let id): kiosk.engine?.placedControl(id)?.kind
    case .item: "id"
    case .part: nil
    }
  }

  private func rename(_ symbol: Symbol, to name: String) throws -> ChangeAnswer {
    guard let place = service.place(of: symbol, in: path) else {
      return ChangeAnswer(revision: revision)
    }
    let edits = try service.rename(place.path, at: place.range.lowerBound, to: name)
    let others = edits.keys.filter { $0 != path }.sorted()
    guard others.isEmpty else {
      throw EditRefusal(
        "\(symbol.name) is also in \(others.joined(separator: ", ")); rename it in an editor")
    }
    let chosen: ChangeAnswer.Chosen =
      switch symbol {
      case .page: .init(page: name)
      case .item(_, let id): .init(control: id, item: name)
      default: .init(control: name)
      }
    return try answer(chosen) { (path, edits[path] ?? []) }
  }
}

extension KeyOwner {
  var symbol: Symbol? {
    switch self {
    case .kiosk, .part: nil
    case .page(let name): .page(name)
    case .control(let id): .control(id)
    case .item(let item, let id): .item(item, of: id)
    }
  }
}

extension Engine {
  func freeID(_ type: String) -> String {
    let known = Set(controlIDs)
    var number = 1
    while known.contains("\(type)\(number)") { number += 1 }
    return "\(type)\(number)"
  }
}

extension KeysAnswer.Key {
  fileprivate init(_ key: KeyState, _ kiosk: StudioKiosk) {
    name = key.name
    input = key.input.name
    present = key.text.flatMap { kiosk.presentText(of: $0) }
    written = key.written
    text = key.text
    standard = key.defaultText
    about = key.line
    isRequired = key.isRequired
    switch key.input {
    case .number(let minimum, let maximum, let isWhole):
      (self.minimum, self.maximum, self.isWhole) = (minimum, maximum, isWhole)
    case .choice(let words): self.words = words
    case .color(let names):
      likely = names
      hex = kiosk.hex(of: key.text ?? key.defaultText)
    case .text(let words) where !words.isEmpty: likely = Array(words.prefix(200))
    default: break
    }
  }
}

extension KeysAnswer.Actions {
  fileprivate init(_ list: ActionList, _ kiosk: StudioKiosk) {
    cause = list.cause
    path = list.path.map { step in
      switch step {
      case .key(let key): .string(key)
      case .index(let index): .number(Double(index))
      }
    }
    condition = list.condition.map { .init($0, kiosk) }
    actions = list.actions.map { action in
      .init(
        command: action.command, keys: action.keys.map { .init($0, kiosk) },
        fields: action.fields.map { $0.map { .init($0, kiosk) } },
        more: Array(action.moreFields.prefix(500)))
    }
  }
}

extension KeyState.Input {
  fileprivate var name: String {
    switch self {
    case .number: "number"
    case .flag: "flag"
    case .choice: "choice"
    case .color: "color"
    case .text: "text"
    case .any: "any"
    case .structure: "structure"
    }
  }
}
