// SPDX-License-Identifier: MIT

import Foundation
import RoundelJSON
import TestSupport
import SchemaValidator
import Testing
import RoundelDeclarations
import RoundelYAML

@testable import KioskFile

/// Kiosk files for fuzzing.
enum Corpus {
  /// The included files.
  static let parts = [
    "s.yaml": "size: [800, 480]",
    "a.yaml": "- {label: $id, at: [1, 2], text: $text}\n- include: b.yaml\n",
    "b.yaml": "{for: {n: [1, 2]}, button: b_$id$n, at: [200, 200], size: [99, 99]}\n",
    "c.yaml": "- include: d.yaml\n", "d.yaml": "[{include: c.yaml}]", "e.yaml": "- {text: [",
  ]
  private static let assembled = """
    kiosk: k
    screen: {include: s.yaml}
    pages:
      - for: [{id: soup, text: "{1 + 1}"}, {id: salad, text: green}]
        page: $id
        controls:
          - {label: l_$id, at: [100, 100], text: "A {$id} of {$text == 'x' ? 1 : 2}"}
          - include: a.yaml
          - {for: {x: [1, 2], y: [3, 4]}, label: "t${x}_$y", at: [$x, $y], text: "{$x * $y}"}
    """

  static func all() throws -> [String] {
    let examples = repository.appending(path: "deploy/examples/kiosks")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: examples.path())) ?? []
    let files = try names.sorted().filter { $0.hasSuffix(".yaml") }
      .map { try String(contentsOf: examples.appending(path: $0), encoding: .utf8) }
    return files + [ReadingTests.whole, assembled]
  }
}

@Suite struct FuzzTests {
  private static let tokens = [
    ":", "-", "[", "]", "{", "}", ",", "\n", "  ", "\"", "'", "#", "&a ", "*a", "? ", "| ", "> ",
    "!!str ", "%", "@", "`", "---\n", "...\n", "~", "null", "yes", "0", "-1", "1e999", ".nan",
    "for: {id: [x, y]}, ", "for: [{text: t}]\n", "$id", "$$id", "${text}", "{$id}",
    "include: b.yaml\n",
    "{include: c.yaml}, ", "- include: e.yaml\n", "pages: ", "on: ", "{a.b}", "go: ", "none",
    "\u{0}", "\u{feff}", "ä", "\u{2028}", "\r", "\t",
  ].map { Array($0.utf8) }

  private func mutated(_ text: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var text = text
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 0...text.count, using: &random)
      let end = min(text.count, place + Int.random(in: 0...40, using: &random))
      switch Int.random(in: 0..<7, using: &random) {
      case 0 where place < text.count: text[place] = .random(in: 0...255, using: &random)
      case 1: text.removeSubrange(place..<end)
      case 2:
        text.insert(contentsOf: text[place..<end], at: Int.random(in: 0...place, using: &random))
      case 3: text.removeSubrange(place...)
      case 4: text.removeSubrange(..<place)
      default: text.insert(contentsOf: Self.tokens.randomElement(using: &random) ?? [], at: place)
      }
    }
    return text
  }

  @Test(arguments: 0..<8)
  func `any bytes are either a kiosk or have an error in one of their lines`(_ seed: UInt64) throws
  {
    var random = SeededGenerator(seed: seed)
    let corpus = try Corpus.all().map { Array($0.utf8) }
    let validator = Validator(KioskSchema.schema)
    for round in Cases.of(500) {
      let text = mutated(corpus[round % corpus.count], &random)
      let reading = ParsedKiosk(text, path: "k.yaml", assets: StubAssets(texts: Corpus.parts))
      let errors = reading.diagnostics.filter { $0.severity == .error }
      #expect((reading.description == nil) == !errors.isEmpty)
      let lines = max(1, text.split(separator: 0x0a, omittingEmptySubsequences: false).count)
      #expect(
        reading.diagnostics.allSatisfy {
          $0.column >= 1 && (1...($0.file == "k.yaml" ? lines : 2)).contains($0.line)
        })
      #expect(reading.diagnostics.allSatisfy { !$0.message.isEmpty && !$0.message.contains("\n") })
      if reading.description != nil {
        let node = try #require(Composer.compose(text, kind: "kiosk", example: "") { _, _ in })
        #expect(validator.problem(JSONValue(node)) == nil)
      }
    }
  }

  @Test func `a file reports at most a thousand errors and the number of the rest`() {
    let keys = (0..<20_000).map { "pagse\($0): 1" }.joined(separator: "\n")
    let all = diagnostics(keys)
    #expect(all.count == 1_001)
    #expect(all[0].hasPrefix("1:1: error: unknown key \"pagse0\""))
    #expect(
      all[1_000] == "1:1: error: 19002 more here and below (expected these to be fixed first)")
    let go = String(repeating: "{set: {lable.text: 1}}, ", count: 20_000)
    let text = """
      kiosk: k
      pages:
        - page: a
          controls:
            - {button: b, at: [1, 2], size: [99, 99], on: {selected: [\(go)]}}
            - {label: label, at: [1, 2], text: t}
      """
    #expect(diagnostics(text).count == 1_001)
  }
}
