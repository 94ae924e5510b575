// SPDX-License-Identifier: MIT

internal import Controls
internal import Expressions
internal import Geometry
internal import Glibc
internal import JSON
internal import Kiosk
internal import LinuxIO
internal import Motion
internal import Presentation
internal import Remote
internal import Runtime
internal import Session

/// What can be asked without changing anything.
extension KioskServer {
  var stateMethods: [Method] {
    [
      Method("version", "Tells which version of roundel runs.", result: "{version}") { _ in
        { [unowned self] _, _ in .done(.object([.init("version", .string(version))])) }
      },
      Method(
        "status", "Tells how the kiosk and its display are.",
        result: "{version, kiosk, page, blank, moving, uptime, display, …}"
      ) { _ in
        { [unowned self] _, _ in .done(status) }
      },
      Method(
        "tree", "Tells of all controls, where they are and how they are.",
        result: "{page, language, values, size, pages: [{page, shown, controls: [{id, kind, at, "
          + "properties, …, items}]}]}"
      ) { parameters in
        let properties = parameters.optional(
          "properties", .flag, default: .bool(false),
          "Whether all properties are listed, what the file says of controls and items included.")
        return { [unowned self] arguments, _ in .done(tree(allProperties: arguments[properties])) }
      },
      Method("get", "Tells the value of a property.", result: "{value}") { parameters in
        let property = parameters.required("property", .property, "Which one.")
        return { [unowned self] arguments, _ in try get(arguments[property]) }
      },
      Method(
        "place", "Tells where a finger finds a control or an item now.",
        result: "{at}: [x, y] in design pixels"
      ) { parameters in
        let target = parameters.required("target", .target, "What.")
        return { [unowned self] arguments, _ in
          .done(.object([.init("at", JSONValue(try place(of: arguments[target])))]))
        }
      },
      Method(
        "latency", "Tells how long touches took to be seen, in seconds.",
        result: "{STAGE: {count, median, p95, p99, worst}}"
      ) { _ in
        { [unowned self] _, _ in
          .done(.object(Latency.Stage.allCases.map { .init($0.rawValue, cycle.latency[$0].json) }))
        }
      },
    ]
  }

  private var status: JSONValue {
    let engine = cycle.engine
    return .object([
      .init("version", .string(version)),
      .init("kiosk", .string(engine.name)),
      .init("page", .string(engine.pages[engine.shownPage].name)),
      .init("blank", .bool(engine.isBlank)),
      .init("moving", .bool(engine.isMoving)),
      .init("fingers", .number(Double(engine.fingers.count))),
      .init("t", .number(engine.now.seconds)),
      .init("uptime", .number(clock() - startTime)),
      .init("process", .number(Double(getpid()))),
      .init("clients", .number(Double(server?.clientCount ?? 0))),
      .init("wakeups", .number(Double(loop.wakeUps))),
      .init("display", displayStatus),
      .init("inputs", .array(inputs().map { .string($0) })),
      .init("frames", cycle.frames.json),
      .init("latency", cycle.latency[.total].json),
      .init(
        "client_work",
        .object([
          .init("longest_turn", .number(work.longestTurn)),
          .init("kept_bytes", .number(Double(budget.totalBytes))),
        ])),
    ])
  }

  private var displayStatus: JSONValue {
    let turned = display.rotation
    let panel = turned.applied(to: display.canvasSize)
    var members: [JSONValue.Member]
    switch display.state {
    case .showing: members = [.init("state", .string("showing"))]
    case .asleep: members = [.init("state", .string("asleep"))]
    case .waiting(let obstacle):
      members = [
        .init("state", .string("waiting")), .init("obstacle", .string(obstacle.description)),
      ]
    }
    members += [
      .init("size", .array([.number(Double(panel.width)), .number(Double(panel.height))])),
      .init("rotate", .number(Double(turned.rawValue))),
      .init("refresh_interval", .number(display.refreshInterval)),
      .init("vblank", .bool(display.vblank != nil)),
    ]
    members += output().map { .init($0.name, .string($0.value)) }
    return .object(members)
  }

  private func tree(allProperties: Bool) -> JSONValue {
    let engine = cycle.engine
    let shown = engine.pages[engine.shownPage].name
    let size = engine.screen.size
    var members: [JSONValue.Member] = [.init("page", .string(shown))]
    if !engine.language.isEmpty { members.append(.init("language", .string(engine.language))) }
    if !engine.description.values.isEmpty {
      let values = engine.description.values.map { declaration in
        JSONValue.Member(
          declaration.name,
          engine.value(of: .value(declaration.name)).map { JSONValue($0) } ?? .null)
      }
      members.append(.init("values", .object(values)))
    }
    members.append(.init("size", .array([.number(size.width), .number(size.height)])))
    var left = limits.maximumAnswerBytes
    var pages: [JSONValue] = []
    for page in engine.pages {
      var controls: [JSONValue] = []
      for entry in page.controls {
        let properties =
          allProperties
          ? self.properties(of: entry, engine, &left)
          : entry.control.properties.map { property($0, of: entry, engine) }
        controls.append(json(of: entry, properties, engine))
      }
      pages.append(
        .object([
          .init("page", .string(page.name)), .init("shown", .bool(page.name == shown)),
          .init("controls", .array(controls)),
        ]))
    }
    members.append(.init("pages", .array(pages)))
    if left < 0 { members.append(.init("incomplete", .bool(true))) }
    return .object(members)
  }

