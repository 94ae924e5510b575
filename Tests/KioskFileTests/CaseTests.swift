// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDeclarations
import RoundelExpressions
import Kiosk
import Testing

@testable import KioskFile

/// A page with some controls. The first is on line 3.
private func page(_ controls: String) -> String {
  "kiosk: k\npages: [{page: home, controls: [\n\(controls)\n]}]"
}

/// The ids and texts of the labels on a file's first page.
private func labels(_ text: String) throws -> [String] {
  let reading = read(text)
  #expect(reading.diagnostics.filter { $0.severity == .error }.map(\.description) == [])
  let kiosk = try #require(reading.description)
  let engine = Engine(kiosk, seed: 0)
  return kiosk.pages[0].controls.map { entry in
    let shown = engine.value(of: "text", of: entry.id) ?? .text("?")
    return "\(entry.id): \(shown.display)"
  }
}

@Suite struct CaseTests {
  @Test func `a name for cases separates the cases of an inner for from an outer one`() throws {
    #expect(
      try labels(
        """
        kiosk: k
        pages:
          - page: home
            controls:
              - for: [{id: rex, name: Rex, parts: [{id: a}, {id: b}]}, {id: tri, name: Tri, parts: [{id: c}]}]
                as: exhibit
                menu: $exhibit.id
                at: [99, 99]
                items:
                  - {for: $exhibit.parts, as: part, id: $part.id, label: "$exhibit.name"}
              - for: [{id: x, price: 4.5}, {id: y, price: 3}]
                as: exhibit
                label: ${exhibit.id}_l
                at: [1, 2]
                text: "$exhibit.id. {$exhibit.price * 2} $index $exhibit.index {`$exhibit.id`.enabled}"
              - {button: x, at: [1, 2], size: [99, 99]}
              - {button: y, at: [1, 2], size: [99, 99]}
        """
      ).filter { $0.contains("_l") } == ["x_l: x. 9 0 0 true", "y_l: y. 6 1 1 true"])
  }

  @Test func `named cases may be text or numbers`() throws {
    #expect(
      try labels(
        page(
          "{for: [soup, 007, 3], as: dish, label: \"l$index\", at: [1, 2], text: \"$dish {$dish}\"}"
        ))
        == ["l0: soup soup", "l1: 007 007", "l2: 3 3"])
    #expect(
      try labels(
        page(
          "{for: [soup, 7], as: dish, label: \"l$dish.index\", at: [1, 2], text: \"$dish.png {$dish.index + 1}\"}"
        ))
        == ["l0: soup.png 1", "l1: 7.png 2"])
  }

  @Test func `an index counts cases and combinations, unless a name hides it`() throws {
    #expect(
      try labels(
        page("{for: {a: [x, y], b: [1, 2]}, label: $a$b, at: [1, 2], text: \"{$index + 1}\"}"))
        == ["x1: 1", "x2: 2", "y1: 3", "y2: 4"])
    #expect(
      try labels(page("{for: [{index: 7}], label: l$index, at: [1, 2], text: \"$index\"}"))
        == ["l7: 7"])
    #expect(
      try labels(page("{label: l, at: [1, 2], text: \"$index $exhibit.id\"}"))
        == ["l: $index $exhibit.id"])
  }

  @Test func `elements with a constant false condition are omitted`() throws {
    #expect(
      try labels(
        """
        kiosk: k
        screen: {size: [480, 800]}
        pages:
          - page: home
            controls:
              - {for: [{id: a, open: true}, {id: b, open: false}], if: $open, label: $id, at: [1, 2], text: t}
              - {for: [{n: 1}, {n: 5}], as: x, if: "$x.n > 3 && $index == 1", label: "l$x.n", at: [1, 2], text: t}
              - {if: "screen.width > screen.height", label: wide, at: [1, 2], text: t}
              - {if: "screen.width < screen.height", label: high, at: [1, 2], text: t}
              - {if: false, include: missing.yaml}
        """) == ["a: t", "l5: t", "high: t"])
  }

  @Test(arguments: [
    (
      "if: cups > 1",
      "3:6: error: \"if\" reads \"cups\", which is not a constant (expected numbers, "
        + "screen.height, screen.width or a $name from a \"for\")"
    ),
    (
      "if: screen.widht > 1",
      "3:6: error: \"if\" reads \"screen.widht\", which is not a constant (expected "
        + "numbers, screen.height, screen.width or a $name from a \"for\"; did you mean \"screen.width\"?)"
    ),
    (
      "if: now > 1",
      "3:6: error: \"if\" reads \"now\", which is not a constant (expected numbers, "
        + "screen.height, screen.width or a $name from a \"for\")"
    ),
    ("if: 3", "3:6: error: \"if\" is a number (expected a condition, true or false)"),
    ("if: 1 / 0 > 1", "3:6: error: \"if\" cannot be computed: division by zero"),
  ])
  func `a condition that isn't constant is an error at its location`(
    _ directive: String, _ diagnostic: String
  ) {
    #expect(diagnostics(page("{\(directive), label: l, at: [1, 2], text: t}")).first == diagnostic)
  }

  @Test func `a name for cases requires a for`() {
    #expect(
      diagnostics(page("{label: l, as: x, at: [1, 2], text: t}"))
        == [
          "3:12: error: \"as\" is not allowed in label (expected \"for\" in the same map)"
        ])
  }

  @Test func `a name without braces is reported`() {
    #expect(
      diagnostics(page("{for: [{id: a}], label: $id_count, at: [1, 2], text: t}")).first
        == "3:25: error: there is no parameter \"id_count\" (expected id, or $$ for a dollar sign; "
        + "did you mean \"${id}_count\"?)")
    #expect(
      diagnostics(page("{for: [{id: a}], as: x, label: $x.ids, at: [1, 2], text: t}")).first
        == "3:32: error: there is no parameter \"x.ids\" (expected x.id, or $$ for a dollar sign; "
        + "did you mean \"x.id\"?)")
  }

  @Test func `values, texts and themes may be lists of maps, repeated and included`() throws {
    let reading = ParsedKiosk(
      Array(
        """
        kiosk: k
        languages: [en]
        values:
          - cups: 1
          - for: [{id: soup}, {id: salad}]
            ${id}_count: {value: 2, max: 9}
          - include: more.yaml
        texts:
          - {for: [soup, salad], as: dish, "$dish": {en: "A $dish"}}
        themes: [{night: {accent: red}}, {day: {accent: blue}}]
        theme: day
        pages:
          - page: home
            controls:
              - {label: l, at: [1, 2], text: "{cups} {salad_count} {more} {texts.salad}"}
        """.utf8), path: "k.yaml",
      assets: StubAssets(texts: ["more.yaml": "- {more: 5}\n- {extra: x}"]))
    #expect(reading.diagnostics.map(\.description).filter { $0.contains("error") } == [])
    let kiosk = try #require(reading.description)
    #expect(kiosk.values.map(\.name) == ["cups", "soup_count", "salad_count", "more", "extra"])
    #expect(kiosk.themes["day"] == kiosk.theme)
    #expect(
      Engine(kiosk, seed: 0).value(of: "text", of: "l") == .text("1 2 5 A salad"))
  }

  @Test func `a duplicate name is an error at its second location`() {
    #expect(
      diagnostics(
        "kiosk: k\nvalues: [{a: 1}, {a: 2}]\ntexts: [3]\n"
          + "pages: [{page: home, controls: [{label: l, at: [1, 2], text: t}]}]")
        == [
          "2:19: error: duplicate name \"a\" (first on line 2)",
          "3:9: error: item 1 of \"texts\" has the wrong type: 3 (expected a map from names to "
            + "strings by language)",
        ])
  }
}
