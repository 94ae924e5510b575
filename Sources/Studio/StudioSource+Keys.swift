// SPDX-License-Identifier: MIT

internal import Declarations
internal import Authoring
internal import Geometry
internal import JSON
internal import Kiosk

// Keys and actions of controls, pages and the kiosk, which are changed as text: a page is told what to change, and sends
// it as its own change.

extension StudioSource {
  /// Tells the keys of a control, of one of its items, of a page or of the kiosk, and where that stands.
  func select(_ message: JSONValue, on kiosk: StudioKiosk, _ reply: Reply) {
    let owner = KeyOwner(message)
    let names = ["control", "item", "page"].map { JSONValue.Member($0, message[$0] ?? .null) }
    do throws(EditRefusal) {
      let keys = try service.keys(of: owner, in: path)
      let actions = try service.actions(of: owner, in: path)
      var members =
        names + [
          .init("type", "keys"),
          .init("keys", .array(keys.map { $0.json(kiosk) })),
          .init("actions", .array(actions.map { $0.json(kiosk) })),
          .init("state", kiosk.properties(of: message["control"]?.string)),
          .init("mayReact", .bool(service.mayReact(owner, in: path))),
          .init("commands", .array(LanguageService.commands.map { .string($0) })),
          .init(
            "mayHaveItems",
            .bool(message["control"]?.string.map { service.mayHaveItems($0, in: path) } ?? false)),
        ]
      if let symbol = owner.symbol, let place = service.place(of: symbol, in: path),
        place.path == path
      {
        members += span(place.range)
      }
      reply(.object(members))
    } catch {
      reply(
        .object(
          names + [
            .init("type", "keys"), .init("keys", []), .init("text", .string(error.description)),
          ]))
    }
  }

  /// Tells the page how its text changes for a key to have a value.
  func set(_ message: JSONValue, on kiosk: StudioKiosk, _ reply: Reply) {
    var edits: [TextEdit] = []
    defer {
      reply([
        "type": "apply", "id": message["id"] ?? .null, "gesture": message["gesture"] ?? .null,
        "revision": .number(Double(revision)), "edits": json(edits),
      ])
    }
    guard message["revision"]?.integer == revision, let key = message["key"]?.string else { return }
    let owner = KeyOwner(message)
    if let name = message["value"]?.string, let symbol = owner.symbol,
      key == nameKey(of: owner, on: kiosk)
    {
      return rename(symbol, to: name, reply)
    }
    let value: KeyValue?
    switch message["value"] {
    case .number(let number)?: value = .number(number)
    case .bool(let flag)?: value = .flag(flag)
    case .string(let text)?: value = message["isSource"]?.bool == true ? .source(text) : .text(text)
    case .null?: value = nil
    case .array(let numbers)?:
      let both = numbers.compactMap(\.number)
      guard both.count == 2 else { return }
      // Places come in pixels of the panel.
      let given = Point(both[0], both[1])
      guard let point = message["unit"]?.string == "pixels" ? kiosk.designPoint(given) : given
      else {
        return
      }
      value = .point(point.x.rounded(), point.y.rounded())
    default: return
    }
    do throws(EditRefusal) {
      let change =
        if let value {
          try service.edits(setting: key, of: owner, to: value, in: path)
        } else { try service.edits(removing: key, of: owner, in: path) }
      edits = try own(change)
    } catch {
      reply(.problem(error.description))
    }
  }

  /// Changes of the file that is open.
  private func own(_ change: (path: String, edits: [TextEdit])) throws(EditRefusal) -> [TextEdit] {
    guard change.path == path else {
      throw EditRefusal("that stands in \(name(of: change.path)), which is not open here")
    }
    return change.edits
  }

