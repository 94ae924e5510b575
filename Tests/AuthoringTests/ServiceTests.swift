// SPDX-License-Identifier: MIT

import RoundelDeclarations
import RoundelDrawing
import Foundation
import KioskFile
import TestSupport
import Testing

@testable import RoundelAuthoring

/// In-memory files, with a position in one of them marked by `▸`.
struct EditorFixture {
  let service: LanguageService
  let path: String
  let offset: Int

  init(
    _ text: String, path: String = "/k/k.yaml", others: [String: String] = [:],
    readsDisk: Bool = false
  ) {
    let parts = text.split(separator: "▸", omittingEmptySubsequences: false)
    let workspace = Workspace { path in
      readsDisk
        ? try? Array(Data(contentsOf: URL(filePath: path))) : others[path].map { Array($0.utf8) }
    } list: { folder in
      others.keys.filter { $0.hasPrefix(folder) }.map { String($0.dropFirst(folder.count)) }
        .filter { !$0.contains("/") }
    }
    workspace.put(Array(parts.joined().utf8), at: path)
    service = LanguageService(workspace)
    self.path = path
    offset = parts.count > 1 ? parts[0].utf8.count : 0
  }

  var text: String { String(decoding: service.workspace.bytes(path) ?? [], as: UTF8.self) }

  /// The labels of the completions at the position.
  var completions: [String] { service.completions(path, at: offset).items.map(\.label) }

  /// The file after choosing a completion.
  func choosing(_ label: String) throws -> String {
    let found = service.completions(path, at: offset)
    let item = try #require(found.items.first { $0.label == label }, "\(found.items.map(\.label))")
    return SourceFile(Array(text.utf8)).applying([TextEdit(found.range, item.text)]).text
  }

  var hover: String? { service.hover(path, at: offset)?.text }

  /// The occurrences of the name at the position, with their lines.
  var references: [String] {
    service.references(path, at: offset).map(described)
  }

  var definitions: [String] { service.definitions(path, at: offset).map(described) }

  private func described(_ location: Location) -> String {
    let source = service.workspace.document(location.path)?.source ?? SourceFile([])
    let line = source.mark(at: location.range.lowerBound).line
    return "\(location.path.split(separator: "/").last ?? ""):\(line) \(source[location.range])"
  }

  func renamed(to name: String) throws -> [String: String] {
    try service.rename(path, at: offset, to: name).reduce(into: [:]) { all, file in
      let source = service.workspace.document(file.key)?.source ?? SourceFile([])
      all[file.key] = source.applying(file.value).text
    }
  }
}

let coffee = """
  kiosk: coffee
  values: {cups: 1, guest: ""}
  languages: [en, de]
  texts:
    hello: {en: "Hello {guest}", de: "Hallo {guest}"}
  styles:
    title: {font_size: 64}
  pages:
    - page: start
      controls:
        - label: greeting
          at: [640, 100]
          style: title
          text: "{texts.hello}, {cups} {stop-watch.text} {drink.tea.label}"
        - menu: drink
          at: [640, 400]
          label: Drinks
          items: [{id: tea, label: Tea}, {id: juice, label: Juice}]
          on:
            selected: [{go: order, when: event.item == 'tea' && cups > 0}, {set: {cups: "{cups + 1}", drink.tea.label: x}}]
        - button: stop-watch
          at: [100, 100]
          size: [80, 80]
    - page: order
      swipe: {right: start}
      controls: [{timer: minute, every: 60, on: {due: [{go: start}]}}]

  """

@Suite struct ServiceTests {
  // MARK: Completion

