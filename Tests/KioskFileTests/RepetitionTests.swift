// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelExpressions
import Kiosk
import RoundelMotion
import Testing
import RoundelDeclarations

@testable import KioskFile

/// A page with some controls. The first is on line 3.
private func page(_ controls: String) -> String {
  "kiosk: k\npages: [{page: home, controls: [\n\(controls)\n]}]"
}

/// The ids and texts of the labels among some controls.
private func labels(_ text: String) throws -> [String] {
  let reading = read(page(text))
  #expect(reading.diagnostics.filter { $0.severity == .error }.map(\.description) == [])
  return try shown(try #require(reading.description), page: 0)
}

private func shown(_ kiosk: Description, page: Int) throws -> [String] {
  let engine = Engine(kiosk, seed: 0)
  return try kiosk.pages[page].controls.filter { $0.kind == "label" }.map { entry in
    guard case .some(.text(let text)) = engine.value(of: "text", of: entry.id) else {
      throw Unshown()
    }
    return "\(entry.id): \(text)"
  }
}

private struct Unshown: Error {}

@Suite struct RepetitionTests {
  @Test func `a control is repeated for each map of a list`() throws {
    let kiosk = try #require(
      read(
        """
        kiosk: k
        pages:
          - page: home
            controls:
              - for: [{id: soup, x: 100}, {id: salad, x: 300}]
                button: $id
                at: [$x, 200]
                size: [150, 150]
                text: A ${id}y thing for $5
                on: {selected: [{go: $id}]}
          - for: [{id: soup}, {id: salad}]
            page: $id
            controls: [{label: "l_$id", at: [1, 2], text: $id}]
        """
      ).description)
    #expect(kiosk.pages.map(\.name) == ["home", "soup", "salad"])
    #expect(kiosk.pages[0].controls.map(\.id) == ["soup", "salad"])
    #expect(kiosk.pages[2].controls.map(\.id) == ["l_salad"])
  }

  @Test func `a map of lists repeats for all combinations`() throws {
    #expect(
      try labels("{for: {a: [x, y], b: [1, 2]}, label: $a$b, at: [1, 2], text: t}").map {
        $0.prefix(2)
      }
        == ["x1", "x2", "y1", "y2"])
  }

  @Test func `items and nested items are repeated`() throws {
    let text = page(
      """
      {menu: m, at: [400, 400], items: [{for: [{a: x}, {a: y}], id: $a, label: $a,
        items: [{for: {b: [1, 2]}, id: "$a$b", label: "$b of $a"}]}]},
      {pinwheel: p, at: [1, 2], radius: 300, wedges: [{id: first}, {for: {n: [1, 2]}, id: w$n}]},
      {slots: s, at: [1, 2], size: [200, 200], reels: [{for: {r: [a, b]}, id: $r, items: [x]}]}
      """)
    let reading = read(text)
    #expect(reading.diagnostics.filter { $0.severity == .error } == [])
    let controls = try #require(reading.description).pages[0].controls
    #expect(
      controls[1].control.items(at: .zero).map(\.id) == ["first", "w1", "w2"])
  }

  @Test func `an inner name hides an outer one, and outer names are visible inside`() throws {
    #expect(
      try labels(
        """
        {for: [{a: 1, b: 2}], label: o, at: [1, 2], text: "$a $b"},
        {label: l, at: [1, 2], text: "$a is no name here, nor is $$a"}
        """) == ["o: 1 2", "l: $a is no name here, nor is $$a"])
    let text = """
      kiosk: k
      pages:
        - for: [{a: x, b: y}, {a: z, b: y}]
          page: $a
          controls:
            - {for: [{b: $a}, {b: "$b"}], label: "$a$b", at: [1, 2], text: "$$b"}
      """
    let kiosk = try #require(read(text).description)
    #expect(try shown(kiosk, page: 0) == ["xx: $b", "xy: $b"])
    #expect(try shown(kiosk, page: 1) == ["zz: $b", "zy: $b"])
  }

  @Test(arguments: [
    ("{$n}", "4.5"), ("{$n * 2}", "9"), ("{-$m}", "3"), ("{1-$m}", "4"), ("{$t}", "a \"b\" \\ 'c'"),
    ("{$t == 'x' ? 1 : 2}", "2"), ("{'$t'}", "a \"b\" \\ 'c'"), ("{\"<$t>\"}", "<a \"b\" \\ 'c'>"),
    ("{$f ? $n : $m}", "4.5"), ("{$n:.2f} €", "4.50 €"), ("{$n:$w}", "4.500"),
    ("$n {$p}", "4.50 007"),
    ("{size($t)}", "11"), ("{$id.enabled}", "true"), ("{`$id`.enabled}", "true"),
    ("{$id.enabled && $f}", "true"), ("{l_$k.enabled}", "true"), ("{$$n}", "?"),
    ("{{$n}}", "{4.50}"),
    ("{${n}}", "4.5"), ("{$big}", "1e30"),
  ])
  func `in a template's braces a name is a literal or part of a name`(
    _ text: String, _ shown: String
  ) throws {
    let quoted = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    let controls = page(
      """
      {label: stop-watch, at: [1, 2], text: x}, {label: l_2, at: [1, 2], text: x},
      {for: [{n: 4.50, m: -3, t: "a \\"b\\" \\\\ 'c'", f: true, w: .3f, p: "007", id: stop-watch, k: 2,
        big: 1e30}], label: l, at: [1, 2], text: "\(quoted)"}
      """)
    let reading = read(controls)
    guard shown != "?" else {
      #expect(reading.description == nil)
      return
    }
    #expect(reading.diagnostics.map(\.description) == [])
    let kiosk = try #require(reading.description)
    #expect(Engine(kiosk, seed: 0).value(of: "text", of: "l") == .text(shown))
  }

  @Test(arguments: [
    (
      "for: []",
      "3:7: error: \"for\" has no cases: it is an empty list (expected at least one case)"
    ),
    ("for: {}", "3:7: error: \"for\" has no cases: it is a map (expected at least one case)"),
    ("for: 3", "3:7: error: \"for\" has the wrong type: 3 (expected a map {name: [value, …]}"),
    ("for: [3]", "3:8: error: a case is 3 (expected a map {name: value}, or \"as\""),
    ("for: {a: []}", "3:11: error: \"a\" has the wrong type: an empty list"),
    ("for: {a-b: [1]}", "3:8: error: \"a-b\" is not a parameter name"),
    (
      "for: {a: [1, 2]}, label: l$a, at: [1, 2], text: $b",
      "3:50: error: there is no parameter \"b\" (expected a, or $$ for a dollar sign"
    ),
    (
      "for: {a: [[1]]}, label: l, at: [1, 2], text: x $a",
      "3:47: error: \"$a\" is part of a string, but its value is a list (expected a string or a number)"
    ),
    (
      "for: {a: [1, 2]}, label: l, at: [1, 2], text: x",
      "3:27: error: duplicate id \"l\", once per repetition (expected a $name from \"for\" in it)"
    ),
    (
      "for: {a: [1, 2]}, label: l$a, at: [1, 2], text: x, color: rde",
      "3:60: error: \"color\" is not a colour: \"rde\""
    ),
    (
      "for: {a: [rde]}, label: l, at: [1, 2], text: x, color: $a",
      "3:12: error: \"color\" is not a colour: \"rde\""
    ),
    (
      "label: l, at: [1, 2], text: x, for: {a: [1]}, labl: x",
      "3:48: error: unknown key \"labl\" in label"
    ),
  ])
  func `an error in a repetition is reported once, at its location`(
    _ control: String, _ diagnostic: String
  ) throws {
    let found = diagnostics(page("{\(control)}"))
    #expect(found.count == 1, "\(found)")
    #expect(try #require(found.first).hasPrefix(diagnostic), "\(found)")
  }

  @Test func `for is allowed only in a map of a list`() {
    #expect(
      diagnostics("kiosk: k\nfor: [{a: 1}]\nscreen: {include: x, size: [99, 99]}\npages: []")
        .prefix(2)
        == [
          "2:1: error: \"for\" is not allowed in kiosk "
            + "(expected it in a map that is a list item)",
          "3:10: error: \"include\" is not allowed in screen "
            + "(expected a map without other keys)",
        ])
  }

  @Test func `ten thousand times ten thousand repetitions are rejected in advance`() {
    let many = "[" + (1...5000).map(String.init).joined(separator: ", ") + "]"
    let bomb = page(
      "{for: {a: \(many)}, menu: m$a, at: [1, 2], items: [{for: {b: \(many)}, id: i$b}]}")
    let found = diagnostics(bomb)
    #expect(found.count == 1)
    #expect(
      found.first?.hasSuffix(
        "with included and repeated parts, the file contains more than 250000 values") == true)
  }

  @Test func `names that grow exponentially are rejected in advance`() {
    var texts = "{label: l, at: [1, 2], text: $a}"
    var lists = "{label: l, at: [1, 2], text: t, color: $a}"
    for _ in 0..<10 {
      texts = "{menu: m, at: [1, 2], items: [{for: [{a: \"$a$a$a$a\"}], id: i, items: [\(texts)]}]}"
      lists =
        "{menu: m, at: [1, 2], items: [{for: [{a: [$a, $a, $a, $a]}], id: i, items: [\(lists)]}]}"
    }
    let first = "{for: [{a: xxxx}], menu: m, at: [1, 2], items: ["
    #expect(
      diagnostics(page("\(first)\(texts)]}")).contains {
        $0.contains("after substitution, the string is longer than 64 KiB")
      })
    #expect(
      diagnostics(page("\(first)\(lists)]}")).contains {
        $0.contains("contains more than 250000 values")
      }
    )
  }

  @Test func `a repetition can't nest deeper than a written file`() {
    let deep = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
    let found = diagnostics(
      page(
        "{for: [{a: \(deep)}], label: l, at: [1, 2], text: \(deep.replacing("[]", with: "[$a]"))}"))
    #expect(found == ["3:12: error: values are nested deeper than 100 levels"])
  }
}
