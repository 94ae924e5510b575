// SPDX-License-Identifier: MIT

import RoundelExpressions
import RoundelGeometry
import Kiosk
import Testing
import RoundelDeclarations

@testable import KioskFile

private func read(_ root: String, _ files: [String: String], at path: String = "dir/k.yaml")
  -> ParsedKiosk
{
  ParsedKiosk(Array(root.utf8), path: path, assets: StubAssets(texts: files))
}

private let home = "kiosk: k\npages: [{page: home, controls: [{include: a.yaml}]}]"

@Suite struct InclusionTests {
  @Test func `maps and lists can be included anywhere`() throws {
    let reading = read(
      """
      kiosk: k
      screen: {include: screen.yaml}
      pages:
        - include: parts/page.yaml
        - page: two
          controls:
            - {label: first, at: [1, 2], text: t}
            - include: parts/labels.yaml
            - {label: last, at: [1, 2], text: t}
      """,
      [
        "dir/screen.yaml": "size: [800, 480]",
        "dir/parts/page.yaml": "page: one\ncontrols: {include: controls.yaml}",
        "dir/parts/controls.yaml": "[{label: l, at: [1, 2], text: t}]",
        "dir/parts/labels.yaml":
          "- {label: a, at: [1, 2], text: t}\n- {include: ../b.yaml}\n",
        "dir/b.yaml": "label: b\nat: [1, 2]\ntext: t",
      ])
    #expect(reading.diagnostics == [])
    let kiosk = try #require(reading.description)
    #expect(kiosk.screen.size.width == 800)
    #expect(kiosk.pages.map(\.name) == ["one", "two"])
    #expect(kiosk.pages[1].controls.map(\.id) == ["first", "a", "b", "last"])
    #expect(
      reading.includedFiles == [
        "dir/screen.yaml", "dir/parts/page.yaml", "dir/parts/controls.yaml",
        "dir/parts/labels.yaml",
        "dir/b.yaml",
      ])
  }

  @Test func `errors are reported in their own file, the main file's first`() {
    let reading = read(
      """
      kiosk: k
      pages:
        - page: home
          controls:
            - {include: parts/a.yaml}
            - {label: l, at: [1, 2], text: t, colour: red}
      """,
      [
        "dir/parts/a.yaml": "# hello\n- {label: l, at: [1, 2], text: t}\n- {labl: m, at: [1, 2]}\n"
          + "- {image: i, at: [1, 2], size: [99, 99], file: lost.png}\n- {image: j, at: [1, 2], "
          + "size: [99, 99], file: wall.png}\n"
      ])
    let found = reading.diagnostics.map(\.description)
    #expect(found.count == 4, "\(found)")
    #expect(
      found[0] == "dir/k.yaml:6:17: error: duplicate id \"l\" (first on line 2 of dir/parts/a.yaml)"
    )
    #expect(found[1].hasPrefix("dir/k.yaml:6:41: error: unknown key \"colour\""))
    #expect(found[2].hasPrefix("dir/parts/a.yaml:3:4: error: unknown control type \"labl\""))
    #expect(found[3].hasPrefix("dir/parts/a.yaml:4:48: error: image \"lost.png\": no such file"))
    #expect(reading.images == ["dir/parts/lost.png", "dir/parts/wall.png"])
  }

  @Test func `included parts can be repeated, and their names are filled in`() throws {
    let reading = read(
      """
      kiosk: k
      pages:
        - for: {include: data/dishes.yaml}
          include: dish.yaml
      """,
      [
        "dir/data/dishes.yaml": "- {id: soup, image: wall.png}\n- {id: salad, image: wall.png}",
        "dir/dish.yaml":
          "page: $id\nbackground: {image: $image}\ncontrols: [{for: {n: [1, 2]}, include: l.yaml}]",
        "dir/l.yaml": "{label: $id$n, at: [1, 2], text: t}",
      ])
    #expect(reading.diagnostics == [])
    let pages = try #require(reading.description).pages
    #expect(pages.map(\.name) == ["soup", "salad"])
    #expect(pages.map { $0.controls.map(\.id) } == [["soup1", "soup2"], ["salad1", "salad2"]])
    // A file name is relative to the file that contains it.
    #expect(reading.images == ["dir/data/wall.png"])
  }

  @Test(arguments: [
    ([:], "k.yaml:2:43: error: cannot include \"a.yaml\": no such file (expected a YAML file"),
    (
      ["a.yaml": "- include: a.yaml"],
      "a.yaml:1:12: error: \"a.yaml\" includes itself (expected no cycle)"
    ),
    (
      [
        "a.yaml": "- include: b.yaml", "b.yaml": "- include: ./c.yaml", "c.yaml": "include: a.yaml",
      ],
      "c.yaml:1:10: error: \"a.yaml\" includes itself through \"b.yaml\", then \"c.yaml\" (expected"
    ),
    (
      ["a.yaml": "include: k.yaml"],
      "a.yaml:1:10: error: \"k.yaml\" includes itself through \"a.yaml\""
    ),
    (
      ["a.yaml": "include: ../a.yaml"],
      "a.yaml:1:10: error: \"../a.yaml\" is outside the kiosk's folder (expected the name of a file in"
    ),
    (["a.yaml": "include: /etc/passwd"], "a.yaml:1:10: error: \"/etc/passwd\" is outside"),
    (["a.yaml": "include: b/../../c.yaml"], "a.yaml:1:10: error: \"b/../../c.yaml\" is outside"),
    (
      ["a.yaml": "include: ''"],
      "a.yaml:1:10: error: \"include\" is not a file name: \"\" (expected"
    ),
    (["a.yaml": "include: [b.yaml]"], "a.yaml:1:10: error: \"include\" is not a file name: a list"),
    (["a.yaml": "include: ."], "a.yaml:1:10: error: \".\" is outside the kiosk's folder"),
    (
      ["a.yaml": "hello"],
      "a.yaml:1:1: error: the file has the wrong type: \"hello\" (expected a map or a list)"
    ),
    (
      ["a.yaml": "# nothing"],
      "a.yaml:1:1: error: the file is empty (expected a part of a kiosk, such"
    ),
    (["a.yaml": "- {a: b"], "a.yaml:1:3: error: \"{\" is not closed (expected \"}\")"),
    (
      ["a.yaml": "\u{feff}- label: l\n  at: [1, 2]\n  txt: t\n  text: t"],
      "a.yaml:3:3: error: unknown key \"txt\""
    ),
  ])
  func `an invalid inclusion is reported at its location`(
    _ files: [String: String], _ diagnostic: String
  ) throws {
    let found = read(home, files, at: "k.yaml").diagnostics.map(\.description)
    let first = try #require(found.first)
    #expect(found.count == 1 && first.hasPrefix(diagnostic), "\(found)")
  }

  @Test func `a missing file doesn't hide other errors, except missing names`() {
    let found = read(
      """
      kiosk: k
      pages:
        - include: lost.yaml
        - page: home
          controls:
            - {label: l, at: [1, 2], text: t, colour: red}
            - {button: b, at: [1, 2], size: [99, 99], on: {selected: [{go: lost}]}}
      """, [:]
    ).diagnostics.map(\.description)
    #expect(found.count == 2, "\(found)")
    #expect(found[1].hasPrefix("dir/k.yaml:6:41: error: unknown key \"colour\" in label"))
  }

  @Test(arguments: [
    "{pinwheel: c, radius: 99, font_size: $size, wedges: [{$for, id: $id, image: $photo}]}",
    "{pinwheel: c, radius: 99, wedges: [{$for, id: $id, icon: $photo, label: $text}]}",
    "{menu: c, font_size: $size, items: [{$for, id: $id, image: $photo}]}",
    "{menu: c, items: [{id: a, items: [{$for, id: $id, icon: $photo, label: $text}]}]}",
    "{list: c, size: [99, 99], row_height: 50, items: [{$for, id: $id, image: $photo, label: $text}]}",
    "{slots: c, size: [99, 99], reels: [{id: r, items: [{$for, image: $photo, label: $text}]}]}",
    "{$for, button: c, size: [99, 99], text: $text, icon: $photo}",
    "{$for, image: c, size: [99, 99], file: $photo, fit: \"{n > 3 ? 'fill' : 'cover'}\"}",
  ])
  func `pictures of an included list are still found when another key changes`(
    _ control: String
  ) throws {
    let control = control.replacing("$for", with: "for: {include: lists/all.yaml}")
      .replacing("$text", with: "\"{n}\"").replacing("$size", with: "\"{n + 10}\"")
    let reading = read(
      """
      kiosk: k
      values: {n: 3}
      pages: [{page: home, controls: [{include: parts/control.yaml}]}]
      """,
      [
        "dir/parts/control.yaml": "- \(control.dropLast()), at: [200, 200]}",
        "dir/parts/lists/all.yaml": "[{id: one, photo: ../../wall.png}]",
      ])
    #expect(reading.diagnostics.filter { $0.severity == .error } == [])
    #expect(reading.images == ["dir/parts/lists/../../wall.png"])
    var engine = Engine(try #require(reading.description), seed: 1)
    func made() -> String { engine.placedControl("c").map { "\($0.control)" } ?? "" }
    let first = made()
    try engine.set(.value("n"), to: .number(5))
    #expect(made() != first)
    try engine.set(.value("n"), to: .number(3))
    #expect(made() == first)
    engine.replace(with: try #require(reading.description), seed: 1)
    #expect(made() == first)
    #expect(engine.takeEvents().filter { $0.name == "failed" } == [])
  }

  @Test func `a picture named only in an action is shown`() throws {
    let reading = read(
      """
      kiosk: k
      pages:
        - page: home
          controls: [{image: c, at: [99, 99], size: [99, 99], file: wall.png}]
          on: {shown: [{set: {c.file: other/wall.png}}]}
      """, [:])
    #expect(reading.diagnostics == [])
    let engine = Engine(try #require(reading.description), seed: 1)
    #expect(engine.value(of: "file", of: "c") == .text("other/wall.png"))
  }

  @Test func `inclusions are limited to sixteen levels`() {
    func chain(_ count: Int) -> [String] {
      var files = ["dir/\(count).yaml": "- {label: l, at: [1, 2], text: t}"]
      for number in 1..<count { files["dir/\(number).yaml"] = "- include: \(number + 1).yaml" }
      return read(home.replacing("a.yaml", with: "1.yaml"), files).diagnostics.map(\.description)
    }
    #expect(chain(16) == [])
    #expect(
      chain(17) == ["dir/16.yaml:1:12: error: files are included more than 16 levels deep"])
  }

  @Test func `all files together are limited to the size of one file, and to 256 files`() {
    let large = "- {label: $id, at: [1, 2], text: t}\n#" + String(repeating: "x", count: 3 << 20)
    let two = home.replacing("{include: a.yaml}", with: "{include: a.yaml}, {include: b.yaml}")
    #expect(
      read(two, ["dir/a.yaml": large, "dir/b.yaml": large]).diagnostics.map(\.message)
        .contains("with its included files, the file is larger than 4 MiB"))
    let many = (0..<300).map { "{include: \($0).yaml}" }.joined(separator: ", ")
    #expect(
      read(home.replacing("{include: a.yaml}", with: many), [:]).diagnostics.last?.message
        == "more than 256 files are included")
  }

  @Test func `a file that includes another one several times doesn't grow without limit`() {
    var files = ["dir/16.yaml": "- {label: l, at: [1, 2], text: t}"]
    for number in 1..<16 {
      files["dir/\(number).yaml"] = String(repeating: "- include: \(number + 1).yaml\n", count: 10)
    }
    let found = read(home.replacing("a.yaml", with: "1.yaml"), files).diagnostics
    #expect(
      found.map(\.message) == [
        "with included and repeated parts, the file contains more than 250000 values"
      ])
  }
}
