// SPDX-License-Identifier: MIT

internal import Declarations
internal import Authoring
internal import Geometry
internal import JSON
internal import Kiosk

// Keys of controls, which are changed as text: a page is told what to change, and sends it as its own change.

extension StudioSource {
  /// Tells the keys of a control, and where it stands.
  func select(_ message: JSONValue, _ reply: Reply) {
    guard let id = message["control"]?.string else { return }
    let item = message["item"]?.string
    do throws(EditRefusal) {
      let keys = try service.keys(ofControl: id, item: item, in: path).map { key -> JSONValue in
        var members: [JSONValue.Member] = [
          .init("name", .string(key.name)), .init("input", .string(key.input.name)),
          .init("written", key.written.map { .string($0) } ?? .null),
          .init("text", key.text.map { .string($0) } ?? .null),
          .init("default", key.defaultText.map { .string($0) } ?? .null),
          .init("about", key.line.map { .string($0) } ?? .null),
          .init("required", .bool(key.isRequired)),
        ]
        switch key.input {
        case .number(let minimum, let maximum):
          members.append(.init("minimum", minimum.map { .number($0) } ?? .null))
          members.append(.init("maximum", maximum.map { .number($0) } ?? .null))
        case .choice(let words):
          members.append(.init("words", .array(words.map { .string($0) })))
        default: break
        }
        return .object(members)
      }
      var members: [JSONValue.Member] = [
        .init("type", "keys"), .init("control", .string(id)),
        .init("item", item.map { .string($0) } ?? .null), .init("keys", .array(keys)),
      ]
      if let place = service.place(ofControl: id, in: path), place.path == path {
        members += span(place.range)
      }
      reply(.object(members))
    } catch {
      reply([
        "type": "keys", "control": .string(id), "item": .null, "keys": [],
        "text": .string(error.description),
      ])
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
    guard message["revision"]?.integer == revision, let id = message["control"]?.string,
      let key = message["key"]?.string
    else { return }
    if let name = message["value"]?.string, message["item"]?.string == nil,
      kiosk.engine?.placedControl(id)?.kind == key
    {
      return rename(id, to: name, reply)
    }
    let value: KeyValue
    switch message["value"] {
    case .number(let number)?: value = .number(number)
    case .bool(let flag)?: value = .flag(flag)
    case .string(let text)?: value = .text(text)
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
      let (file, found) = try service.edits(
        setting: key, of: id, item: message["item"]?.string, to: value, in: path)
      guard file == path else {
        return reply(.problem("\(id) stands in \(file), which is not open here"))
      }
      edits = found
    } catch {
      reply(.problem(error.description))
    }
  }

  /// Tells the page how its text changes for the shown page to have one more control.
  func add(_ message: JSONValue, to kiosk: StudioKiosk, _ reply: Reply) {
    guard message["revision"]?.integer == revision, let kind = message["kind"]?.string,
      let engine = kiosk.engine
    else { return }
    let known = Set(engine.controlIDs)
    var number = 1
    while known.contains("\(kind)\(number)") { number += 1 }
    let size = engine.screen.size
    let id = "\(kind)\(number)"
    guard
      let text = LanguageService.newControl(
        kind, id: id, at: ((size.width / 2).rounded(), (size.height / 2).rounded()))
    else { return reply(.problem("there is no control of the type \(kind)")) }
    change(id, reply) { () throws(EditRefusal) in
      try service.edits(adding: text, toPage: engine.pages[engine.shownPage].name, in: path)
    }
  }

  /// Tells the page how its text changes for a control to go.
  func remove(_ message: JSONValue, _ reply: Reply) {
    guard message["revision"]?.integer == revision, let id = message["control"]?.string else {
      return
    }
    change(nil, reply) { () throws(EditRefusal) in try service.edits(removing: id, in: path) }
  }

  /// Tells the page how its text changes, and which control is chosen from then on.
  private func change(
    _ id: String?, _ reply: Reply,
    _ edits: () throws(EditRefusal) -> (path: String, edits: [TextEdit])
  ) {
    do throws(EditRefusal) {
      let (file, edits) = try edits()
      guard file == path else {
        return reply(.problem("that stands in \(file), which is not open here"))
      }
      reply([
        "type": "renamed", "control": id.map { .string($0) } ?? .null,
        "revision": .number(Double(revision)), "edits": json(edits),
      ])
    } catch {
      reply(.problem(error.description))
    }
  }

  /// Tells the page how its text changes for a control to have another id, wherever that stands.
  private func rename(_ id: String, to name: String, _ reply: Reply) {
    guard let place = service.place(ofControl: id, in: path) else { return }
    do throws(RenameRefusal) {
      let edits = try service.rename(place.path, at: place.range.lowerBound, to: name)
      let others = edits.keys.filter { $0 != path }.sorted()
      guard others.isEmpty else {
        return reply(
          .problem("\(id) also stands in \(others.joined(separator: ", ")): rename it in an editor")
        )
      }
      reply([
        "type": "renamed", "control": .string(name), "revision": .number(Double(revision)),
        "edits": json(edits[path] ?? []),
      ])
    } catch {
      reply(.problem(error.description))
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
    case .structure: "structure"
    }
  }
}
