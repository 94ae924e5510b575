// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations
internal import RoundelExpressions
internal import RoundelGeometry
internal import RoundelJSON
internal import Kiosk
internal import KioskFile
internal import RoundelSession

extension Step {
  typealias Maker = @Sendable (Mark) -> [Step]

  static let verbs: [Verb<Maker>] =
    fingers
    + SuiteReader.verbs(CommandKind.remote).map { verb in
      Verb(
        verb.name, verb.summary,
        verb.form.map { maker(of: $0.compactMap(\.command).map(StepAction.command)) })
    } + others

  fileprivate static func maker(of actions: [StepAction]) -> Maker {
    { mark in
      actions.map { Step(line: mark.line, column: mark.column, action: $0) }
    }
  }

  private static let fingers: [Verb<Maker>] = [
    Verb("tap", "Taps a control, an item or a point: CONTROL, CONTROL/ITEM or [x, y].", .tap),
    Verb("type", "Types text by tapping the keys of a keypad.", .type),
    Verb("drag", "Drags a finger, rests, and lifts it.", Stroke.drag.form.map { .touch([$0]) }),
    Verb("fling", "Drags a finger and lifts it in motion.", Stroke.fling.form.map { .touch([$0]) }),
    Verb(
      "touch", "Touches with several fingers at the same time.",
      Stroke.finger.form.list(atMost: 10, "fingers").map { .touch($0) }),
    Verb("press", "Puts a finger down and keeps it down.", .press),
    Verb("move", "Moves a finger that is down.", StepAction.move.form),
    Verb("release", "Lifts a finger, or all fingers.", .release),
  ]

  private static let others: [Verb<Maker>] = [
    Verb("repeat", "Repeats steps.", .table("times and steps") { rounds }),
    Verb(
      "clock", "Sets the wall clock, which continues from there. Only available headless.", .clock),
    Verb("wait", "Waits for some seconds, for a condition, or until nothing moves.", .wait),
    Verb("shot", "Saves the current picture as an artifact.", .shot),
    Verb("expect", "Expects an event, a state or a picture.", .expect),
  ]
}

extension Verb where Value == Step.Maker {
  fileprivate init(_ name: String, _ summary: String, _ form: Form<StepAction>) {
    self.init(name, summary, form.map { Step.maker(of: [$0]) })
  }
}

extension Step {
  /// Includes all rounds.
  static let maximumCount = 100_000
  /// The maximum for all rounds and setups of a file.
  static let maximumExpandedCount = 10 * maximumCount

  private static let rounds: Table<Maker> = Table("repeat", "Repeated steps.") {
    keys in
    let times = keys.required("times", .integer(1...maximumCount), "The number of repetitions.")
    let steps = keys.required("steps", Form<Step>.step.list("steps"), "The steps, in order.")
    return { fields in
      let (count, round) = (fields[times], fields[steps])
      guard count <= maximumCount / max(round.count, 1) else {
        return fields.error(
          "\(count) times \(round.count) steps are too many", at: times,
          expected: "at most \(maximumCount) steps in a test")
      }
      guard fields.reader.suite.makeRoom(for: count * round.count) else {
        return fields.error(
          "with these rounds, the file has too many steps", at: times,
          expected: "at most \(maximumExpandedCount)")
      }
      return { _ in
        (1...count).flatMap { number in
          round.map { step in
            var step = step
            step.rounds.insert(Round(number: number, count: count), at: 0)
            return step
          }
        }
      }
    }
  }
}

extension Form where Value == Step {
  /// A map with one key, which may create several steps.
  static let step: Form<[Step]> = {
    let makers = Form<Step.Maker>.verb("a step", example: "{tap: control/item}", Step.verbs)
    return Form<[Step]>(
      makers.expected, from: makers.kinds,
      schema: { definitions in
        definitions.reference("step") { definitions in
          let head: JSONValue = ["description": "An action or expectation of a test."]
          let directives: [JSONValue.Member] = [
            .init("for", LoopParameters.form.schema(&definitions)),
            .init("as", Form<String>.parameterName.schema(&definitions)),
            .init("if", ["type": ["string", "boolean"]]),
          ]
          return head.with(makers.schema(&definitions).allowing(directives))
        }
      },
      read: { node, reader in makers.read(node, reader).map { $0(node.mark) } })
  }()
}

