// SPDX-License-Identifier: MIT

internal import Controls
internal import Expressions
internal import Geometry
internal import Glibc
internal import JSON
internal import Kiosk
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
        result: "{page, size, pages: [{page, shown, controls: [{id, kind, at, …, items}]}]}"
      ) { _ in
        { [unowned self] _, _ in .done(tree) }
      },
      Method(
        "events", "Tells of each event from now on, by notifications called \"event\".",
        result: "{t}: seconds since the kiosk's start"
      ) { parameters in
        let on = parameters.optional("on", .flag, default: .bool(true), "False ends it.")
        return { [unowned self] arguments, reply in
          if arguments[on] {
            listeners.insert(reply.client)
          } else {
            listeners.remove(reply.client)
          }
          return .done(.object([.init("t", .number(cycle.engine.now.seconds))]))
        }
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
        "wait",
        "Waits until a property is so, a page is shown, an input device is used, or all is still.",
        result: "{holds, value, t}: whether it came to that, and how it is then"
      ) { parameters in
        let property = parameters.optional("property", .property, "The property that is to have")
        let value = parameters.optional(
          "value", .any, "this value, or one {min, max}, {one_of: […]} or {not: …}.")
        let page = parameters.optional("page", .text, "The page that is to be shown.")
        let input = parameters.optional(
          "input", .text, "The name of the device that is to be used.")
        let still = parameters.optional(
          "still", .flag, default: .bool(false), "Whether to wait until nothing moves any more.")
        let timeout = parameters.optional(
          "timeout", .number(0...86400, "seconds"), default: .number(10),
          "How long to wait at most.")
        return { [unowned self] arguments, reply in
          try wait(
            arguments[property], arguments[value], arguments[page], arguments[input],
            arguments[still], timeout: arguments[timeout], reply)
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

  private var tree: JSONValue {
    let engine = cycle.engine
    let shown = engine.pages[engine.shownPage].name
    let size = engine.screen.size
    return .object([
      .init("page", .string(shown)),
      .init("size", .array([.number(size.width), .number(size.height)])),
      .init(
        "pages",
        .array(
          engine.pages.map { page in
            .object([
              .init("page", .string(page.name)), .init("shown", .bool(page.name == shown)),
              .init("controls", .array(page.controls.map { json(of: $0, engine) })),
            ])
          })),
    ])
  }

  private func json(of entry: Entry, _ engine: Engine) -> JSONValue {
    let now = engine.now
    var members: [JSONValue.Member] = [
      .init("id", .string(entry.id)), .init("kind", .string(entry.kind)),
      .init("at", JSONValue(entry.control.place(of: nil, at: now))),
      .init("enabled", .bool(entry.isEnabled)), .init("visible", .bool(entry.isVisible)),
      .init("moving", .bool(entry.control.isMoving(at: now))),
    ]
    let properties = entry.control.properties.map { name in
      JSONValue.Member(
        name, engine.value(of: name, of: entry.id).map { JSONValue($0) } ?? .null)
    }
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

  private func get(_ path: PropertyPath) throws(RemoteError) -> Method.Outcome {
    .done(.object([.init("value", JSONValue(try value(of: path)))]))
  }

  /// The value of a property that must exist.
  func value(of path: PropertyPath) throws(RemoteError) -> Value {
    if let value = cycle.engine.value(of: path) { return value }
    guard let entry = cycle.engine.entry(path.control) else {
      throw .unknownControl(path.control, cycle.engine)
    }
    let known = (entry.control.properties + ["enabled", "visible"]).joined(separator: ", ")
    throw .invalid(
      "\(path.control) has no property \"\(path.property.prefix(100))\" (expected one of \(known))")
  }

  private func wait(
    _ property: PropertyPath?, _ value: JSONValue?, _ page: String?, _ input: String?,
    _ still: Bool, timeout: Double, _ reply: Reply
  ) throws(RemoteError) -> Method.Outcome {
    let given = JSONValue.array([value ?? .null, .string(page ?? ""), .string(input ?? "")])
    guard let bytes = given.memoryBytes(upTo: limits.maximumPatternBytes) else {
      throw RemoteError(
        exceeding: "maximumPatternBytes", limits.maximumPatternBytes,
        "what is waited for is too long", code: .invalidParameters)
    }
    switch (property, value.flatMap { ValuePattern($0) }, page, input, still) {
    case (let property?, let value?, nil, nil, false):
      _ = try self.value(of: property)
      return try wait(for: .property(property, value), bytes: bytes, timeout: timeout, reply)
    case (nil, nil, let page?, nil, false):
      guard cycle.engine.pages.contains(where: { $0.name == page }) else {
        throw .unknownPage(page, cycle.engine)
      }
      return try wait(for: .page(page), bytes: bytes, timeout: timeout, reply)
    case (nil, nil, nil, let input?, false):
      return try wait(for: .input(input), bytes: bytes, timeout: timeout, reply)
    case (nil, nil, nil, nil, true):
      return try wait(for: .still, bytes: bytes, timeout: timeout, reply)
    default:
      throw .invalid(
        "expected either \"property\" and \"value\", or \"page\", \"input\", or \"still\"")
    }
  }
}

extension RemoteError {
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