  /// Tells the page how its text changes for the shown page to have one more control: where that was dropped, or else in
  /// free room.
  func add(_ message: JSONValue, to kiosk: StudioKiosk, _ reply: Reply) {
    guard message["revision"]?.integer == revision, let kind = message["kind"]?.string,
      let engine = kiosk.engine
    else { return }
    let image = service.pictures(near: path).first
    guard !LanguageService.showsFile(kind) || image != nil else {
      return reply(
        .problem("there is no picture beside the kiosk for it to show: add a file first"))
    }
    let id = engine.freeID(kind)
    let place = kiosk.room(for: kind, at: message["at"])
    guard
      let text = LanguageService.newControl(
        kind, id: id, at: (place.center.x, place.center.y), scale: place.scale, image: image)
    else { return reply(.problem("there is no control of the type \(kind)")) }
    change(control: id, reply) { () throws(EditRefusal) in
      try service.edits(adding: text, toPage: engine.pages[engine.shownPage].name, in: path)
    }
  }

  /// Tells the page how an empty text becomes a kiosk of one page.
  func begin(_ message: JSONValue, _ reply: Reply) {
    guard message["revision"]?.integer == revision, let name = message["name"]?.string,
      let width = message["width"]?.integer, let height = message["height"]?.integer
    else { return }
    let size = Size(Double(width), Double(height))
    let page = Self.newPage("page1", label: "label1", size).split(separator: "\n")
      .map { "  \($0)\n" }.joined()
    let text = """
      kiosk: \(KeyValue.text(name).written(in: nil))
      screen: {size: [\(width), \(height)]}
      pages:
      \(page)
      """
    change(page: "page1", reply) { () throws(EditRefusal) in
      (path, [TextEdit(0..<bytes.count, text)])
    }
  }

  /// Tells the page how its text changes for the kiosk to have one more page.
  func addPage(_ message: JSONValue, to kiosk: StudioKiosk, _ reply: Reply) {
    guard message["revision"]?.integer == revision, let engine = kiosk.engine else { return }
    let known = Set(engine.pages.map(\.name))
    var number = known.count + 1
    while known.contains("page\(number)") { number += 1 }
    let name = "page\(number)"
    let text = Self.newPage(name, label: engine.freeID("label"), engine.screen.size)
    change(page: name, reply) { () throws(EditRefusal) in
      (path, try service.edits(addingPage: text, to: path))
    }
  }

  /// The text of a new page. A page has at least one control, so a label shows its name.
  private static func newPage(_ name: String, label: String, _ size: Size) -> String {
    """
    - page: \(name)
      controls:
        - label: \(label)
          at: [\(Int(size.width / 2)), \(Int(size.height / 2))]
          text: \(name)
    """
  }

  /// Tells the page how its text changes for an element of a list to go.
  func remove(_ message: JSONValue, _ reply: Reply) {
    guard message["revision"]?.integer == revision else { return }
    let owner = KeyOwner(message)
    func edits() throws(EditRefusal) -> (path: String, edits: [TextEdit]) {
      try service.edits(removing: owner, in: path)
    }
    switch owner {
    case .part: apply(reply, edits)
    // The control that it belonged to is chosen from then on.
    case .item(_, let control): change(control: control, reply, edits)
    default: change(reply, edits)
    }
  }

  /// Tells the page how its text changes for an element to change places with the one before or after it.
  func move(_ message: JSONValue, _ reply: Reply) {
    guard message["revision"]?.integer == revision else { return }
    apply(reply) { () throws(EditRefusal) in
      try service.edits(
        moving: KeyOwner(message), forward: message["forward"]?.bool ?? true, in: path)
    }
  }

  /// Tells the page how its text changes for an element to have a copy after it.
  func duplicate(_ message: JSONValue, _ reply: Reply) {
    guard message["revision"]?.integer == revision else { return }
    do throws(EditRefusal) {
      let owner = KeyOwner(message)
      let (file, edits, name) = try service.edits(duplicating: owner, in: path)
      var chosen = (control: message["control"]?.string, item: String?.none, page: String?.none)
      switch owner {
      case .control: chosen.control = name
      case .item: chosen.item = name
      case .page: chosen.page = name
      case .kiosk, .part: break
      }
      change(control: chosen.control, item: chosen.item, page: chosen.page, reply) {
        (file, edits)
      }
    } catch {
      reply(.problem(error.description))
    }
  }

