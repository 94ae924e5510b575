// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations
internal import RoundelExpressions
internal import RoundelGeometry
internal import RoundelJSON
internal import Kiosk
internal import KioskFile
internal import RoundelSession

/// The goals of an expectation, and their time limit in seconds.
struct Goals: Sendable {
  var all: [Goal<Condition>]
  var within: Double?
}

extension Form where Value == Goals {
  private static var words: [String] {
    ["event", "events", "exactly", "no_event", "picture", "spoken", "page", "that", "within"]
  }

  /// `{control.property: value, …}`, `{page: name}` or `{that: expression}`, and `within`.
  static var goals: Form {
    Form(
      "a map {control.property: value}, {page: name} or {that: expression}", from: [.map],
      schema: { definitions in
        [
          "type": "object", "minProperties": 1,
          "properties": [
            "that": [
              "description": "The expression that must be true, as in a kiosk file.",
              "type": ["string", "boolean"],
            ],
            "page": Form<String>.page.schema(&definitions),
            "within": Form<Double>.seconds.schema(&definitions),
          ],
          "patternProperties": [
            "^[^./{}=]+\\..+$": Form<ValuePattern>.pattern.schema(&definitions),
            // A value, whose name can't be a key of expectations.
            "^(?!(\(Self.words.joined(separator: "|")))$)[A-Za-z_][A-Za-z0-9_]*$":
              Form<ValuePattern>.pattern.schema(&definitions),
            // A name that a `for` completes.
            "\\$": Form<ValuePattern>.pattern.schema(&definitions),
          ],
          "additionalProperties": false,
        ]
      },
      read: { node, reader in
        var goals = Goals(all: [])
        var isWhole = true
        for pair in node.pairs {
          let goal: Goal<Condition>?
          switch pair.key {
          case "within":
            goals.within = reader.inside(key: pair.key) {
              Form<Double>.seconds.read(pair.value, reader)
            }
            isWhole = isWhole && goals.within != nil
            continue
          case "that":
            goal = reader.inside(key: pair.key) { reader.suite.condition(pair.value) }
              .map { .that($0) }
          case "page":
            goal = reader.inside(key: pair.key) { Form<String>.page.read(pair.value, reader) }
              .map { .page($0) }
          case _ where !pair.key.contains(".") && !reader.suite.isValue(pair.key):
            reader.report(
              "unknown key \(pair.key.quoted) in \(reader.subject)", at: pair.keyMark,
              expected: "control.property, the name of a value, page, that or within",
              suggestion: Self.words.nearest(to: pair.key, by: reader))
            goal = nil
          default:
            let path = Form<Reference>.name(pair, reader)
            let pattern = reader.inside(key: pair.key) {
              Form<ValuePattern>.pattern.read(pair.value, reader)
            }
            goal = path.flatMap { path in pattern.map { .property(path, $0) } }
          }
          isWhole = isWhole && goal != nil
          if let goal { goals.all.append(goal) }
        }
        guard isWhole else { return nil }
        guard !goals.all.isEmpty else {
          reader.report(
            "\(reader.subject) is empty", at: node.mark,
            expected: "{control.property: value} or {page: name}")
          return nil
        }
        return goals
      })
  }
}

extension Form where Value == ValuePattern {
  static var pattern: Form {
    Form(
      "a value, {min: …, max: …}, {one_of: […]} or {not: …}", from: [.scalar, .list, .map],
      schema: { definitions in
        definitions.reference("value") { _ in
          [
            "description": "A value, {min: …, max: …}, {one_of: […]} or {not: …}",
            "type": ["string", "number", "boolean", "array", "object"],
          ]
        }
      },
      read: { node, reader in
        guard let pattern = ValuePattern(node) else {
          reader.report(
            "\(reader.subject) is not a valid expectation", at: node.mark,
            expected: "a value, {min: number, max: number}, {one_of: [value, …]} or {not: value}")
          return nil
        }
        return pattern
      })
  }
}

extension ValuePattern {
  /// Accepts a word such as `on` as a string or a flag.
  fileprivate init?(_ node: Node) {
    switch node.content {
    case .scalar:
      let values = node.values
      let texts = Set(values.map(\.display))
      guard let first = values.first else { return nil }
      self = texts.count == 1 ? .value(first) : .oneOf(values.map(ValuePattern.value))
    case .list(let items):
      let patterns = items.compactMap { ValuePattern($0) }
      guard patterns.count == items.count else { return nil }
      self = .list(patterns)
    case .map(let pairs):
      switch Set(pairs.map(\.key)) {
      case ["not"]:
        guard let pattern = ValuePattern(pairs[0].value) else { return nil }
        self = .not(pattern)
      case ["one_of"]:
        guard case .list(let patterns)? = ValuePattern(pairs[0].value), !patterns.isEmpty else {
          return nil
        }
        self = .oneOf(patterns)
      case ["min"], ["max"], ["min", "max"]:
        let ends = pairs.map { ($0.key, $0.value.number) }
        guard ends.allSatisfy({ $0.1?.isFinite == true }) else { return nil }
        self = .range(
          min: ends.first { $0.0 == "min" }?.1, max: ends.first { $0.0 == "max" }?.1)
      default:
        let members = pairs.compactMap { pair in
          ValuePattern(pair.value).map { Member(pair.key, $0) }
        }
        guard members.count == pairs.count, !members.isEmpty else { return nil }
        self = .record(members)
      }
    }
  }
}

