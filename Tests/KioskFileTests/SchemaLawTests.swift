// SPDX-License-Identifier: MIT

import RoundelJSON
import Kiosk
import SchemaValidator
import TestSupport
import Testing
import RoundelDeclarations

@testable import KioskFile

/// The schema and the reader both describe the language: the schema accepts whatever the reader
/// accepts.
@Suite struct SchemaLawTests {
  /// Actions of all kinds, on a page `p` with a menu `m` and slots `s`, and a page `o` over it.
  private static let actions: [String: [JSONValue]] = [
    "go": ["p", "{t}"], "show": ["o", "{t}"],
    "notify": [
      "Tea", "{t}", ["text": "{n}"],
      ["text": "Tea", "title": "{t}", "level": "alarm", "seconds": "{n}"],
    ],
    "spin": ["s"], "open": ["m"], "close": ["m"], "play": ["a.wav"],
    "set": [
      ["n": 4], ["t": "{event.by}", "f": false], ["c.enabled": false], ["c.visible": "{f}"],
      ["m.items": [["id": "x"]]],
    ],
    "run": [["prog"], ["prog", "{t}", 4, true]],
    "emit": ["x", ["name": "x", "n": "{n}", "list": [1, "a"], "f": true]],
    "publish": [
      ["mqtt": "a/b"], ["mqtt": "a/{t}", "payload": "{n}", "retain": true, "qos": 1],
    ],
    "call": [
      "light.toggle",
      ["home": "light.{t}", "entity": "light.{t}", "data": ["a": "{n}", "b": [1, 2]]],
    ],
    "blank": [true, false], "wake": [true], "reset": ["m", "all"],
  ]
  private static let conditions: [JSONValue] = ["n > 1", "event.by == 'finger'", true, "f"]
  private static let delays: [JSONValue] = [0.5, 3]

  private static func action(_ random: inout SeededGenerator) -> JSONValue {
    let verb = CommandKind.actions.randomElement(using: &random)?.name ?? ""
    var members = [JSONValue.Member(verb, actions[verb]?.randomElement(using: &random) ?? .null)]
    if random.next() % 2 == 0 {
      members.append(.init("when", conditions.randomElement(using: &random) ?? true))
    }
    if random.next() % 3 == 0 {
      members.append(.init("after", delays.randomElement(using: &random) ?? 1))
    }
    return .object(members.shuffled(using: &random))
  }

  /// A random kiosk with a control.
  private static func kiosk(_ control: JSONValue, _ random: inout SeededGenerator) -> JSONValue {
    let actions: [JSONValue] = (0..<3).map { _ in action(&random) }
    return [
      "kiosk": "k", "roundel": 1, "theme": "night", "transition": ["slide": .null, "seconds": 0.3],
      "screen": [
        "size": [1280, 800], "rotate": 90, "home_after": 60, "panel": "10in", "mirror": "auto",
      ],
      "themes": [["night": ["accent": "#123456", "font_size": 20]]],
      "styles": ["text": ["bold": true, "text_color": "{t}"], "gold": ["label": "{t}"]],
      "values": ["n": 3, "t": "text", "f": true, "m1": ["value": 2, "min": 0, "unit": "°C"]],
      "languages": ["en", "de"], "texts": ["hello": ["en": "Hello", "de": "{n} Hallo"]],
      "on": ["started": .array(actions)],
      "pages": [
        [
          "page": "p", "grid": ["columns": 3, "rows": 2, "gap": 8], "background": "black",
          "on": ["shown": .array(actions)],
          "controls": [
            control,
            [
              "menu": "m", "at": [200, 200], "label": "{t}",
              "items": [["id": "x", "label": "X", "on": ["selected": .array(actions)]]],
            ],
            [
              "slots": "s", "at": [600, 600], "size": [300, 300],
              "reels": [["id": "r", "items": ["a", ["label": "b", "weight": 2]]]],
            ],
            [
              "button": "b", "cell": [2, 1], "style": "text",
              "on": ["pressed": .array(actions), "selected": .array([action(&random)])],
            ],
          ],
        ],
        [
          "page": "o", "over": true, "modal": true,
          "controls": [["label": "l", "at": [9, 9], "text": "x"]],
        ],
      ],
    ]
  }