  @Test(arguments: [
    ("k▸", ["kiosk"]), ("kiosk: k\n▸\npages: []", ["screen", "values", "texts"]),
    ("kiosk: k\nscreen:\n  ▸\npages: []", ["size", "rotate", "background"]),
    ("kiosk: k\nscreen: {si▸}", ["size"]),
    ("kiosk: k\npages:\n  - page: a\n    controls:\n      - ▸", ["button", "dial", "menu"]),
    (
      "kiosk: k\npages:\n  - page: a\n    controls:\n      - button: b\n        ▸",
      ["text", "color", "at", "on"]
    ),
    (
      "kiosk: k\npages:\n  - page: a\n    controls:\n      - button: b\n        on:\n          ▸",
      ["selected", "confirmed"]
    ),
    (
      "kiosk: k\npages:\n  - page: a\n    controls:\n      - button: b\n        on: {selected: [{▸}]}",
      ["go", "set", "emit", "when"]
    ),
    (
      "kiosk: k\npages:\n  - page: a\n    controls:\n      - button: b\n        color: ▸",
      ["accent", "red", "tomato"]
    ),
    (
      "kiosk: k\npages:\n  - page: a\n    controls:\n      - button: b\n        shape: ▸\n",
      ["round", "rounded"]
    ),
    (
      "kiosk: k\npages:\n  - page: a\n    controls:\n      - button: b\n        enabled: ▸\n",
      ["true", "false"]
    ),
    ("kiosk: k\ntheme: ▸\nthemes: {night: {}}", ["dark", "light", "night"]),
  ])
  func `keys and values are completed`(_ text: String, _ expected: [String]) {
    let found = EditorFixture(text).completions
    for word in expected { #expect(found.contains(word), "\(word) in \(found)") }
  }

  @Test(arguments: [
    ("{go: order", "{go: ▸order", ["start", "order", "home", "back"]),
    ("style: title", "style: ▸title", ["title"]),
    ("{cups}", "{▸cups}", ["cups", "drink", "clamp", "now"]),
    ("{cups}", "{cups + texts.▸}", ["hello"]), ("{cups}", "{drink.▸}", ["open", "tea", "enabled"]),
    ("{cups}", "{drink.tea.▸}", ["label", "color"]), ("{cups}", "{now.▸}", ["getHours"]),
    ("event.item", "event.▸item", ["item", "path", "label"]),
    ("{set: {cups:", "{set: {▸cups:", ["cups", "language", "drink"]),
    ("{right: start}", "{right: ▸}", ["start", "order"]),
    ("{en: \"Hello", "{▸: x, en: \"Hello", ["de"]),
  ])
  func `names are completed in the right places`(_ old: String, _ new: String, _ expected: [String])
  {
    let found = EditorFixture(coffee.replacing(old, with: new)).completions
    for word in expected { #expect(found.contains(word), "\(word) in \(found)") }
  }

  @Test func `a completion replaces only the word`() throws {
    let head = "kiosk: k\npages:\n  - page: a\n    controls:\n      - button: b\n        "
    #expect(
      try EditorFixture(head + "te▸\n        size: [1, 2]\n").choosing("text") == head
        + "text: \n        size: [1, 2]\n")
    #expect(
      try EditorFixture(head + "color: \"acc▸\"\n").choosing("accent") == head
        + "color: \"accent\"\n")
    #expect(
      try EditorFixture(head + "on: {selected: [{go: ▸}]}").choosing("a") == head
        + "on: {selected: [{go: a}]}")
    let bound = coffee.replacing("{cups}", with: "{cu▸ps > 1}")
    #expect(
      try EditorFixture(bound).choosing("guest") == coffee.replacing("{cups}", with: "{guest > 1}"))
    let dashed = coffee.replacing("{cups}", with: "{sto▸}")
    #expect(
      try EditorFixture(dashed).choosing("stop-watch")
        == coffee.replacing("{cups}", with: "{`stop-watch`}"))
  }

  @Test func `files and the names of a for are completed`() {
    let head = "kiosk: k\npages:\n  - page: a\n    controls:\n      - "
    let image = EditorFixture(
      head + "image: i\n        file: ▸\n", others: ["/k/wall.png": "", "/k/a.yaml": ""])
    #expect(image.completions == ["wall.png"])
    let part = EditorFixture(head + "include: ▸\n", others: ["/k/wall.png": "", "/k/a.yaml": ""])
    #expect(part.completions.contains("a.yaml"))
    let loop = EditorFixture(head + "for: [{id: a, color: red}]\n        button: \"$▸\"\n")
    #expect(loop.completions == ["$index", "$id", "$color"])
  }

  @Test(arguments: [
    ("/k/lunch.roundel.yaml", "", FileKind.kiosk), ("/k/lunch.yaml", "", .part),
    ("/k/lunch.roundel.yaml", "suite: lunch", .suite), ("/k/lunch.roundel.jsonl", "", .recording),
  ])
  func `a file named as a kiosk is a kiosk, unless its content says otherwise`(
    path: String, text: String, kind: FileKind
  ) {
    #expect(EditorFixture(text, path: path).service.workspace.document(path)?.kind == kind)
  }

  @Test func `suites and recordings are completed`() {
    let suite = { (step: String) in
      EditorFixture(
        "suite: s\nkiosk: k.yaml\ntests:\n  - test: t\n    steps:\n      - \(step)\n",
        path: "/k/s.yaml",
        others: ["/k/k.yaml": coffee]
      ).completions
    }
    #expect(suite("▸").contains("tap"))
    #expect(suite("tap: ▸").contains("drink/tea"))
    #expect(suite("expect: {▸}").contains("cups"))
    #expect(suite("go: ▸").contains("order"))
    #expect(suite("set: {▸}").contains("cups"))
  }

  @Test func `recordings are completed`() {
    func recording(_ line: String) -> [String] {
      EditorFixture(
        "{\"t\":0,\"end\":true}\n\(line)", path: "/k/k.jsonl", others: ["/k/k.yaml": coffee]
      ).completions
    }
    #expect(recording(#"{"t":0,"▸"}"#).starts(with: ["down", "move"]))
    #expect(recording(#"{▸"#).starts(with: ["t", "down"]))
    #expect(recording(#"{"go":"order",▸"#) == ["t"])
    #expect(recording(#"{"t":0,"down":{"finger":0,"▸"#) == ["x", "y"])
    #expect(recording(#"{"t":0,"up":{▸}}"#) == ["finger"])
    #expect(recording(#"{"t":0,"set":{"▸":3}}"#).contains("cups"))
    #expect(recording(#"{"t":0,"set":{"drink.▸":3}}"#).contains("drink.open"))
    #expect(recording(#"{"t":0,"get":"▸"}"#).contains("cups"))
    #expect(recording(#"{"t":0,"go":▸}"#).contains("order"))
    #expect(recording(#"{"t":0,"down":{"finger":0},"▸"#).isEmpty)
    #expect(recording(#"{"t":0,"emit":{▸"#) == ["name"])
    #expect(recording(#"{"t":0,"key":"▸"#).contains("enter"))
    // Text that isn't a line of a recording has no completions.
    for line in ["▸", "]▸", "}}▸", #""▸"#, #"{"t":[▸"#, "{{{▸", ":,▸"] {
      #expect(recording(line).isEmpty)
    }
  }

  // MARK: Hover

  @Test func `hovering shows the reference of a key or the meaning of a name`() throws {
    let key = coffee.replacing("size: [80", with: "si▸ze: [80")
    #expect(EditorFixture(key).hover?.hasPrefix("`size`") == true)
    let reference = KioskReference.sections.first { $0.name == "button" }?.text ?? ""
    #expect(reference.contains(try #require(EditorFixture(key).hover)))
    #expect(
      EditorFixture(coffee.replacing("- menu:", with: "- me▸nu:")).hover?.contains("**menu**")
        == true)
    #expect(
      EditorFixture(coffee.replacing("selected:", with: "sel▸ected:")).hover?.contains("`selected`")
        == true)
    #expect(
      EditorFixture(coffee.replacing("{go: order,", with: "{g▸o: order,")).hover?.contains("`go`")
        == true)
    #expect(
      EditorFixture(coffee.replacing("{cups}", with: "{cu▸ps}")).hover?.contains(
        "value `cups`: a number")
        == true)
    #expect(
      EditorFixture(coffee.replacing("{cups}", with: "{ab▸s(cups)}")).hover?.contains(
        "without its sign")
        == true)
  }

  // MARK: Names

  @Test(arguments: [
    (
      "{cups}", "{cu▸ps}",
      ["k.yaml:2 cups", "k.yaml:14 cups", "k.yaml:20 cups", "k.yaml:20 cups", "k.yaml:20 cups"]
    ),
    ("texts.hello", "texts.he▸llo", ["k.yaml:5 hello", "k.yaml:14 hello"]),
    ("style: title", "style: ti▸tle", ["k.yaml:7 title", "k.yaml:13 title"]),
    ("{go: order", "{go: or▸der", ["k.yaml:20 order", "k.yaml:24 order"]),
    ("{stop-watch", "{stop▸-watch", ["k.yaml:14 stop-watch", "k.yaml:21 stop-watch"]),
    ("id: tea", "id: te▸a", ["k.yaml:14 tea", "k.yaml:18 tea", "k.yaml:20 tea", "s.yaml:6 tea"]),
    (
      "menu: drink", "menu: dri▸nk",
      ["k.yaml:14 drink", "k.yaml:15 drink", "k.yaml:20 drink", "s.yaml:6 drink"]
    ),
  ])
  func `all references of a name are found`(_ old: String, _ new: String, _ expected: [String]) {
    let suite = "suite: s\nkiosk: k.yaml\ntests:\n  - test: t\n    steps:\n      - tap: drink/tea\n"
    let editor = EditorFixture(coffee.replacing(old, with: new), others: ["/k/s.yaml": suite])
    #expect(editor.references == expected)
  }

  @Test func `renaming changes all references, across files, and nothing else`() throws {
    let kiosk = """
      kiosk: k
      texts: {a: Hi} # a stays
      pages:
        - page: p
          controls:
            - include: parts/part.yaml

      """
    let part = "- label: l  # l\n  at: [1, 1]\n  text: '{texts.▸a} a {l.text}'\n"
    let editor = EditorFixture(part, path: "/k/parts/part.yaml", others: ["/k/k.yaml": kiosk])
    #expect(
      try editor.renamed(to: "greeting") == [
        "/k/k.yaml": kiosk.replacing("{a: Hi}", with: "{greeting: Hi}"),
        "/k/parts/part.yaml": editor.text.replacing("texts.a", with: "texts.greeting"),
      ])
    #expect(editor.definitions == ["k.yaml:2 a"])
    #expect(throws: RenameRefusal.self) { try editor.renamed(to: "a b") }
    let control = EditorFixture(coffee.replacing("menu: drink", with: "menu: dri▸nk"))
    let renamed = try control.renamed(to: "hot-drink")
    #expect(renamed["/k/k.yaml"]?.contains("{`hot-drink`.tea.label}") == true)
    #expect(renamed["/k/k.yaml"]?.contains("menu: hot-drink\n") == true)
    #expect(throws: RenameRefusal.self) { try control.renamed(to: "greeting") }
    #expect(throws: RenameRefusal.self) { try control.renamed(to: "a.b") }
  }

  @Test func `pages over others are completed and renamed with the messages' templates`() throws {
    let kiosk = """
      kiosk: k
      values: {cups: 0}
      on: {started: [{show: help}, {notify: "{cups} cups"}, {notify: {text: x, title: "{cups}"}}]}
      pages:
        - page: start
          controls: [{label: l, at: [1, 1], text: x}]
        - page: help
          over: true
          controls: [{label: m, at: [1, 1], text: x}]

      """
    let value = EditorFixture(kiosk.replacing("values: {cups", with: "values: {cu▸ps"))
    #expect(
      try value.renamed(to: "mugs") == [
        "/k/k.yaml": kiosk.replacing("{cups", with: "{mugs")
      ])
    let page = EditorFixture(kiosk.replacing("page: help", with: "page: he▸lp"))
    #expect(try page.renamed(to: "aid") == ["/k/k.yaml": kiosk.replacing("help", with: "aid")])
    let shown = EditorFixture(kiosk.replacing("{show: help}", with: "{show: ▸}"))
    #expect(shown.completions == ["help"])
    let destination = EditorFixture(kiosk.replacing("{show: help}", with: "{go: ▸}"))
    #expect(destination.completions == ["start", "back", "home"])
  }

  @Test func `names in a repetition are found, but can't be renamed`() throws {
    let text = """
      kiosk: k
      texts: {tea: Tea, milk: Milk}
      pages:
        - page: p
          controls:
            - for: [{id: tea}, {id: milk}]
              label: l_$id
              at: [100, 100]
              text: "{texts.$id}"
            - label: other
              at: [1, 1]
              text: "{l_te▸a.text}"

      """
    let editor = EditorFixture(text)
    #expect(editor.references == ["k.yaml:7 l_$id", "k.yaml:12 l_tea"])
    #expect(throws: RenameRefusal.self) { try editor.renamed(to: "x") }
    let inner = EditorFixture(text.replacing("▸", with: "").replacing("{tea:", with: "{te▸a:"))
    #expect(inner.references == ["k.yaml:2 tea", "k.yaml:9 $id"])
  }

  private static func drinks(_ menu: String, _ item: String) -> String {
    """
    kiosk: k
    values: {cups: 1}
    pages:
      - page: p
        controls:
          - menu: \(menu)
            at: [200, 200]
            label: "{\(menu).\(item).label}"
            items: [{id: \(item), label: Tea}]
          - label: seen
            at: [200, 400]
            text: "{cups} {\(menu).label} {cups - 1} {`\(menu)`.`\(item)`.label}"
          - button: other
            at: [200, 440]
            size: [80, 80]
            text: "{\(menu).label}"
            on: {selected: [{open: \(menu)}, {set: {\(menu).\(item).label: "{\(menu).label}"}}]}

    """
  }

  @Test(arguments: [
    ("größe", "tee"), ("menü", "grüner tee"), ("stop-watch", "süß"), ("2nd", "3rd"), ("飲み物", "茶"),
    ("my menu", "first-tea"), ("for", "in"),
  ])
  func `renaming a control or item with any letters updates its templates`(
    _ menu: String, _ item: String
  ) throws {
    let text = Self.drinks(menu, item)
    let diagnostics = ParsedKiosk(Array(text.utf8), path: "/k/k.yaml", assets: DiskAssets())
      .diagnostics
    #expect(diagnostics.isEmpty, "\(diagnostics)")
    let editor = EditorFixture(text.replacing("- menu: ", with: "- menu: ▸"))
    #expect(try editor.renamed(to: "drinks") == ["/k/k.yaml": Self.drinks("drinks", item)])
    let tea = EditorFixture(text.replacing("{id: ", with: "{id: ▸"))
    #expect(try tea.renamed(to: "tea") == ["/k/k.yaml": Self.drinks(menu, "tea")])
  }

  @Test func `a name with a dash before a dot may be a subtraction`() throws {
    let text = """
      kiosk: k
      values: {cups: 1}
      pages:
        - page: p
          controls:
            - {dial: sugar, at: [200, 200], radius: 90, min: 0, max: 9}
            - {label: l, at: [1, 1], text: "{cups-sugar.value}"}

      """
    let editor = EditorFixture(text.replacing("dial: ", with: "dial: ▸"))
    #expect(try editor.renamed(to: "milk") == ["/k/k.yaml": text.replacing("sugar", with: "milk")])
    #expect(editor.references.count == 2)
  }

  @Test func `completion replaces a word in any script`() throws {
    let text = Self.drinks("größe", "tee").replacing("text: \"{größe.label}", with: "text: \"{grö▸")
    #expect(try EditorFixture(text).choosing("größe").contains("text: \"{`größe`"))
    let members = Self.drinks("größe", "tee").replacing(
      "text: \"{größe.label}", with: "text: \"{größe.▸}")
    #expect(EditorFixture(members).completions.contains("tee"))
  }

  @Test func `renaming keeps every example valid`() throws {
    var random = SeededGenerator(seed: 3)
    var count = 0
    for path in try examples(in: "deploy/examples/kiosks") {
      let text = try bytes(path)
      let editor = EditorFixture(
        String(decoding: text, as: UTF8.self), path: repository.appending(path: path).path,
        readsDisk: true)
      guard editor.service.workspace.document(editor.path)?.kind == .kiosk,
        let index = editor.service.workspace.index(editor.path)
      else { continue }
      let loader = DiskAssets()
      let before = ParsedKiosk(text, path: editor.path, assets: loader).diagnostics.count
      for symbol in index.occurrences.keys.sorted(by: { "\($0)" < "\($1)" }).shuffled(
        using: &random
      ).prefix(4) {
        guard
          let place = index.occurrences[symbol]?.first(where: {
            $0.location.path == editor.path && $0.isDeclaration
          })
        else { continue }
        let offset = place.location.range.lowerBound
        // Language codes are identified by their names.
        guard let edits = try? editor.service.rename(editor.path, at: offset, to: "renamed_name"),
          edits.keys.allSatisfy({ $0 == editor.path }), let own = edits[editor.path]
        else { continue }
        let new = SourceFile(text).applying(own)
        let after = ParsedKiosk(new.bytes, path: editor.path, assets: loader).diagnostics
        #expect(after.count == before, "\(path) \(symbol): \(after)")
        count += 1
      }
    }
    #expect(count > 10)
  }

  // MARK: Kiosks of parts

  /// A service with `/k/part.yaml` open in a folder of `count` files of about 64 KiB, and the
  /// number of its reads. The files are kiosks, or unrelated. The last kiosk includes the part.
  private func crowd(
    _ count: Int, foreign: Bool = false
  ) -> (service: LanguageService, reads: () -> Int) {
    var reads = 0
    let filling = String(repeating: "# A long comment.\n", count: 3600)
    let workspace = Workspace { path in
      reads += 1
      let name = path == "/k/k\(count - 1).yaml" ? "part.yaml" : "none.yaml"
      let kiosk = "kiosk: k\npages:\n  - page: p\n    controls:\n      - include: \(name)\n"
      return path.hasPrefix("/k/k")
        ? Array(((foreign ? "names: [k]\n" : kiosk) + filling).utf8) : nil
    } list: { folder in
      folder == "/k/" ? (0..<count).map { "k\($0).yaml" } : []
    }
    workspace.put(Array("- {label: l, at: [1, 1], text: Hi}\n".utf8), at: "/k/part.yaml")
    return (LanguageService(workspace), { reads })
  }

  @Test func `the search for a part's kiosk is divided into slices`() {
    let (service, reads) = crowd(40)
    var (slices, most) = (0, 0)
    var owner: String?
    repeat {
      let before = reads()
      owner = service.workspace.kiosk(of: "/k/part.yaml")
      most = max(most, reads() - before)
      slices += 1
    } while owner == nil && service.workspace.isSearching(for: "/k/part.yaml")
    #expect(owner == "/k/k39.yaml")
    // A kiosk and its included file.
    #expect(slices > 10 && most <= 4, "\(slices) slices of up to \(most) files")
    // The owner is then known, even during typing.
    service.workspace.put(Array("- {label: m, at: [1, 1], text: Hi}\n".utf8), at: "/k/part.yaml")
    let before = reads()
    #expect(service.workspace.kiosk(of: "/k/part.yaml") == owner && reads() == before)
  }

  @Test func `an orphaned part causes no reads once all files are known`() {
    let (service, reads) = crowd(40, foreign: true)
    repeat {
      #expect(service.workspace.kiosk(of: "/k/part.yaml") == nil)
    } while service.workspace.isSearching(for: "/k/part.yaml")
    #expect(reads() == 40)
    service.workspace.put(Array("- {label: m, at: [1, 1], text: Hi}\n".utf8), at: "/k/part.yaml")
    #expect(service.workspace.kiosk(of: "/k/part.yaml") == nil && reads() == 40)
    service.workspace.refresh()
    repeat {
      _ = service.workspace.kiosk(of: "/k/part.yaml")
    } while service.workspace.isSearching(for: "/k/part.yaml")
    #expect(reads() == 80)
  }

  @Test(arguments: [
    ("kiosk: k", FileKind.kiosk), ("\u{feff}kiosk: k", .kiosk), ("{kiosk: k}", .kiosk),
    ("{\"kiosk\": k}", .kiosk), ("# kiosk: k\nx: 1", .part), ("a: 1\r\nkiosk: k", .kiosk),
    ("kiosk: k.yaml\nsuite: s", .suite), ("  kiosk: k", .part), ("kiosks: [k]", .part), ("", .part),
    ("kiosk", .part), ("\"suite\": s", .suite), ("a: 1\n\nsuite: s\n", .suite),
  ])
  func `the kind of a file is determined by its first words`(_ text: String, _ kind: FileKind) {
    #expect(EditorFixture(text).service.workspace.document("/k/k.yaml")?.kind == kind)
  }

  // MARK: Structure

  @Test func `the outline contains pages, controls and items`() {
    let outline = EditorFixture(coffee).service.outline("/k/k.yaml")
    #expect(outline.map(\.name) == ["values", "texts", "styles", "start", "order"])
    #expect(outline[3].children.map(\.name) == ["greeting", "drink", "stop-watch"])
    #expect(outline[3].children[1].children.map(\.name) == ["tea", "juice"])
  }

  @Test func `selections grow, folding ranges span several lines, and colours are found`() {
    let editor = EditorFixture(coffee.replacing("{cups}", with: "{cu▸ps}"))
    let selections = editor.service.selections(editor.path, at: editor.offset)
    for (inner, outer) in zip(selections, selections.dropFirst()) {
      #expect(
        outer.lowerBound <= inner.lowerBound && inner.upperBound <= outer.upperBound
          && inner != outer)
    }
    #expect(selections.count > 6)
    #expect(editor.service.foldings(editor.path).count > 5)
    let colors = EditorFixture(
      "kiosk: k\nscreen: {background: \"#102030\"}\npages: [{page: a, background: tomato}]")
    #expect(colors.service.colors(colors.path).map(\.color.hex) == ["#102030", "#ff6347"])
  }

  @Test func `formatting doesn't change values`() throws {
    let text = "kiosk: k   \nvalues:\n  a: |\n    x  \n    y\n  b: 1 \t# c\n"
    let editor = EditorFixture(text)
    let formatted = SourceFile(Array(text.utf8)).applying(editor.service.formatting(editor.path))
    #expect(formatted.text == "kiosk: k\nvalues:\n  a: |\n    x  \n    y\n  b: 1 \t# c\n")
  }

  // MARK: Repairs

  @Test(arguments: [
    ("kiosk: k\npagess: []\n", "pagess", "kiosk: k\npages: []\n"),
    (coffee.replacing("{go: order", with: "{go: ordre"), "ordre", coffee),
    (coffee.replacing("{cups}", with: "{cusp}"), "cusp", coffee),
    (coffee.replacing("style: title", with: "style: titel"), "titel", coffee),
    (
      coffee.replacing("  - page: order", with: "  - page: order\n    background: #fff"),
      "needs quotes",
      coffee.replacing("  - page: order", with: "  - page: order\n    background: \"#fff\"")
    ),
    (
      coffee.replacing("\n        size: [80, 80]", with: ""), "missing key",
      coffee.replacing(
        "at: [100, 100]\n        size: [80, 80]",
        with: "size: [100, 100]\n        at: [100, 100]")
    ),
  ])
  func `an error can be repaired`(_ text: String, _ what: String, _ expected: String) throws {
    let editor = EditorFixture(text)
    let diagnostics = ParsedKiosk(Array(text.utf8), path: editor.path, assets: DiskAssets())
      .diagnostics
    let diagnostic = try #require(diagnostics.first { $0.message.contains(what) }, "\(diagnostics)")
    let repair = try #require(editor.service.repairs(of: diagnostic, in: editor.path).first)
    #expect(SourceFile(Array(text.utf8)).applying(repair.edits).text == expected)
  }

  // MARK: Damage

  @Test func `no request for a damaged file crashes`() throws {
    var random = SeededGenerator(seed: 5)
    let paths = try examples(in: "deploy/examples/kiosks") + examples(in: "deploy/examples/suites")
    for _ in 0..<40 {
      let path = try #require(paths.randomElement(using: &random))
      let text = try bytes(path).mutated(using: &random)
      let workspace = Workspace(
        read: { try? Array(Data(contentsOf: URL(filePath: $0))) }, list: { _ in [] })
      let service = LanguageService(workspace)
      let file = repository.appending(path: path).path
      workspace.put(text, at: file)
      for _ in 0..<3 {
        let offset = Int.random(in: 0...text.count, using: &random)
        _ = service.completions(file, at: offset)
        _ = service.hover(file, at: offset)
        _ = service.references(file, at: offset)
        _ = service.definitions(file, at: offset)
        _ = service.selections(file, at: offset)
      }
      _ = service.outline(file)
      _ = service.foldings(file)
      _ = service.colors(file)
      _ = service.formatting(file)
    }
  }
}