extension EventPattern {
  static let fields = EventField.all.map(\.name)

  /// Reads an event such as `{event: settled, control: minutes, index: 45}` with `key` instead of
  /// `event`. `others` aren't part of it.
  fileprivate init?(_ node: Node, key: String, others: [String], _ reader: Reader) {
    let known = [key] + Self.fields + others
    // A custom event has fields with any names.
    let isOpen = node[key]?.text == "emit"
    var whole = true
    members = []
    for pair in node.pairs where !others.contains(pair.key) {
      guard isOpen || known.contains(pair.key) else {
        reader.report(
          "unknown key \(pair.key.quoted) in \(reader.subject)", at: pair.keyMark,
          expected: known.alternatives, suggestion: known.nearest(to: pair.key, by: reader))
        whole = false
        continue
      }
      let pattern = reader.inside(key: pair.key) {
        Form<ValuePattern>.pattern.read(pair.value, reader)
      }
      whole = whole && pattern != nil
      guard let pattern, !(pair.key == key && pair.value.text == "any") else { continue }
      members.append(.init(pair.key == key ? "event" : pair.key, pattern))
    }
    func word(_ key: String) -> String? { node[key]?.text }
    reader.suite.check(
      event: word(key) == "any" ? nil : word(key), of: word("control"), at: node.mark)
    guard whole else { return nil }
  }

  /// The schema of an event. Custom events have fields with any names.
  fileprivate static func schema(
    _ key: String, _ others: [JSONValue.Member], _ definitions: inout Definitions
  ) -> JSONValue {
    let value = Form<ValuePattern>.pattern.schema(&definitions)
    let known: JSONValue = [
      "properties": .object(([key] + fields).map { .init($0, value) } + others),
      "additionalProperties": false,
    ]
    return [
      "type": "object", "required": [.string(key)],
      "if": ["properties": .object([.init(key, ["const": "emit"])])],
      "then": ["properties": .object(others), "additionalProperties": value],
      "else": known,
    ]
  }
}

extension Form where Value == StepAction {
  /// A map whose kind one of its keys determines.
  static var expect: Form {
    Form(
      "an expectation, such as {page: NAME}", from: [.map],
      schema: { definitions in
        definitions.reference("expectation") { definitions in
          // This lets a validator report a specific error.
          let kinds = Form<Expectation>.kinds(&definitions)
          let states = Form<Goals>.goals.schema(&definitions)
          let choice = kinds.reversed().reduce(states) { rest, kind in
            rest.unless(["required": [.string(kind.name)]], then: kind.value)
          }
          return JSONValue.object([
            .init("description", "The expectation: an event, no event, a state or a picture."),
            .init("type", "object"),
          ]).with(choice)
        }
      },
      read: { node, reader in
        let expectation: Expectation? =
          if node["event"] != nil {
            Form<Expectation>.event(node, reader)
          } else if node["no_event"] != nil {
            Form<Expectation>.noEvent(node, reader)
          } else if node["events"] != nil {
            Form<Expectation>.events("events", node, reader)
          } else if node["exactly"] != nil {
            Form<Expectation>.events("exactly", node, reader)
          } else if node["picture"] != nil {
            PictureExpectation.table.form.read(node, reader).map(Expectation.picture)
          } else if node["spoken"] != nil {
            Form<Expectation>.spoken(node, reader)
          } else {
            Form<Goals>.goals.read(node, reader).map { .state($0.all, within: $0.within ?? 0) }
          }
        return expectation.map(StepAction.expect)
      })
  }
}

extension Form where Value == Expectation {
  /// Seconds by default for an expected event.
  private static let timeout = 5.0
  /// Seconds by default without an event.
  private static let silence = 0.3

  private static func seconds(
    _ key: String, _ otherwise: Double, _ node: Node, _ reader: Reader
  ) -> Double? {
    guard let given = node[key] else { return otherwise }
    return reader.inside(key: key) { Form<Double>.seconds.read(given, reader) }
  }

  fileprivate static func event(_ node: Node, _ reader: Reader) -> Expectation? {
    let pattern = EventPattern(node, key: "event", others: ["within"], reader)
    let within = seconds("within", timeout, node, reader)
    guard let pattern, let within else { return nil }
    return .event(pattern, within: within)
  }

  fileprivate static func noEvent(_ node: Node, _ reader: Reader) -> Expectation? {
    let pattern = EventPattern(node, key: "no_event", others: ["during"], reader)
    let during = seconds("during", silence, node, reader)
    guard let pattern, let during else { return nil }
    return .noEvent(pattern, during: during)
  }

