// SPDX-License-Identifier: MIT

internal import Controls
internal import Declarations
internal import Geometry
internal import JSON
internal import Session

extension Table where Value == TestSuite {
  /// The whole file.
  static let suite = Table("suite", "A suite: the tests of one kiosk.") { keys in
    let name = keys.required("suite", .word("a name"), "The suite's name.")
    // Before the kiosk, whose layout depends on the size.
    let size = keys.optional(
      "size", .canvas, "The panel's pixels where the kiosk runs headless; its design size.")
    // Before the other keys, whose names are looked up in the kiosk.
    let kiosk = keys.required("kiosk", .kiosk, "The kiosk's file, relative to this one.")
    let seed = keys.optional(
      "seed", .integer(0...Int(Int32.max)), default: 0, "What chance begins with.")
    let timeout = keys.optional(
      "timeout", .timeout, default: 30, "Seconds that a test may take.")
    let goldens = keys.optional(
      "goldens", .word("a folder"), default: "goldens",
      "The folder of the expected pictures, relative to this file.")
    let setup = keys.optional(
      "setup", Form<Step>.step.list(atLeast: 0, "steps"), default: [],
      "What is done before each test, on a kiosk that is as after its start.")
    let tests = keys.required("tests", Form<[TestDraft]>.test.list("tests"), "The tests.")
    return { fields in
      // Each test has its own copy of the setup.
      let testCount = fields[tests].reduce(0) { $0 + $1.count }
      let (count, isTooLarge) = fields[setup].count.multipliedReportingOverflow(by: testCount)
      guard !isTooLarge, fields.reader.suite.makeRoom(for: count) else {
        return fields.mistake(
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

/// The maximum number of touches in a test. All of them are kept for its recording, about 15 minutes of movement.
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
        "up to here the test has \(count) touches, \(Int(Touch.reportsPerSecond)) in each second of a "
          + "finger's way",
        at: Mark(line: step.line, column: step.column), expected: "at most \(maximumTouches)")
      return false
    }
  }
  return true
}

/// A test from the file, without the properties of its suite.
struct TestDraft: Sendable {
  var name: String
  var line = 1
  var tags: [String]
  var timeout: Double?
  var seed: Int?
  var isHeadlessOnly: Bool
  var steps: [Step]

  fileprivate static let table = Table<TestDraft>("test", "One test, or one for each case.") {
    keys in
    let name = keys.required(
      "test", .word("what is tested, in words"), "What is tested, in words; unique in the file.")
    let tags = keys.optional(
      "tags", Form<String>.word("a word").list(atLeast: 0, "words"), default: [],
      "Words by which tests can be chosen.")
    _ = keys.optional(
      "for", LoopParameters.form,
      "Values for $names in this test, which is done once for each: a list for each name.")
    _ = keys.optional(
      "as", .parameterName, "A name for each case, whose values are then those of $name.value.")
    _ = keys.optional(
      "if", .word("an expression of constants"),
      "Whether the test is done, as \"$index > 0\" in a \"for\".")
    let timeout = keys.optional("timeout", .timeout, "Seconds that it may take; the suite's.")
    let seed = keys.optional(
      "seed", .integer(0...Int(Int32.max)), "What chance begins with; the suite's.")
    let only = keys.optional(
      "only", .choice(["headless": true]), "Where it makes sense, if not everywhere.")
    let steps = keys.required("steps", Form<Step>.step.list("steps"), "What it does, in order.")
    return { fields in
      TestDraft(
        name: fields[name], tags: fields[tags], timeout: fields[timeout], seed: fields[seed],
        isHeadlessOnly: fields[only] ?? false, steps: fields[steps])
    }
  }
}

extension Form where Value == [TestDraft] {
  /// A test, which is read once for each of its cases.
  static let test = Form(
    TestDraft.table.form.expected, from: [.map], objects: TestDraft.table.form.objects,
    schema: TestDraft.table.form.schema,
    read: { node, reader in
      guard let cases = cases(of: node, reader) else { return nil }
      var bare = node
      bare.content = .map(node.pairs.filter { !["for", "as", "if"].contains($0.key) })
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
        let filled = parameters.filled(bare, reader)
        guard var draft = TestDraft.table.form.read(filled, reader) else {
          isWhole = false
          continue
        }
        // If the name is the same in all cases, append the case's parameters.
        if draft.name == written, !parameters.values.isEmpty {
          draft.name += " (\(parameters.summary))"
        }
        draft.line = node.mark.line
        reader.suite.add(test: draft.name, at: node["test"]?.mark ?? node.mark)
        drafts.append(draft)
      }
      return isWhole ? drafts : nil
    })

  /// A limit on the number of values in all cases of a test.
  private static let greatestWeight = 1_000_000

  private static func cases(of node: Node, _ reader: Reader) -> [LoopParameters]? {
    guard let given = node["for"] else { return [.none] }
    guard let cases = LoopParameters.cases(given, as: node["as"], reader) else { return nil }
    // Each value in the test may be a parameter, so assume the parameter's size for each.
    let bare = node.weight - given.weight
    let weight = cases.reduce(0) { sum, parameters in
      sum + bare * parameters.values.reduce(1) { $0 + $1.node.weight - 1 }
    }
    guard weight > greatestWeight else { return cases }
    reader.report("with all its cases the test holds too many values", at: given.mark)
    return nil
  }
}

extension Form where Value == Double {
  fileprivate static var timeout: Form { number(0.1...86_400, "seconds") }
}

extension Form where Value == PixelSize {
  /// The canvas size of the tested kiosk.
  fileprivate static var canvas: Form {
    Form<Int>.integer(16...7680).pair("a size [width, height]").compactMap { pair, _, reader in
      let size = PixelSize(pair.first, pair.second)
      reader.suite.size = size
      return size
    }
  }
}

extension Form where Value == String {
  /// The path of a testable kiosk.
  fileprivate static var kiosk: Form {
    word("the name of a kiosk file").compactMap { name, node, reader in
      reader.suite.kiosk(name, at: node.mark)
    }
  }
}
