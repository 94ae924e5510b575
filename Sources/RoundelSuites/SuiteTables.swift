// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations
internal import RoundelGeometry
internal import RoundelJSON
internal import RoundelSession

extension Table where Value == TestSuite {
  static let suite = Table("suite", "A suite of tests for one kiosk.") { keys in
    let name = keys.required("suite", .word("a name"), "The suite's name.")
    // Read before the kiosk, whose layout depends on the size.
    let size = keys.optional(
      "size", .canvas,
      "The panel's size in pixels if the kiosk runs headless. The default is the design size.")
    // Read before the other keys, whose names are looked up in the kiosk.
    let kiosk = keys.required("kiosk", .kiosk, "The kiosk's file, relative to this one.")
    let seed = keys.optional(
      "seed", .integer(0...Int(Int32.max)), default: 0, "The random seed.")
    let timeout = keys.optional(
      "timeout", .timeout, default: 30, "The maximum duration of a test, in seconds.")
    let goldens = keys.optional(
      "goldens", .word("a folder"), default: "goldens",
      "The folder with the expected pictures, relative to this file.")
    let setup = keys.optional(
      "setup", Form<Step>.step.list(atLeast: 0, "steps").expanded, default: [],
      "The steps before each test, on a kiosk in its initial state.")
    let tests = keys.required("tests", Form<[TestDraft]>.test.list("tests"), "The tests.")
    return { fields in
      // Each test has its own copy of the setup.
      let testCount = fields[tests].reduce(0) { $0 + $1.count }
      let (count, isTooLarge) = fields[setup].count.multipliedReportingOverflow(by: testCount)
      guard !isTooLarge, fields.reader.suite.makeRoom(for: count) else {
        return fields.error(
          "the setup of \(testCount) tests has too many steps", at: setup,
          expected: "at most \(Step.maximumExpandedCount) for all of them")
      }
      for draft in fields[tests].joined() {
        guard isBounded(fields[setup] + draft.steps, fields.reader) else { return nil }
      }
      return TestSuite(
        name: fields[name], file: fields.reader.file, kiosk: fields[kiosk],
        size: fields[size],
        goldens: fields.reader.resolve(fields[goldens]),
        tests: fields[tests].flatMap(\.self).map { draft in
          TestCase(
            name: draft.name, line: draft.line, tags: draft.tags,
            timeout: draft.timeout ?? fields[timeout], seed: UInt64(draft.seed ?? fields[seed]),
            isHeadlessOnly: draft.isHeadlessOnly, steps: fields[setup] + draft.steps)
        })
    }
  }
}

/// A limit of about 14 minutes of movement, all kept for the recording.
private let maximumTouches = 100_000

private func isBounded(_ steps: [Step], _ reader: Reader) -> Bool {
  if steps.count > Step.maximumCount, let last = steps.last {
    reader.report(
      "the test has \(steps.count) steps in all its rounds",
      at: Mark(line: last.line, column: last.column), expected: "at most \(Step.maximumCount)")
    return false
  }
  var count = 0
  for step in steps {
    count += step.action.touchCount
    guard count <= maximumTouches else {
      reader.report(
        "up to here, the test has \(count) touches, \(Int(Touch.reportsPerSecond)) per second of a "
          + "finger's movement",
        at: Mark(line: step.line, column: step.column), expected: "at most \(maximumTouches)")
      return false
    }
  }
  return true
}

/// A test without the properties of its suite.
struct TestDraft: Sendable {
  var name: String
  var line = 1
  var tags: [String]
  var timeout: Double?
  var seed: Int?
  var isHeadlessOnly: Bool
  var steps: [Step]