  fileprivate static func spoken(_ node: Node, _ reader: Reader) -> Expectation? {
    let keys = ["spoken", "within"]
    for pair in node.pairs where !keys.contains(pair.key) {
      reader.report(
        "unknown key \(pair.key.quoted) in \(reader.subject)", at: pair.keyMark,
        expected: keys.alternatives, suggestion: keys.nearest(to: pair.key, by: reader))
    }
    let text = node["spoken"].flatMap { node in
      reader.inside(key: "spoken") {
        Form<String>.word("a string, or a part of it").read(node, reader)
      }
    }
    guard let text, let within = seconds("within", timeout, node, reader) else { return nil }
    return .spoken(text, within: within)
  }

  /// Reads `events`, which may have the flag `exactly`, or the key `exactly` itself.
  fileprivate static func events(
    _ key: String, _ node: Node, _ reader: Reader
  ) -> Expectation? {
    let keys = [key, "control", "within"] + (key == "events" ? ["exactly"] : [])
    for pair in node.pairs where !keys.contains(pair.key) {
      reader.report(
        "unknown key \(pair.key.quoted) in \(reader.subject)", at: pair.keyMark,
        expected: keys.alternatives, suggestion: keys.nearest(to: pair.key, by: reader))
    }
    let control = node["control"]?.text
    reader.suite.check(event: nil, of: control, at: node["control"]?.mark ?? node.mark)
    let one = Form<EventPattern>(
      "an event's name, or a map {event: name, …}", from: [.scalar, .map],
      schema: { _ in [:] },
      read: { node, reader in
        guard let name = node.text else {
          return EventPattern(node, key: "event", others: [], reader)
        }
        reader.suite.check(event: name, of: control, at: node.mark)
        return EventPattern(members: [.init("event", .value(.text(name)))])
      })
    let list = node[key].flatMap { list in
      reader.inside(key: key) { one.list(atLeast: 0, "events").read(list, reader) }
    }
    var isExact: Bool? = key == "exactly"
    if key == "events", let flag = node["exactly"] {
      isExact = reader.inside(key: "exactly") { Form<Bool>.flag.read(flag, reader) }
    }
    guard let list, let isExact, let within = seconds("within", timeout, node, reader) else {
      return nil
    }
    // An empty list always means that no events may occur.
    return .events(list, control: control, within: within, isExact: isExact || list.isEmpty)
  }

  fileprivate static func kinds(_ definitions: inout Definitions) -> [JSONValue.Member] {
    let seconds = Form<Double>.seconds.schema(&definitions)
    let plain = EventPattern.schema("event", [], &definitions)
    let list: JSONValue = [
      "type": "array", "items": plain.unless(["type": "string"]),
    ]
    func events(_ key: String, _ others: [JSONValue.Member]) -> JSONValue {
      [
        "type": "object",
        "properties": .object(
          [
            .init(key, list), .init("control", Form<String>.textSchema), .init("within", seconds),
          ] + others),
        "required": [.string(key)], "additionalProperties": false,
      ]
    }
    return [
      .init("event", EventPattern.schema("event", [.init("within", seconds)], &definitions)),
      .init("no_event", EventPattern.schema("no_event", [.init("during", seconds)], &definitions)),
      .init("events", events("events", [.init("exactly", ["type": "boolean"])])),
      .init("exactly", events("exactly", [])),
      .init("picture", PictureExpectation.table.form.schema(&definitions)),
      .init(
        "spoken",
        [
          "type": "object",
          "properties": .object([
            .init(
              "spoken",
              JSONValue.object([
                .init("description", "A spoken sentence, or a part of it.")
              ]).with(Form<String>.textSchema)), .init("within", seconds),
          ]),
          "required": ["spoken"], "additionalProperties": false,
        ]),
    ]
  }
}

extension PictureExpectation {
  static let table = Table<PictureExpectation>(
    "picture", "The expected picture, from the goldens folder."
  ) { keys in
    let name = keys.required("picture", .pictureName, "The picture's name. Its size is added.")
    let region = keys.optional(
      "region", .region, "The compared region. The default is the complete picture.")
    let difference = keys.optional(
      "difference", .integer(0...255), default: 0,
      "The permitted difference of a pixel's red, green or blue.")
    let pixels = keys.optional(
      "pixels", .integer(0...1_000_000_000), default: 0,
      "The permitted number of pixels with a larger difference.")
    let isStill = keys.optional(
      "still", .flag, default: true,
      "Whether to wait until nothing moves. Otherwise, the picture is compared immediately.")
    let within = keys.optional(
      "within", .seconds,
      "The maximum wait in seconds. The default is the remaining time of the test.")
    return { fields in
      PictureExpectation(
        name: fields[name], region: fields[region],
        tolerance: Tolerance(difference: fields[difference], pixels: fields[pixels]),
        isStill: fields[isStill], within: fields[within])
    }
  }
}