  private func property(_ name: String, of entry: PlacedControl, _ engine: Engine)
    -> JSONValue.Member
  {
    .init(name, engine.value(of: name, of: entry.id).map { JSONValue($0) } ?? .null)
  }

  /// All properties of a control, as many as there is room for in `left` bytes, which becomes negative
  /// where there is none for all.
  private func properties(
    of entry: PlacedControl, _ engine: Engine, _ left: inout Int
  ) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    guard left > 0 else { return [] }
    for name in entry.propertyKinds.names {
      let member = property(name, of: entry, engine)
      guard let bytes = JSONValue.object([member]).memoryBytes(upTo: left) else {
        left = -1
        break
      }
      left -= bytes
      members.append(member)
    }
    return members
  }

  private func json(
    of entry: PlacedControl, _ properties: [JSONValue.Member], _ engine: Engine
  ) -> JSONValue {
    let now = engine.now
    var members: [JSONValue.Member] = [
      .init("id", .string(entry.id)), .init("kind", .string(entry.kind)),
      .init("at", JSONValue(entry.control.place(of: nil, at: now))),
      .init("enabled", .bool(entry.isEnabled)), .init("visible", .bool(entry.isVisible)),
      .init("moving", .bool(entry.control.isMoving(at: now))),
    ]
    if !properties.isEmpty { members.append(.init("properties", .object(properties))) }
    if !entry.control.commands.isEmpty {
      members.append(.init("commands", .array(entry.control.commands.map { .string($0) })))
    }
    let items = entry.control.items(at: now)
    if !items.isEmpty {
      members.append(
        .init(
          "items",
          .array(
            items.map { item in
              .object([
                .init("id", .string(item.id)), .init("at", JSONValue(item.place)),
                .init("enabled", .bool(item.isEnabled)),
              ])
            })))
    }
    return .object(members)
  }

  private func get(_ name: Reference) throws(RemoteError) -> Method.Outcome {
    guard cycle.engine.kind(of: name) != nil else { throw .unknown(name, cycle.engine) }
    let value = cycle.engine.value(of: name)
    return .done(.object([.init("value", value.map { JSONValue($0) } ?? .null)]))
  }
}

extension RemoteError {
  /// What is wrong with a name that refers to nothing.
  static func unknown(_ name: Reference, _ engine: Engine) -> RemoteError {
    guard case .property(let path) = name else {
      let known = engine.description.values.map(\.name).joined(separator: ", ")
      return .invalid(
        "there is no value \"\("\(name)".prefix(100))\" "
          + (known.isEmpty
            ? "(expected CONTROL.PROPERTY)" : "(expected CONTROL.PROPERTY, or one of \(known))"))
    }
    guard let entry = engine.placedControl(path.control) else {
      return .unknownControl(path.control, engine)
    }
    let known = (entry.control.properties + ["enabled", "visible"]).joined(separator: ", ")
    return .invalid(
      "\(path.control) has no property \"\(path.property.prefix(100))\" (expected one of \(known))")
  }

  static func unknownPage(_ page: String, _ engine: Engine) -> RemoteError {
    let known = engine.pages.map(\.name).joined(separator: ", ")
    return .invalid("there is no page \"\(page.prefix(100))\" (the pages are: \(known))")
  }
}

extension JSONValue {
  /// `[x, y]`, or null, to a hundredth of a pixel.
  init(_ point: Point?) {
    func rounded(_ value: Double) -> JSONValue { .number((value * 100).rounded() / 100) }
    self = point.map { .array([rounded($0.x), rounded($0.y)]) } ?? .null
  }
}

extension FrameCounts {
  fileprivate var json: JSONValue {
    .object([
      .init("shown", .number(Double(shown))), .init("timed", .number(Double(timed))),
      .init("late", .number(Double(late))),
    ])
  }
}

extension Histogram {
  fileprivate var json: JSONValue {
    func number(_ value: Double?) -> JSONValue { value.map { .number($0) } ?? .null }
    return .object([
      .init("count", .number(Double(count))), .init("median", number(quantile(0.5))),
      .init("p95", number(quantile(0.95))), .init("p99", number(quantile(0.99))),
      .init("worst", number(count > 0 ? worst : nil)),
    ])
  }
}