  fileprivate static let table = Table<TestDraft>("test", "A test, or one test for each case.") {
    keys in
    let name = keys.required(
      "test", .word("a description of the test"), "A description of the test, unique in the file.")
    let tags = keys.optional(
      "tags", Form<String>.word("a word").list(atLeast: 0, "words"), default: [],
      "Words for selecting tests.")
    _ = keys.optional(
      "for", LoopParameters.form,
      "The values of $names in this test, as a list for each name. The test runs once for each case."
    )
    _ = keys.optional(
      "as", .parameterName, "A name for each case, whose values are then written as $name.value.")
    _ = keys.optional(
      "if", .word("an expression of constants"),
      "The condition for running the test, such as \"$index > 0\" in a \"for\".")
    let timeout = keys.optional(
      "timeout", .timeout, "The maximum duration in seconds. The default is the suite's.")
    let seed = keys.optional(
      "seed", .integer(0...Int(Int32.max)), "The random seed. The default is the suite's.")
    let only = keys.optional(
      "only", .choice(["headless": true]), "The only environment for the test.")
    let steps = keys.required("steps", Form<Step>.step.list("steps"), "The steps, in order.")
    return { fields in
      TestDraft(
        name: fields[name], tags: fields[tags], timeout: fields[timeout], seed: fields[seed],
        isHeadlessOnly: fields[only] ?? false, steps: fields[steps])
    }
  }
}

extension Form where Value == [TestDraft] {
  /// A test, which is read once for each case.
  static let test = Form(
    TestDraft.table.form.expected, from: [.map], objects: TestDraft.table.form.objects,
    schema: TestDraft.table.form.schema,
    read: { node, reader in
      guard let cases = cases(of: node, reader) else { return nil }
      let bare = node.without("for", "as", "if", "steps")
      let written = node["test"]?.text
      var drafts: [TestDraft] = []
      var isWhole = true
      for parameters in cases {
        if let condition = node["if"] {
          guard let isWanted = parameters.holds(condition, reader) else {
            isWhole = false
            continue
          }
          guard isWanted else { continue }
        }
        var expansion = StepExpansion(reader)
        let steps = node.pairs.first { $0.key == "steps" }.map { pair in
          expansion.expanded(pair.value, parameters).map {
            Node.Pair(key: pair.key, keyMark: pair.keyMark, value: $0)
          }
        }
        if case .some(nil) = steps {
          isWhole = false
          continue
        }
        let others = parameters.filled(bare, reader)
        let filled = Node(.map(others.pairs + [steps ?? nil].compactMap(\.self)), at: node.mark)
        guard var draft = TestDraft.table.form.read(filled, reader) else {
          isWhole = false
          continue
        }
        // A name without parameters gets the case's parameters.
        if draft.name == written, !parameters.values.isEmpty {
          draft.name += " (\(parameters.summary))"
        }
        draft.line = node.mark.line
        reader.suite.add(test: draft.name, at: node["test"]?.mark ?? node.mark)
        drafts.append(draft)
      }
      return isWhole ? drafts : nil
    })

  /// The number of values in all cases of a test.
  private static let greatestWeight = 1_000_000

  private static func cases(of node: Node, _ reader: Reader) -> [LoopParameters]? {
    guard let given = node["for"] else { return [.none] }
    guard let cases = LoopParameters.cases(given, as: node["as"], reader) else { return nil }
    // Each value in the test may be a parameter.
    let bare = node.weight - given.weight
    let weight = cases.reduce(0) { sum, parameters in
      sum + bare * parameters.values.reduce(1) { $0 + $1.node.weight - 1 }
    }
    guard weight > greatestWeight else { return cases }
    reader.report("with all its cases, the test contains too many values", at: given.mark)
    return nil
  }
}

extension Form where Value == Double {
  fileprivate static var timeout: Form { number(0.1...86_400, "seconds") }
}

extension Form where Value == PixelSize {
  fileprivate static var canvas: Form {
    Form<Int>.integer(16...7680).pair("a size [width, height]").compactMap { pair, _, reader in
      let size = PixelSize(pair.first, pair.second)
      reader.suite.size = size
      return size
    }
  }
}

extension Form where Value == String {
  fileprivate static var kiosk: Form {
    word("the name of a kiosk file").compactMap { name, node, reader in
      reader.suite.kiosk(name, at: node.mark)
    }
  }
}