  /// Tells the page how its text changes for a control to have one more item.
  func addItem(_ message: JSONValue, _ reply: Reply) {
    guard message["revision"]?.integer == revision, let control = message["control"]?.string else {
      return
    }
    do throws(EditRefusal) {
      let (file, edits, name) = try service.edits(addingItemTo: control, in: path)
      change(control: control, item: name, reply) { (file, edits) }
    } catch {
      reply(.problem(error.description))
    }
  }

  /// Tells the page how its text changes for one more action to follow something.
  func addAction(_ message: JSONValue, _ reply: Reply) {
    guard message["revision"]?.integer == revision, let command = message["command"]?.string,
      case .part(let owner, let steps) = KeyOwner(message)
    else { return }
    apply(reply) { () throws(EditRefusal) in
      try service.edits(adding: command, toActions: steps, of: owner, in: path)
    }
  }

  /// Tells the page how its text changes for an action to follow one more condition.
  func addReaction(_ message: JSONValue, _ reply: Reply) {
    guard message["revision"]?.integer == revision, let command = message["command"]?.string else {
      return
    }
    apply(reply) { () throws(EditRefusal) in
      try service.edits(addingReaction: command, to: KeyOwner(message), in: path)
    }
  }

  /// Tells the page how its text changes for an action to be another.
  func choose(_ message: JSONValue, _ reply: Reply) {
    guard message["revision"]?.integer == revision, let command = message["command"]?.string else {
      return
    }
    apply(reply) { () throws(EditRefusal) in
      try service.edits(choosing: command, for: KeyOwner(message), in: path)
    }
  }

  /// Tells the page how its text changes, while the same is chosen.
  private func apply(
    _ reply: Reply, _ edits: () throws(EditRefusal) -> (path: String, edits: [TextEdit])
  ) {
    do throws(EditRefusal) {
      reply([
        "type": "apply", "revision": .number(Double(revision)), "edits": json(try own(edits())),
      ])
    } catch {
      reply(.problem(error.description))
    }
  }

  /// Tells the page how its text changes, and what is chosen or shown from then on.
  private func change(
    control: String? = nil, item: String? = nil, page: String? = nil, _ reply: Reply,
    _ edits: () throws(EditRefusal) -> (path: String, edits: [TextEdit])
  ) {
    do throws(EditRefusal) {
      reply([
        "type": "renamed", "control": control.map { .string($0) } ?? .null,
        "item": item.map { .string($0) } ?? .null, "page": page.map { .string($0) } ?? .null,
        "revision": .number(Double(revision)), "edits": json(try own(edits())),
      ])
    } catch {
      reply(.problem(error.description))
    }
  }

  /// The key whose value is the name of its owner.
  private func nameKey(of owner: KeyOwner, on kiosk: StudioKiosk) -> String? {
    switch owner {
    case .kiosk: nil
    case .page: "page"
    case .control(let id): kiosk.engine?.placedControl(id)?.kind
    case .item: "id"
    case .part: nil
    }
  }

  /// Tells the page how its text changes for something to have another name, wherever that stands.
  private func rename(_ symbol: Symbol, to name: String, _ reply: Reply) {
    guard let place = service.place(of: symbol, in: path) else { return }
    do throws(RenameRefusal) {
      let edits = try service.rename(place.path, at: place.range.lowerBound, to: name)
      let others = edits.keys.filter { $0 != path }.sorted()
      guard others.isEmpty else {
        return reply(
          .problem(
            "\(symbol.name) also stands in \(others.joined(separator: ", ")): rename it in an editor"
          )
        )
      }
      var members: [JSONValue.Member] = [
        .init("type", "renamed"), .init("revision", .number(Double(revision))),
        .init("edits", json(edits[path] ?? [])),
      ]
      switch symbol {
      case .page: members.append(.init("page", .string(name)))
      case .item(_, let id):
        members += [.init("control", .string(id)), .init("item", .string(name))]
      default: members.append(.init("control", .string(name)))
      }
      reply(.object(members))
    } catch {
      reply(.problem(error.description))
    }
  }
}