extension Form where Value == [Step] {
  func list(atLeast least: Int = 1, _ plural: String) -> Form<[Step]> {
    let lists: Form<[[Step]]> = list(atLeast: least, plural)
    return lists.map { $0.flatMap(\.self) }
  }

  /// Expands steps outside of tests, which expand theirs with their parameters.
  var expanded: Form {
    Form(
      expected, from: kinds, schema: schema,
      read: { node, reader in
        var expansion = StepExpansion(reader)
        return expansion.expanded(node, nil).flatMap { read($0, reader) }
      })
  }
}

// MARK: Touches

extension Form where Value == Double {
  static var seconds: Form { number(0...3_600, "seconds") }
}

extension Form where Value == Int {
  fileprivate static var finger: Form { integer(0...9) }
}

extension Form where Value == TouchPoint {
  /// `control`, `control/item` or `[x, y]`.
  static var place: Form {
    let text = Form<String>.word("CONTROL or CONTROL/ITEM")
    let target = Form(
      "CONTROL, CONTROL/ITEM", schema: text.schema,
      read: { node, reader in
        guard let name = text.read(node, reader) else { return nil }
        guard let target = Target(name) else {
          reader.report("\(name.quoted) is not a control", at: node.mark, expected: text.expected)
          return nil
        }
        reader.suite.look(for: target, at: node.mark)
        return TouchPoint.target(target)
      })
    return target.or(Form<Point>.point.map(TouchPoint.point))
  }
}

private struct DragPathKeys: Sendable {
  let to: Key<TouchPoint?>
  let by: Key<Point?>
  let around: Key<TouchPoint?>
  let turn: Key<Double?>

  init(_ keys: inout Keys) {
    to = keys.optional("to", .place, "The end of a straight path.")
    by = keys.optional("by", .point, "The offset [dx, dy] of a straight path, instead of `to`.")
    around = keys.optional("around", .place, "The centre of a circular path, instead of `to`.")
    turn = keys.optional("turn", .degrees, "The angle of a circular path, in degrees, clockwise.")
  }

  /// Reports an error and returns nil if the keys specify no path or several.
  func path(_ fields: Fields, mayStay: Bool) -> DragPath? {
    switch (fields[to], fields[by], fields[around], fields[turn]) {
    case (let place?, nil, nil, nil): .to(place)
    case (nil, let point?, nil, nil): .by(Vector(point.x, point.y))
    case (nil, nil, let place?, let degrees?): .around(place, degrees: degrees)
    case (nil, nil, nil, nil) where mayStay: DragPath.none
    default:
      fields.error(
        "the finger's path is unclear", at: to,
        expected: "one of to, by, or around with turn")
    }
  }
}

extension Stroke {
  fileprivate static let drag = table("drag", during: 0.3, hold: 0.2)
  fileprivate static let fling = table("fling", during: 0.1, hold: 0)

  private static func table(_ name: String, during: JSONValue, hold: JSONValue) -> Table<Stroke> {
    Table(name, "A finger's path.") { keys in
      let from = keys.required("from", .place, "The starting point.")
      let path = DragPathKeys(&keys)
      let during = keys.optional(
        "during", .seconds, default: during, "The duration of the movement, in seconds.")
      let hold = keys.optional(
        "hold", .seconds, default: hold, "Seconds of rest before the finger is lifted.")
      return { fields in
        path.path(fields, mayStay: false).map {
          Stroke(
            start: fields[from], path: $0, after: 0, during: fields[during], hold: fields[hold])
        }
      }
    }
  }

