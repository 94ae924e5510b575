// SPDX-License-Identifier: MIT

import RoundelDeclarations
import Foundation
import KioskFile
import TestSupport
import Testing

@testable import RoundelAuthoring

/// Moving, copying, adding and removing elements of lists.
@Suite struct ElementTests {
  /// A kiosk with comments, brackets, an include, an anchor, a `for` and Unicode.
  static let many = """
    # äöü 😀
    kiosk: many
    screen: {size: [400, 300]}
    values: {cups: 1, name: "x"}
    pages:
      # The first.
      - page: one   # first
        on: {shown: [{set: {cups: 1}}, {emit: begun, after: 2}]}
        controls:
          # A button.
          # It has two lines of comment.
          - button: brew   # the button
            at: [100, 100]
            size: &size [80, 80]
            text: "{brew.enabled} {cups}"
            on:
              selected:
                # One more.
                - set: {cups: "{cups + 1}"}   # cups
                - go: two
                - {go: home, when: cups > 3}

          - pinwheel: wheel
            at: [250, 150]
            radius: 60
            wedges:
              - {id: tea, label: Tea}
              # Not for children.
              - id: coffee
                label: "{wheel.tea.label} 日本"
                on: {selected: [{go: two}]}
              - id: soup   # hot
          - menu: drinks
            at: [300, 250]
            items: [{id: a, label: A}, {id: b, label: B}, {id: c}]
          - label: many
            at: [200, 20]
            size: *size
            text: Many
      - page: two
        swipe: {right: one}
        controls: [{label: end, at: [1, 2], text: End}, {timer: minute, every: 60, on: {due: [{go: one}]}}]
      - page: three
        controls:
          - {for: [{item: x}, {item: y}], label: $item, at: [10, 10], text: $item}
          - label: last
            at: [5, 5]
            text: |
              Two
              lines

    theme: dark
    """

  /// The same kiosk with other line ends, and without the last line end.
  static let forms = [
    many, many.replacing("\n", with: "\r\n"), many + "\n",
    many.replacing("\n\n", with: "\n   \n"),
  ]

  private func applied(_ editor: EditorFixture, _ change: (path: String, edits: [TextEdit])) throws
    -> EditorFixture
  {
    try #require(change.path == editor.path)
    return EditorFixture(SourceFile(Array(editor.text.utf8)).applying(change.edits).text)
  }

  private func errors(_ editor: EditorFixture) -> [String] {
    ParsedKiosk(Array(editor.text.utf8), path: editor.path, assets: DiskAssets()).diagnostics
      .filter { $0.severity == .error }.map(\.description)
  }

  private static let owners: [KeyOwner] =
    ["one", "two", "three"].map { .page($0) }
    + ["brew", "wheel", "drinks", "many", "end", "minute", "last", "x"].map { .control($0) }
    + [("tea", "wheel"), ("coffee", "wheel"), ("soup", "wheel"), ("a", "drinks"), ("b", "drinks")]
    .map { .item($0.0, of: $0.1) }
    + (0..<3).map { .part(of: .control("brew"), path: [.key("on"), .key("selected"), .index($0)]) }
    + (0..<2).map { .part(of: .page("one"), path: [.key("on"), .key("shown"), .index($0)]) }

