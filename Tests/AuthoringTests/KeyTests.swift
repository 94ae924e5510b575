// SPDX-License-Identifier: MIT

import RoundelDeclarations
import Foundation
import KioskFile
import TestSupport
import Testing

@testable import RoundelAuthoring

/// Edits of keys, compared byte by byte.
@Suite struct KeyTests {
  private func changed(
    _ editor: EditorFixture, _ key: String, of owner: KeyOwner, to value: KeyValue
  ) throws -> String {
    let (path, edits) = try editor.service.edits(
      setting: key, of: owner, to: value, in: editor.path)
    #expect(path == editor.path)
    return SourceFile(editor.service.workspace.bytes(path) ?? []).applying(edits).text
  }

  @Test func `changing a key replaces only its value`() throws {
    let text =
      "# k\r\nkiosk: k\r\npages: [{page: p, controls: [{button: b, at: [ 1,  2 ] , size: [9, 9], text: 'x' }]}] # end\r\n"
    let editor = EditorFixture(text)
    #expect(
      try changed(editor, "at", of: .control("b"), to: .point(3, 2))
        == text.replacing("[ 1,  2 ]", with: "[ 3,  2 ]"))
    #expect(
      try changed(editor, "text", of: .control("b"), to: .text("it's"))
        == text.replacing("'x'", with: "'it''s'"))
    #expect(
      try changed(editor, "color", of: .control("b"), to: .text("#fff"))
        == text.replacing("'x' }", with: "'x', color: \"#fff\" }"))
    #expect(try changed(editor, "text", of: .control("b"), to: .text("x")) == text)
  }

  @Test func `a new key is added after existing keys on one line`() throws {
    let editor = EditorFixture(coffee)
    #expect(
      try changed(editor, "color", of: .control("stop-watch"), to: .text("accent"))
        == coffee.replacing("size: [80, 80]\n", with: "size: [80, 80]\n        color: accent\n"))
    #expect(
      try changed(editor, "label", of: .item("tea", of: "drink"), to: .text("yes"))
        == coffee.replacing("label: Tea", with: "label: \"yes\""))
    #expect(throws: EditRefusal.self) {
      try changed(editor, "at", of: .control("nobody"), to: .flag(true))
    }
  }

  private func changed(
    _ editor: EditorFixture, removing key: String, of owner: KeyOwner
  ) throws -> String {
    let (path, edits) = try editor.service.edits(removing: key, of: owner, in: editor.path)
    #expect(path == editor.path)
    return SourceFile(editor.service.workspace.bytes(path) ?? []).applying(edits).text
  }

  @Test func `removing a key removes only its bytes`() throws {
    let editor = EditorFixture(
      """
      kiosk: k  # the kiosk
      theme: dark
      pages:
        - page: p
          controls:
            - button: b
              text: B  # its text
              at: [1, 2]
              size: [9, 9]
              on:
                selected: [{go: p}]
        - page: q
          controls: [{text: c, label: c, at: [1, 2], color: red, bold: true}]
      """)
    for (owner, key, bytes) in [
      (.control("b"), "text", "        text: B  # its text\n"),
      (.control("b"), "on", "        on:\n          selected: [{go: p}]\n"),
      (.control("c"), "color", ", color: red"), (.control("c"), "bold", ", bold: true"),
      (.kiosk, "theme", "theme: dark\n"), (.kiosk, "themes", ""),
    ] as [(KeyOwner, String, String)] {
      #expect(
        try changed(editor, removing: key, of: owner) == editor.text.replacing(bytes, with: ""),
        "\(key)")
    }
    for (owner, key) in [
      (.control("c"), "text"), (.control("b"), "button"), (.page("p"), "controls"),
    ]
      as [(KeyOwner, String)]
    {
      #expect(throws: EditRefusal.self, "\(key)") { try changed(editor, removing: key, of: owner) }
    }
    let last = EditorFixture(
      "kiosk: k\r\npages: [{page: p, controls: [{timer: t, every: 1}]}]\r\ntheme: dark")
    #expect(
      try changed(last, removing: "theme", of: .kiosk)
        == last.text.replacing("\r\ntheme: dark", with: ""))
  }

  @Test func `a list or map is written on one line, and must be a single value`() throws {
    let editor = EditorFixture(coffee)
    #expect(
      try changed(editor, "blink", of: .control("stop-watch"), to: .source("{count: 1}"))
        == coffee.replacing("size: [80, 80]\n", with: "size: [80, 80]\n        blink: {count: 1}\n")
    )
    for text in ["", "{count: 1", "1, 2", "{a: 1} # b", "a: 1", "[1]]", "- 1", " {}"] {
      #expect(throws: EditRefusal.self, "\(text)") {
        try changed(editor, "blink", of: .control("stop-watch"), to: .source(text))
      }
    }
  }

  @Test func `a value of several lines is shown without indentation and edited in place`() throws {
    let text = """
      kiosk: k
      values:
        # How many.
        cups: {value: 1}
        name: Tea   # a drink
      theme: dark
      pages: [{page: a, controls: []}]

      """
    let editor = EditorFixture(text)
    let known = try #require(
      editor.service.keys(of: .kiosk, in: editor.path).first { $0.name == "values" }?.written)
    #expect(known == "cups: {value: 1}\nname: Tea")
    #expect(
      try changed(editor, "values", of: .kiosk, to: .source("cups: {value: 2}\nname: Tea\n"))
        == text.replacing("value: 1", with: "value: 2"))
    #expect(
      try changed(editor, "values", of: .kiosk, to: .source("{cups: 3}"))
        == text.replacing(
          "\n  # How many.\n  cups: {value: 1}\n  name: Tea   # a drink",
          with: " {cups: 3}   # a drink"))
    // A value in brackets becomes a block, and a missing one is added as a block.
    #expect(
      try changed(editor, "pages", of: .kiosk, to: .source("- page: a\n  controls: []"))
        == text.replacing(
          "pages: [{page: a, controls: []}]", with: "pages:\n  - page: a\n    controls: []"))
    #expect(
      try changed(editor, "styles", of: .kiosk, to: .source("big:\n  font_size: 40"))
        == text.replacing(
          "theme: dark\n", with: "theme: dark\n"
        ).replacing(
          "kiosk: k\n", with: "kiosk: k\nstyles:\n  big:\n    font_size: 40\n"))
    for text in ["a: 1\n b: 2", "one\ntwo", "- 1\nb: 2"] {
      #expect(throws: EditRefusal.self, "\(text)") {
        try changed(editor, "values", of: .kiosk, to: .source(text))
      }
    }
  }

  @Test func `pages and the kiosk have keys, too`() throws {
    let editor = EditorFixture(coffee)
    let page = try editor.service.keys(of: .page("start"), in: editor.path)
    #expect(page.first { $0.name == "page" }?.text == "start")
    #expect(page.contains { $0.name == "home_after" } && !page.contains { $0.name == "controls" })
    let kiosk = try editor.service.keys(of: .kiosk, in: editor.path)
    #expect(kiosk.contains { $0.name == "theme" } && !kiosk.contains { $0.name == "pages" })
    #expect(
      try changed(editor, "home_after", of: .page("start"), to: .number(20))
        == coffee.replacing("- page: start\n", with: "- page: start\n    home_after: 20\n"))
    #expect(throws: EditRefusal.self) {
      try editor.service.keys(of: .page("none"), in: editor.path)
    }
  }

  @Test func `keys have inputs that suit their declarations`() throws {
    let keys = try EditorFixture(coffee).service.keys(of: .control("stop-watch"), in: "/k/k.yaml")
    func input(_ name: String) -> KeyState.Input? { keys.first { $0.name == name }?.input }
    guard case .color(let names)? = input("color") else {
      Issue.record("no input for a colour")
      return
    }
    #expect(names.prefix(2) == ["accent", "background"] && names.contains("tomato"))
    #expect(input("shape") == .choice(["round", "rounded"]))
    #expect(input("enabled") == .flag)
    #expect(input("text") == .text())
    #expect(keys.first { $0.name == "size" }?.written == "[80, 80]")
    guard case .number(let minimum?, _, _) = input("font_size") else {
      Issue.record("\(String(describing: input("font_size")))")
      return
    }
    #expect(minimum > 0)
  }

  @Test func `moving a control in any example changes only its numbers`() throws {
    var count = 0
    for path in try examples(in: "deploy/examples/kiosks") {
      let text = String(decoding: try bytes(path), as: UTF8.self)
      let editor = EditorFixture(text, path: repository.appending(path: path).path, readsDisk: true)
      guard let draft = editor.service.workspace.draft(editor.path) else { continue }
      for control in draft.controls {
        guard let keys = try? editor.service.keys(of: .control(control.id), in: editor.path),
          let at = keys.first(where: { $0.name == "at" })?.written,
          let (file, edits) = try? editor.service.edits(
            setting: "at", of: .control(control.id), to: .point(11, 12), in: editor.path),
          file == editor.path
        else { continue }
        let new = SourceFile(Array(text.utf8)).applying(edits).bytes
        let other = EditorFixture(
          String(decoding: new, as: UTF8.self), path: editor.path, readsDisk: true)
        let moved = try other.service.keys(of: .control(control.id), in: editor.path)
        #expect(
          moved.first { $0.name == "at" }?.written?.filter { $0 != " " } == "[11,12]",
          "\(path) \(at)")
        for other in keys where other.name != "at" {
          #expect(moved.first { $0.name == other.name }?.written == other.written)
        }
        count += 1
      }
    }
    #expect(count > 20)
  }

  // MARK: Controls

  private func applied(_ editor: EditorFixture, _ change: (path: String, edits: [TextEdit]))
    -> String
  {
    #expect(change.path == editor.path)
    return SourceFile(Array(editor.text.utf8)).applying(change.edits).text
  }

  @Test func `adding and removing a control restores the file`() throws {
    for type in KioskDraft.controlTypes {
      for text in [coffee, coffee.replacing("\n", with: "\r\n"), String(coffee.dropLast())] {
        let editor = EditorFixture(text)
        let control = try #require(
          LanguageService.newControl(type, id: "\(type)1", at: (640, 400)))
        let more = applied(
          editor, try editor.service.edits(adding: control, toPage: "start", in: editor.path))
        let other = EditorFixture(more)
        let draft = try #require(other.service.workspace.draft(other.path))
        #expect(
          draft.controls.map(\.id) == ["greeting", "drink", "stop-watch", "\(type)1", "minute"])
        #expect(draft.controls[3].type == type)
        let diagnostics = ParsedKiosk(
          Array(more.utf8), path: other.path, assets: DiskAssets()
        ).diagnostics.filter { $0.severity == .error }
        #expect(diagnostics == [], "\(type)")
        #expect(
          applied(other, try other.service.edits(removing: .control("\(type)1"), in: other.path))
            == text)
      }
    }
  }

  @Test func `a new page is added at the end`() throws {
    let editor = EditorFixture(
      "kiosk: k\npages:\n- page: a\n  controls: [{timer: t, every: 1}]\nvalues: {n: 1}\n")
    let edits = try editor.service.edits(
      addingPage: "- page: b\n  controls:\n    - timer: u\n      every: 1", to: editor.path)
    #expect(
      SourceFile(Array(editor.text.utf8)).applying(edits).text
        == editor.text.replacing(
          "values", with: "- page: b\n  controls:\n    - timer: u\n      every: 1\nvalues"))
    let inBrackets = EditorFixture(
      "kiosk: k\npages: [{page: a, controls: [{timer: t, every: 1}]}]\n")
    #expect(throws: EditRefusal.self) {
      try inBrackets.service.edits(addingPage: "- page: b", to: inBrackets.path)
    }
  }

  @Test func `an edit of bracketed or missing elements is rejected`() throws {
    let editor = EditorFixture(coffee)
    #expect(throws: EditRefusal.self) {
      try editor.service.edits(adding: "- timer: t", toPage: "order", in: editor.path)
    }
    #expect(throws: EditRefusal.self) {
      try editor.service.edits(removing: .control("nobody"), in: editor.path)
    }
    let empty = EditorFixture("kiosk: k\npages:\n  - page: a\n    controls: []\n")
    #expect(
      applied(
        empty,
        try empty.service.edits(adding: "- timer: t\n  every: 1", toPage: "a", in: empty.path))
        == "kiosk: k\npages:\n  - page: a\n    controls:\n      - timer: t\n        every: 1\n")
  }
}