  @Test(arguments: ControlType.all.map(\.name))
  func `the schema accepts whatever the reader accepts`(_ name: String) throws {
    #expect(Set(Self.actions.keys) == Set(CommandKind.actions.map(\.name)))
    let type = try #require(ControlType.named(name))
    let validator = Validator(KioskSchema.schema)
    var taken = 0
    for seed in Cases.of(3) {
      var maker = RandomControl(type, seed: UInt64(seed))
      let control = JSONValue.object(maker.members())
      for _ in 0..<40 {
        var document = ChangedDocument(Self.kiosk(control, &maker.random), isAssembled: true)
        for _ in 0..<Int.random(in: 0...3, using: &maker.random) {
          document.change(using: &maker.random)
        }
        let text = Array(document.value.text.utf8)
        let files = document.files.map { ("dir/\($0)", $1.text) }
        let reading = ParsedKiosk(
          text, path: "dir/k.yaml",
          assets: StubAssets(texts: Dictionary(files) { $1 }))
        guard reading.description != nil else { continue }
        taken += 1
        #expect(validator.problem(document.value) == nil, "\(document.value.text) \(files)")
      }
    }
    #expect(taken > 5 * Cases.of(3).count, "hardly any file was taken: \(taken)")
  }

  /// Errors that a schema can't express: names, positions in a grid, relations of numbers, the
  /// kinds of expressions and the first values of templates, such as "text 3", the lists of `set`,
  /// and this program's version.
  private static let reasonsBeyondSchema = [
    "there is no ", "duplicate ", "unknown name ", " is outside its grid", "not a constant",
    " has no string in ", " is bound to a ", "\"?\" takes ", "unexpected \"",
    "unexpected end of the expression", "\"when\" is ",
    " is set to ", "a brace inside an expression", "missing key \"id\" in menu_item",
    " is not a multiple of ", "needs Roundel ", "no such file", "shown over others",
    "\"modal\" without ", " is not a range: ", "one per band", "without a kind",
    " is out of range: ", "\"text 3\"",
    "a needle with ", " has the wrong type: a list (expected a string, a number, a flag, a list",
  ]

  @Test(arguments: ControlType.all.map(\.name))
  func `the reader rejects schema-valid files only for errors beyond a schema`(
    _ name: String
  ) throws {
    let type = try #require(ControlType.named(name))
    let validator = Validator(KioskSchema.schema)
    var suiting = 0
    for seed in Cases.of(3) {
      var maker = RandomControl(type, seed: UInt64(seed))
      let control = JSONValue.object(maker.members())
      for _ in 0..<100 {
        let kiosk = Self.kiosk(control, &maker.random)
        var document = ChangedDocument(kiosk, isAssembled: false)
        for _ in 0..<Int.random(in: 0...3, using: &maker.random) {
          document.change(using: &maker.random)
        }
        // Styles and values are checked where used, and a `for` elsewhere may fill in a `$name`.
        let text = document.value.text
        guard ["styles", "values"].allSatisfy({ document.value[$0] == kiosk[$0] }),
          !text.contains("$given"), validator.problem(document.value) == nil
        else { continue }
        suiting += 1
        let diagnostics = ParsedKiosk(
          Array(text.utf8), path: "dir/k.yaml", assets: StubAssets(texts: [:])
        ).diagnostics.filter { $0.severity == .error }
        for diagnostic in diagnostics {
          let isBeyond = Self.reasonsBeyondSchema.contains { diagnostic.message.contains($0) }
          #expect(isBeyond, "\(diagnostic.message): \(text)")
        }
      }
    }
    #expect(suiting > 10 * Cases.of(3).count, "hardly any file suits the schema: \(suiting)")
  }

  @Test(arguments: [
    (#"{"pinwheeel": "w", "at": [1, 2], "radius": 99, "wedges": [{"id": "a"}]}"#, "pinwheeel"),
    (#"{"at": [1, 2], "text": "x"}"#, "at"),
    (#"{"button": "b", "at": [1, 2], "size": [9, 9], "tetx": "x"}"#, "tetx"),
    (#"{"button": "b", "at": [1, 2], "size": [99, 99], "on": {"pressed": [{"goo": "p"}]}}"#, "goo"),
  ])
  func `the schema reports a misspelt key`(_ control: String, _ word: String) throws {
    let text = #"{"kiosk": "k", "pages": [{"page": "p", "controls": [\#(control)]}]}"#
    let problem = try #require(
      Validator(KioskSchema.schema).problem(try JSONValue(parsing: Array(text.utf8))))
    // For "anyOf", only the likely alternatives are reported.
    #expect(!problem.contains("anyOf") && problem.contains(word), "\(problem)")
    #expect(!problem.contains("pinwheel\""))
  }
}