  @Test(arguments: forms) func `moving an element and back restores the file`(_ text: String) throws
  {
    let editor = EditorFixture(text)
    #expect(errors(editor) == [])
    var count = 0
    for owner in Self.owners {
      guard
        let change = try? editor.service.edits(moving: owner, forward: true, in: editor.path),
        !change.edits.isEmpty
      else { continue }
      let moved = try applied(editor, change)
      #expect(moved.text != text)
      #expect(errors(moved) == [], "\(owner)")
      #expect(
        moved.text.split(whereSeparator: \.isNewline).sorted()
          == text.split(whereSeparator: \.isNewline).sorted()
          || moved.text.sorted() == text.sorted(), "\(owner)")
      // An action is identified by its index.
      var back = owner
      if case .part(let outer, var path) = owner, case .index(let index)? = path.popLast() {
        back = .part(of: outer, path: path + [.index(index + 1)])
      }
      let again = try applied(
        moved, try moved.service.edits(moving: back, forward: false, in: moved.path))
      #expect(again.text == text, "\(owner)")
      count += 1
    }
    #expect(count > 8)
  }

  @Test func `an element moves together with the comments directly above it`() throws {
    let editor = EditorFixture(Self.many)
    let moved = try applied(
      editor,
      try editor.service.edits(
        moving: .item("coffee", of: "wheel"), forward: false, in: editor.path))
    #expect(
      moved.text
        == Self.many.replacing(
          """
                    - {id: tea, label: Tea}
                    # Not for children.
                    - id: coffee
                      label: "{wheel.tea.label} 日本"
                      on: {selected: [{go: two}]}
          """,
          with: """
                      # Not for children.
                      - id: coffee
                        label: "{wheel.tea.label} 日本"
                        on: {selected: [{go: two}]}
                      - {id: tea, label: Tea}
            """))
    let first = try editor.service.edits(
      moving: .item("tea", of: "wheel"), forward: false, in: editor.path)
    #expect(first.edits.isEmpty)
    let flow = try applied(
      editor,
      try editor.service.edits(moving: .item("b", of: "drinks"), forward: true, in: editor.path))
    #expect(
      flow.text
        == Self.many.replacing("{id: b, label: B}, {id: c}", with: "{id: c}, {id: b, label: B}"))
  }

  @Test(arguments: forms) func `a copy has new names, and removing it leaves no trace`(
    _ text: String
  ) throws {
    let editor = EditorFixture(text)
    var names: [String] = []
    for owner in Self.owners {
      guard let change = try? editor.service.edits(duplicating: owner, in: editor.path) else {
        continue
      }
      let more = try applied(editor, (change.path, change.edits))
      #expect(errors(more) == [], "\(owner)")
      let copy: KeyOwner
      switch owner {
      case .page: copy = .page(try #require(change.name))
      case .control: copy = .control(try #require(change.name))
      case .item(_, let control): copy = .item(try #require(change.name), of: control)
      case .part(let outer, let path):
        guard case .index(let index)? = path.last else { continue }
        copy = .part(of: outer, path: path.dropLast() + [.index(index + 1)])
      case .kiosk: continue
      }
      names.append(change.name ?? "-")
      let less = try applied(more, try more.service.edits(removing: copy, in: more.path))
      #expect(less.text == text, "\(owner)")
    }
    // An anchored element isn't copied. Copying an element of a `for` copies the whole `for`.
    #expect(
      names.sorted() == [
        "-", "-", "-", "-", "-", "a2", "b2", "coffee2", "drinks2", "end2", "last2", "many2",
        "minute2", "soup2", "tea2", "three2", "two2", "wheel2",
        "x2",
      ])
  }

  @Test func `self-references in a copy refer to the copy`() throws {
    let editor = EditorFixture(
      Self.many.replacing("size: &size [80, 80]", with: "size: [80, 80]")
        .replacing("        size: *size\n", with: ""))
    let change = try editor.service.edits(duplicating: .control("brew"), in: editor.path)
    let text = try applied(editor, (change.path, change.edits)).text
    #expect(text.contains("- button: brew2   # the button\n        at: [120, 120]"))
    #expect(text.contains("\"{brew2.enabled} {cups}\""))
    let page = try editor.service.edits(duplicating: .page("one"), in: editor.path)
    let more = try applied(editor, (page.path, page.edits))
    #expect(page.name == "one2")
    #expect(errors(more) == [])
    #expect(more.text.contains("label: \"{wheel2.tea.label} 日本\""))
  }

  @Test
  func `removing an element removes its lines, but never the last element of a list`() throws {
    let editor = EditorFixture(Self.many)
    let tea = try applied(
      editor, try editor.service.edits(removing: .item("tea", of: "wheel"), in: editor.path))
    #expect(tea.text == Self.many.replacing("          - {id: tea, label: Tea}\n", with: ""))
    let minute = try applied(
      editor, try editor.service.edits(removing: .control("minute"), in: editor.path))
    #expect(
      minute.text
        == Self.many.replacing(", {timer: minute, every: 60, on: {due: [{go: one}]}}", with: ""))
    // A page may be without controls.
    let end = try applied(
      minute, try minute.service.edits(removing: .control("end"), in: minute.path))
    #expect(end.text.contains("controls: []"))
    // A list of actions may disappear, along with a map that had only that list.
    let last = try applied(
      editor,
      try editor.service.edits(
        removing: .part(
          of: .item("coffee", of: "wheel"), path: [.key("on"), .key("selected"), .index(0)]),
        in: editor.path))
    #expect(
      last.text
        == Self.many.replacing("            on: {selected: [{go: two}]}\n", with: ""))
  }

  @Test func `bracketed elements on separate lines keep their lines`() throws {
    let text = """
      kiosk: k
      pages:
        - page: p
          controls:
            - menu: m
              at: [1, 2]
              label: M
              items: [
                {id: a},  # a
                {id: b},
                {id: c}
              ]

      """
    let editor = EditorFixture(text)
    let more = try editor.service.edits(duplicating: .item("b", of: "m"), in: editor.path)
    #expect(
      try applied(editor, (more.path, more.edits)).text
        == text.replacing("{id: b},", with: "{id: b},\n          {id: b2},"))
    let less = try applied(
      editor, try editor.service.edits(removing: .item("a", of: "m"), in: editor.path))
    #expect(less.text == text.replacing("          {id: a},  # a\n", with: ""))
    let added = try editor.service.edits(addingItemTo: "m", in: editor.path)
    let result = try applied(editor, (added.path, added.edits))
    #expect(result.text.contains("{id: c},\n          {id: item1"))
  }

  @Test func `a new control has the given size, position and image`() throws {
    let button = try #require(
      LanguageService.newControl("button", id: "b", at: (100, 50), scale: 0.5))
    #expect(button.contains("at: [100, 50]") && button.contains("size: [112, 48]"))
    let ring = try #require(LanguageService.newControl("ring", id: "r", at: (1, 2), scale: 0.25))
    #expect(ring.contains("radius: 34") && ring.contains("{r.value:.1f}"))
    let list = try #require(LanguageService.newControl("list", id: "l", at: (1, 2), scale: 0.5))
    #expect(list.contains("row_height: 32") && list.contains("\"08:12\""))
    let image = try #require(
      LanguageService.newControl("image", id: "i", at: (1, 2), image: "a: b.png"))
    #expect(image.contains("file: \"a: b.png\"") && LanguageService.showsFile("image"))
    #expect(!LanguageService.showsFile("button"))
  }

  @Test func `an item can be added to each control with items`() throws {
    var types: [String] = []
    for type in KioskDraft.controlTypes {
      let control = try #require(LanguageService.newControl(type, id: "it", at: (640, 400)))
      let editor = EditorFixture(coffee)
      let own = try applied(
        editor, try editor.service.edits(adding: control, toPage: "start", in: editor.path))
      guard own.service.mayHaveItems("it", in: own.path) else { continue }
      types.append(type)
      let change = try own.service.edits(addingItemTo: "it", in: own.path)
      let more = try applied(own, (change.path, change.edits))
      #expect(change.name == "item1" && errors(more) == [], "\(type)")
      let less = try applied(
        more, try more.service.edits(removing: .item("item1", of: "it"), in: more.path))
      #expect(less.text == own.text, "\(type)")
    }
    #expect(types == ["pinwheel", "menu", "slots", "picker", "list"])
  }

  // MARK: Actions

  private func commands(_ editor: EditorFixture, _ owner: KeyOwner) throws -> [String: [String]] {
    try editor.service.actions(of: owner, in: editor.path).reduce(into: [:]) { all, list in
      if !list.actions.isEmpty { all[list.cause] = list.actions.map(\.command) }
    }
  }

  @Test func `actions are grouped by event and condition`() throws {
    let editor = EditorFixture(
      Self.many.replacing(
        "theme: dark", with: "theme: dark\nreactions: [{when: cups > 2, do: [{go: two}]}]"))
    #expect(try commands(editor, .control("brew")) == ["selected": ["set", "go", "go"]])
    #expect(try commands(editor, .page("one")) == ["shown": ["set", "emit"]])
    #expect(try commands(editor, .item("coffee", of: "wheel")) == ["selected": ["go"]])
    #expect(try commands(editor, .kiosk) == ["when cups > 2": ["go"]])
    let lists = try editor.service.actions(of: .control("brew"), in: editor.path)
    let selected = try #require(lists.first { $0.cause == "selected" })
    #expect(selected.actions[0].fields?.map(\.name) == ["cups"])
    #expect(selected.actions[0].moreFields.contains("brew.enabled"))
    #expect(selected.actions[1].keys.map(\.name) == ["go", "when", "after"])
    #expect(selected.actions[1].keys[0].input == .text(["one", "two", "three", "back", "home"]))
    #expect(selected.actions[2].keys[1].text == "cups > 3")
  }

  @Test func `a reaction can be added, changed and removed`() throws {
    for text in [
      Self.many, Self.many.replacing("\n", with: "\r\n"),
      Self.many.replacing(
        "theme: dark", with: "theme: dark\nreactions:\n  - {when: cups > 2, do: [{go: two}]}"),
    ] {
      for owner in [KeyOwner.kiosk, .page("one")] {
        let editor = EditorFixture(text)
        #expect(editor.service.mayReact(owner, in: editor.path))
        let known = try editor.service.actions(of: owner, in: editor.path).count {
          $0.condition != nil
        }
        let change = try editor.service.edits(addingReaction: "go", to: owner, in: editor.path)
        let more = try applied(editor, (change.path, change.edits))
        #expect(errors(more) == [])
        let lists = try more.service.actions(of: owner, in: more.path).filter {
          $0.condition != nil
        }
        let added = try #require(lists.last)
        #expect(lists.count == known + 1 && added.condition?.text == "false")
        let reaction = KeyOwner.part(of: owner, path: Array(added.path.dropLast()))
        let judged = try applied(
          more,
          try more.service.edits(
            setting: "when", of: reaction, to: .text("cups == 7"), in: more.path))
        #expect(errors(judged) == [] && judged.text.contains("\"cups == 7\""))
        // Removing its last action removes the reaction.
        let less = try applied(
          more,
          try more.service.edits(
            removing: .part(of: owner, path: added.path + [.index(0)]), in: more.path))
        #expect(less.text == text)
      }
    }
    let editor = EditorFixture(Self.many)
    #expect(!editor.service.mayReact(.control("brew"), in: editor.path))
  }

  @Test(arguments: LanguageService.commands)
  func `an action can be added wherever actions are allowed`(_ command: String) throws {
    let slots =
      "      - slots: wins\n        at: [1, 1]\n        size: [9, 9]\n"
      + "        reels: [{id: r, items: [a, b]}]\n"
    let over =
      "  - page: aid\n    over: true\n    controls: [{label: aided, at: [9, 9], text: Aid}]\n"
    let editor = EditorFixture(
      Self.many.replacing("      - menu: drinks", with: slots + "      - menu: drinks")
        .replacing("  - page: three", with: over + "  - page: three"))
    guard command != "play" else {
      #expect(throws: EditRefusal.self) {
        try editor.service.edits(
          adding: command, toActions: [.key("on"), .key("selected")], of: .control("brew"),
          in: editor.path)
      }
      return
    }
    for (owner, event) in [
      (.control("brew"), "selected"), (.control("brew"), "pressed"), (.control("drinks"), "opened"),
      (.page("one"), "shown"), (.page("two"), "shown"), (.item("tea", of: "wheel"), "selected"),
      (.item("coffee", of: "wheel"), "held"), (.control("minute"), "due"), (.kiosk, "started"),
    ] as [(KeyOwner, String)] {
      let path: [KeyOwner.Step] = [.key("on"), .key(event)]
      let old = try commands(editor, owner)
      guard
        try editor.service.actions(of: owner, in: editor.path).contains(where: { $0.cause == event }
        )
      else { continue }
      let more = try applied(
        editor,
        try editor.service.edits(adding: command, toActions: path, of: owner, in: editor.path))
      #expect(errors(more) == [], "\(owner) \(event): \(more.text)")
      #expect(try commands(more, owner)[event] == (old[event] ?? []) + [command])
      let number = old[event]?.count ?? 0
      let less = try applied(
        more,
        try more.service.edits(
          removing: .part(of: owner, path: path + [.index(number)]), in: more.path))
      #expect(less.text == editor.text, "\(owner) \(event)")
      // Changes it to each other kind and sets its fields.
      for other in ["go", "set", "emit", "wake"] {
        let action = KeyOwner.part(of: owner, path: path + [.index(number)])
        let changed = try applied(
          more, try more.service.edits(choosing: other, for: action, in: more.path))
        #expect(errors(changed) == [])
        #expect(try commands(changed, owner)[event]?.last == other)
        guard other == "set" else { continue }
        let values = KeyOwner.part(of: owner, path: path + [.index(number), .key("set")])
        let set = try applied(
          changed,
          try changed.service.edits(
            setting: "name", of: values, to: .text("{cups} x"), in: changed.path))
        #expect(errors(set) == [] && set.text.contains("name: \"{cups} x\""))
      }
    }
  }

  // MARK: Fuzzing

  /// A random rewrite of the file with other indentation, comments, line ends and order.
  private func random(_ generator: inout SeededGenerator) -> String {
    func comment(_ column: Int) -> String {
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: "\(String(repeating: " ", count: column))# a: [b, {c}] 😀\n"
      case 1: "\n"
      default: ""
      }
    }
    func tail() -> String {
      ["", "", "  # tail", " ", "\t# tab"].randomElement(using: &generator) ?? ""
    }
    var text = "kiosk: k\nvalues: {n: 1}\npages:\n"
    let outer = Int.random(in: 0...1, using: &generator) * 2
    let indentation = String(repeating: " ", count: outer)
    for page in 0..<Int.random(in: 2...3, using: &generator) {
      text += comment(outer) + "\(indentation)- page: p\(page)\(tail())\n"
      let inner = outer + 2 + Int.random(in: 0...1, using: &generator) * 2
      let own = String(repeating: " ", count: inner)
      text += "\(indentation)  controls:\(tail())\n"
      for control in 0..<Int.random(in: 1...4, using: &generator) {
        text += comment(inner)
        let id = "c\(page)x\(control)"
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
          text += "\(own)- {label: \(id), at: [ 1,  2 ], text: '\(id) # no'}\(tail())\n"
        case 1:
          text +=
            "\(own)-   menu: \(id)\(tail())\n\(own)    at: [1, 2]\n\(own)    label: |\n"
            + "\(own)      two\n\(own)      lines\n\(own)    items:\n"
          for item in 0..<Int.random(in: 1...3, using: &generator) {
            text +=
              comment(inner + 4) + "\(own)    - id: i\(item)\(tail())\n\(own)      label: \"ü\"\n"
          }
        case 2:
          text +=
            "\(own)- pinwheel: \(id)\n\(own)  at: [5, 5]\n\(own)  radius: 50\n\(own)  wedges: [ {id: i0} ,{id: i1},{id: i2, label: '[x'}]\(tail())\n"
        default:
          text +=
            "\(own)- button: \(id)\n\(own)  at: [3, 4]\n\(own)  size: [5, 6]\n\(own)  on:\n\(own)    selected:\n"
            + "\(own)    - go: p0\(tail())\n\(own)    - {set: {n: \"{n + 1}\"}}\n"
        }
      }
    }
    switch Int.random(in: 0..<3, using: &generator) {
    case 0: text.removeLast()
    case 1: text += "theme: dark\n"
    default: text += "\n\n# end\n"
    }
    return Bool.random(using: &generator) ? text : text.replacing("\n", with: "\r\n")
  }

  @Test(arguments: 0..<10)
  func `elements of randomly formatted files can be moved, copied and removed`(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    var count = 0
    for _ in 0..<100 {
      let text = random(&generator)
      let editor = EditorFixture(text)
      try #require(errors(editor) == [], "\(text)")
      let owners = owners(of: editor)
      let owner = try #require(owners.randomElement(using: &generator))
      if let change = try? editor.service.edits(moving: owner, forward: true, in: editor.path),
        !change.edits.isEmpty
      {
        let moved = try applied(editor, change)
        #expect(errors(moved) == [], "\(owner) \(text)")
        #expect(Set(self.owners(of: moved)) == Set(owners), "\(owner) \(text)")
        let back = try applied(
          moved, try moved.service.edits(moving: owner, forward: false, in: moved.path))
        #expect(back.text == text, "\(owner)")
        count += 1
      }
      if let change = try? editor.service.edits(duplicating: owner, in: editor.path) {
        let more = try applied(editor, (change.path, change.edits))
        #expect(errors(more) == [], "\(owner) \(text)")
        let name = try #require(change.name)
        let copy: KeyOwner =
          switch owner {
          case .page: .page(name)
          case .item(_, let control): .item(name, of: control)
          default: .control(name)
          }
        let less = try applied(more, try more.service.edits(removing: copy, in: more.path))
        #expect(less.text == text, "\(owner)")
        count += 1
      }
      if let change = try? editor.service.edits(removing: owner, in: editor.path) {
        let less = try applied(editor, change)
        #expect(Set(self.owners(of: less)).isSubset(of: owners), "\(owner) \(text)")
        #expect(!self.owners(of: less).contains(owner))
        count += 1
      }
    }
    #expect(count > 100)
  }

  private func owners(of editor: EditorFixture) -> [KeyOwner] {
    guard let draft = editor.service.workspace.draft(editor.path) else { return [] }
    return draft.pageNames.map { .page($0) }
      + draft.controls.flatMap { control in
        [.control(control.id)] + control.items.map { .item($0, of: control.id) }
      }
  }
}