  fileprivate static let finger = Table<Stroke>("finger", "One of several fingers.") { keys in
    let from = keys.required("from", .place, "The starting point.")
    let path = DragPathKeys(&keys)
    let after = keys.optional(
      "after", .seconds, default: 0, "Seconds until the finger touches the panel.")
    let during = keys.optional(
      "during", .seconds, default: 0.3,
      "The duration of the movement, in seconds, if the finger moves.")
    let hold = keys.optional(
      "hold", .seconds, default: 0.08, "Seconds of rest before the finger is lifted.")
    return { fields in
      path.path(fields, mayStay: true).map { path in
        Stroke(
          start: fields[from], path: path, after: fields[after],
          during: path == .none ? 0 : fields[during], hold: fields[hold])
      }
    }
  }

  fileprivate static let tap = Table<Stroke>("tap", "A touch with one finger.") { keys in
    let at = keys.required("at", .place, "The position.")
    let hold = keys.optional("for", .seconds, default: 0.08, "Seconds until the finger is lifted.")
    return { fields in
      Stroke(start: fields[at], path: .none, after: 0, during: 0, hold: fields[hold])
    }
  }
}

extension StepAction {
  fileprivate static let typing = Table<StepAction>("type", "Text for one of several keypads.") {
    keys in
    let text = keys.required("text", .text, "The text to type.")
    let control = keys.required("control", .keypad, "The keypad's id.")
    return { fields in .type(fields[text], control: fields[control]) }
  }

  fileprivate static let press = Table<StepAction>("press", "A finger that stays down.") { keys in
    let at = keys.required("at", .place, "The position.")
    let finger = keys.optional("finger", .finger, default: 0, "The finger's number.")
    return { fields in .press(finger: fields[finger], fields[at]) }
  }

  fileprivate static let move = Table<StepAction>("move", "A finger's movement.") { keys in
    let path = DragPathKeys(&keys)
    let during = keys.optional(
      "during", .seconds, default: 0.2, "The duration of the movement, in seconds.")
    let finger = keys.optional("finger", .finger, default: 0, "The finger's number.")
    return { fields in
      path.path(fields, mayStay: false).map {
        .move(finger: fields[finger], $0, during: fields[during])
      }
    }
  }
}

extension Form where Value == StepAction {
  fileprivate static var tap: Form {
    Form<TouchPoint>.place
      .map(Stroke.tap)
      .or(Stroke.tap.form).map { .touch([$0]) }
  }

  fileprivate static var type: Form {
    Form<String>.text.map { StepAction.type($0, control: nil) }.or(StepAction.typing.form)
  }

  fileprivate static var press: Form {
    Form<TouchPoint>.place.map { StepAction.press(finger: 0, $0) }.or(StepAction.press.form)
  }

  fileprivate static var release: Form {
    Form<Int>.finger.map { StepAction.release(finger: $0) }.or(
      Form(
        "no value, for all fingers", from: [.nothing], schema: { _ in ["type": "null"] },
        read: { _, _ in .release(finger: nil) }))
  }

  /// A time such as `2026-11-21T08:00:00`.
  fileprivate static var clock: Form {
    let text = Form<String>.word("a time such as \"2026-11-21T08:00:00\"")
    return Form(
      text.expected, schema: { _ in ["type": "string"] },
      read: { node, reader in
        guard let word = text.read(node, reader) else { return nil }
        guard let time = CivilTime(word) else {
          reader.report(
            "\(reader.subject) is \(node.summary)", at: node.mark, expected: text.expected)
          return nil
        }
        return .clock(time)
      })
  }

  fileprivate static var shot: Form {
    Form<String>.pictureName.map { StepAction.shot($0, region: nil) }.or(shotTable.form)
  }

  private static let shotTable = Table<StepAction>("shot", "A picture to save.") { keys in
    let name = keys.required("name", .pictureName, "The picture's name.")
    let region = keys.optional(
      "region", .region, "The region of the picture. The default is the complete picture.")
    return { fields in .shot(fields[name], region: fields[region]) }
  }