extension KeyOwner {
  /// The owner that a page means by a message.
  fileprivate init(_ message: JSONValue) {
    let owner: KeyOwner =
      if let id = message["control"]?.string {
        message["item"]?.string.map { .item($0, of: id) } ?? .control(id)
      } else {
        message["page"]?.string.map { .page($0) } ?? .kiosk
      }
    guard case .array(let steps)? = message["path"] else {
      self = owner
      return
    }
    self = .part(
      of: owner,
      path: steps.prefix(Self.maximumSteps).compactMap { step in
        step.string.map { .key($0) } ?? step.integer.map { .index($0) }
      })
  }

  private static let maximumSteps = 16

  /// Its name; nil for the kiosk.
  fileprivate var symbol: Symbol? {
    switch self {
    case .kiosk, .part: nil
    case .page(let name): .page(name)
    case .control(let id): .control(id)
    case .item(let item, let id): .item(item, of: id)
    }
  }
}

extension Engine {
  /// An id for one more control of a type.
  fileprivate func freeID(_ type: String) -> String {
    let known = Set(controlIDs)
    var number = 1
    while known.contains("\(type)\(number)") { number += 1 }
    return "\(type)\(number)"
  }
}

extension KeyState {
  /// The key, as it is sent to a page.
  fileprivate func json(_ kiosk: StudioKiosk) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("name", .string(name)), .init("input", .string(input.name)),
      .init("present", text.flatMap { kiosk.presentText(of: $0) }.map { .string($0) } ?? .null),
      .init("written", written.map { .string($0) } ?? .null),
      .init("text", text.map { .string($0) } ?? .null),
      .init("default", defaultText.map { .string($0) } ?? .null),
      .init("about", line.map { .string($0) } ?? .null),
      .init("required", .bool(isRequired)),
    ]
    switch input {
    case .number(let minimum, let maximum, let isWhole):
      members.append(.init("isWhole", .bool(isWhole)))
      members.append(.init("minimum", minimum.map { .number($0) } ?? .null))
      members.append(.init("maximum", maximum.map { .number($0) } ?? .null))
    case .choice(let words): members.append(.init("words", .array(words.map { .string($0) })))
    case .color(let names):
      members.append(.init("likely", .array(names.map { .string($0) })))
      members.append(
        .init("hex", kiosk.hex(of: text ?? defaultText).map { .string($0) } ?? .null))
    case .text(let words) where !words.isEmpty:
      members.append(.init("likely", .array(words.prefix(200).map { .string($0) })))
    default: break
    }
    return .object(members)
  }
}

extension ActionList {
  fileprivate func json(_ kiosk: StudioKiosk) -> JSONValue {
    let steps = path.map { step -> JSONValue in
      switch step {
      case .key(let key): .string(key)
      case .index(let index): .number(Double(index))
      }
    }
    return [
      "cause": .string(cause), "path": .array(steps),
      "condition": condition?.json(kiosk) ?? .null,
      "actions": .array(actions.map { $0.json(kiosk) }),
    ]
  }
}

extension ActionState {
  fileprivate func json(_ kiosk: StudioKiosk) -> JSONValue {
    [
      "command": .string(command), "keys": .array(keys.map { $0.json(kiosk) }),
      "fields": fields.map { .array($0.map { $0.json(kiosk) }) } ?? .null,
      "more": .array(moreFields.prefix(500).map { .string($0) }),
    ]
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