/// Finds every asset, and reads included files from disk.
struct DiskAssets: AssetLoader {
  func loadImage(at path: String) {}
  func loadFont(_ face: FaceName) {}
  func findProgram(_ name: String, for kiosk: String) {}
  func loadText(at path: String, inside folder: String) throws(AssetError) -> [UInt8] {
    guard let data = try? Data(contentsOf: URL(filePath: path)) else { throw AssetError("none") }
    return Array(data)
  }
}

/// Lists, maps and macros in expressions.
@Suite struct CollectionServiceTests {
  private static func text(_ template: String) -> String {
    """
    kiosk: k
    values:
      o: 1
      price: 2
      orders: [{name: tea, price: 4, parts: [{size: 1}]}, {name: soup, open: true}]
      order: {value: {id: 7, lines: [{count: 2}]}}
      found: "{orders.filter(x, has(x.price))}"
    pages:
      - page: p
        controls:
          - {label: l, at: [1, 1], text: "\(template)"}

    """
  }

  @Test(arguments: [
    ("{math.▸}", ["greatest", "abs", "sign"], ["clamp", "range"]),
    ("{lists.▸}", ["range"], ["greatest"]),
    ("{orders[0].▸}", ["name", "price", "open", "parts"], ["getHours"]),
    ("{orders[0].parts[0].▸}", ["size"], ["name"]),
    ("{order.▸}", ["id", "lines"], ["name"]),
    ("{order.lines[0].▸}", ["count"], ["id"]),
    ("{orders.▸}", ["filter", "map", "sort", "join"], ["getHours", "charAt", "price"]),
    ("{orders.filter(i, ▸", ["i", "orders", "clamp"], ["getHours"]),
    ("{orders.filter(i, i.▸", ["name", "open"], ["id"]),
    ("{orders.filter(i, i.open).map(j, j.▸", ["name", "open"], ["id"]),
    ("{orders.map(i, i.parts.map(j, j.▸", ["size"], ["name"]),
    ("{orders.filter(i, i.open).first().▸}", ["name", "price"], []),
    ("{found[0].▸}", ["price"], ["open"]),
    ("{orders[0].name.▸}", ["charAt", "split", "contains"], ["filter", "getHours"]),
    ("{ {'a': 1}.a + ▸", ["orders", "sum"], []),
  ])
  func `members, variables and functions are completed`(
    _ template: String, _ expected: [String], _ absent: [String]
  ) {
    let found = EditorFixture(Self.text(template)).completions
    for word in expected { #expect(found.contains(word), "\(word) in \(found)") }
    for word in absent { #expect(!found.contains(word), "\(word) in \(found)") }
  }

  @Test(arguments: [
    ("{math.gre▸atest(1, 2)}", "The largest of several numbers"),
    ("{math.ab▸s(1)}", "without its sign"), ("{lists.ra▸nge(3)}", "from 0 to n - 1"),
    ("{orders.fil▸ter(x, x.open)}", "meet the condition"),
    ("{orders[0].pri▸ce}", "member `price`: a number"),
    ("{orders.map(x, x.na▸me)}", "member `name`: a string"),
    ("{orders.map(x, ▸x)}", "variable of a macro"),
  ])
  func `hovering explains functions, members and variables`(_ template: String, _ text: String) {
    let hover = EditorFixture(Self.text(template)).hover
    #expect(hover?.contains(text) == true, "\(hover ?? "nothing")")
  }

  @Test func `variables of macros and members aren't references to values`() throws {
    let template = "{o + orders.map(o, o + o.price)[0]} {orders[0].price + price} { {'a': o}.a }"
    let value = EditorFixture(Self.text(template).replacing("  o: 1", with: "  ▸o: 1"))
    #expect(value.references == ["k.yaml:3 o", "k.yaml:11 o", "k.yaml:11 o"])
    #expect(
      try value.renamed(to: "n")["/k/k.yaml"]
        == value.text.replacing("  o: 1", with: "  n: 1").replacing(
          "{o + orders", with: "{n + orders"
        )
        .replacing("{'a': o}", with: "{'a': n}"))
    let price = EditorFixture(Self.text(template).replacing("  price: 2", with: "  pr▸ice: 2"))
    #expect(price.references == ["k.yaml:4 price", "k.yaml:11 price"])
  }

  @Test func `a computed name in a set is a reference`() {
    let text = """
      kiosk: k
      values: {ax▸is: x, offset_x: 0}
      pages:
        - page: p
          on: {shown: [{set: {"offset_{axis}": 1}}]}
          controls: [{label: l, at: [1, 1], text: a}]

      """
    #expect(EditorFixture(text).references == ["k.yaml:2 axis", "k.yaml:5 axis"])
  }
}