  fileprivate static var wait: Form {
    Form(
      "seconds, still, or a map {control.property: value}, {page: name} or {that: expression}",
      from: [.scalar, .map],
      schema: { definitions in
        [
          "anyOf": [
            Form<Double>.seconds.schema(&definitions), ["const": "still"],
            Form<Goals>.goals.schema(&definitions),
          ]
        ]
      },
      read: { node, reader in
        if node.text == "still" { return .wait([.still], within: nil) }
        if node.kind == .map {
          return Form<Goals>.goals.read(node, reader).map { .wait($0.all, within: $0.within) }
        }
        return Form<Double>.seconds.read(node, reader).map { .pause(seconds: $0) }
      })
  }
}

// MARK: Names

extension Form where Value == String {
  static var page: Form {
    let name = word("the name of a page")
    return Form(
      name.expected, schema: name.schema,
      read: { node, reader in
        guard let page = name.read(node, reader) else { return nil }
        reader.suite.found(at: node.mark) { (engine) throws(UnknownName) in
          try engine.find(page: page)
        }
        return page
      })
  }

  fileprivate static var keypad: Form {
    let id = word("the id of a keypad")
    return Form(
      id.expected, schema: id.schema,
      read: { node, reader in
        guard let keypad = id.read(node, reader) else { return nil }
        let names = reader.suite.found(at: node.mark) { (engine) throws(UnknownName) in
          try engine.find(control: keypad)
        }
        if let names, names.kind != "keypad" {
          reader.report(
            "\(keypad.quoted) is a \(names.kind)", at: node.mark, expected: id.expected)
          return nil
        }
        return keypad
      })
  }

  /// Excludes the size and extension.
  static var pictureName: Form {
    let expected = "a name without /, @ and control characters"
    return Form(
      expected, schema: { _ in textSchema.with(["pattern": "^[^/@]+$"]) },
      read: { node, reader in
        var text = node.text ?? ""
        if text.hasSuffix(".png") { text.removeLast(4) }
        let isSafe = text.unicodeScalars.allSatisfy { $0.value >= 32 && $0 != "/" && $0 != "@" }
        guard !text.isEmpty, !text.hasPrefix("."), text.utf8.count <= 200, isSafe else {
          reader.report(
            "\(node.summary) is not a picture name", at: node.mark, expected: expected)
          return nil
        }
        return text
      })
  }
}

extension Form where Value == Reference {
  /// Reports an error if the name doesn't exist.
  static func name(_ pair: Node.Pair, _ reader: Reader) -> Reference? {
    guard let name = Reference(pair.key) else {
      reader.report(
        "\(pair.key.quoted) is not a property", at: pair.keyMark,
        expected: "control.property, or the name of a value")
      return nil
    }
    reader.suite.found(at: pair.keyMark) { (engine) throws(UnknownName) in
      try engine.kind(named: name)
    }
    return name
  }
}

extension Form where Value == Rect {
  /// A control, or `[x, y, width, height]`.
  static var region: Form {
    let control: Form = Form<String>.word("the id of a control").compactMap { id, node, reader in
      reader.suite.extent(of: id, at: node.mark)
    }
    let numbers = Form<Double>.coordinate.list(atLeast: 4, "x, y, width and height")
    let expected = "a region [x, y, width, height]"
    let rect = Form(
      expected, from: [.list],
      schema: { definitions in
        [
          "type": "array", "minItems": 4, "maxItems": 4,
          "items": Form<Double>.coordinate.schema(&definitions),
        ]
      },
      read: { node, reader in
        guard let n = numbers.read(node, reader) else { return nil }
        guard n.count == 4, n[2] >= 1, n[3] >= 1 else {
          reader.report("\(reader.subject) is not a region", at: node.mark, expected: expected)
          return nil
        }
        return Rect(origin: Point(n[0], n[1]), size: Size(n[2], n[3]))
      })
    return control.or(rect)
  }
}

extension Form where Value == Point {
  fileprivate static var point: Form {
    Form<Double>.coordinate.pair("a point [x, y]").map { Point($0.first, $0.second) }
  }
}
