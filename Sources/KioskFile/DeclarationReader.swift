// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelGeometry
internal import Kiosk

/// Reads the outline, then pages and controls. Each page's reader has its grid, each control's its
/// templates.
final class DeclarationReader: KioskPass, ControlFile {
  let outline: Outline
  let grid: PageGrid
  private let bindings: [DeclaredControl.Binding]
  private(set) var items: [DeclaredControl.Item] = []
  private var itemMarks: [String: Mark] = [:]

  init(_ outline: Outline, after other: KioskPass) {
    (self.outline, grid, bindings) = (outline, PageGrid(), [])
    super.init(after: other, constants: outline.screen.constants)
  }

  private init(
    _ outer: DeclarationReader, grid: PageGrid? = nil, bindings: [DeclaredControl.Binding] = []
  ) {
    (outline, self.grid, self.bindings) = (outer.outline, grid ?? outer.grid, bindings)
    super.init(after: outer)
  }

  // MARK: Pages and controls

  func page(_ node: Node) -> Page? {
    if let name = node["page"], let text = name.text,
      let first = deferred.pages.add(
        page: text, isOver: node["over"]?.flag == true, at: name.mark)
    {
      report(duplicate: "page", text, first: first, at: name.mark)
    }
    let grid = Table<Page>.page.values(of: ["grid"], in: node, self)
    let own = ((grid["grid"] ?? nil) as? PageGrid).map { turned($0, of: node) }
    let reader = DeclarationReader(self, grid: own)
    return Table<Page>.page.form(after: grid).read(node, reader)
  }

  /// Reads a control, and records it with its items and templates.
  func control(_ type: ControlType, _ written: Node) -> PlacedControl? {
    let node = calmed(placed(outline.styles.applied(to: written, type.table.keys), type), type)
    var bindings: [DeclaredControl.Binding] = []
    let plain = type.table.keys.replacing(in: node) { follow($0, $1, $2, &bindings) }
    let reader = DeclarationReader(self, bindings: bindings)
    let first = deferred.assets.count
    var entry = type.table.form.read(plain, reader)
    // The control's own font decides the meaning of its icons.
    if node["icon_font"] != nil {
      let own = deferred.assets[first...].filter { $0.kind != .icon }
      deferred.assets.replaceSubrange(first..., with: own)
    }
    for item in reader.items { entry?.itemLanguages[item.id] = item.language }
    for binding in bindings { entry?.bindings[binding.property] = binding.template }
    if let id = node.pairs.first?.value, let name = id.text {
      let control = DeclaredControl(
        id: name, type: type, control: entry?.control, node: plain,
        source: Declaration(type.table.keys, plain, in: path(of: plain.mark)),
        items: reader.items, bindings: bindings)
      add(control, at: id.mark)
      link(control, actions: node["on"], spoken: node["spoken"])
    }
    return entry
  }

  /// Records a control, even with errors, because others may refer to it.
  func add(_ control: DeclaredControl, at mark: Mark) {
    if let first = deferred.pages.add(control, at: mark) {
      report(duplicate: "id", control.id, first: first, at: mark)
    }
  }

  private func link(_ control: DeclaredControl, actions: Node?, spoken: Node?) {
    link("on", actions, .actions(of: control.events)) { $0.actions = $1 }
    link("spoken", spoken, .filled) { $0.spoken = $1 }
    for item in control.items {
      let events = control.events.filter { item.events.contains($0.name) }
      link("on", item.actions, .actions(of: events)) { $0.itemActions[item.id] = $1 }
      link("spoken", item.spoken, .filled) { $0.itemSpoken[item.id] = $1 }
    }
    if !control.bindings.isEmpty {
      deferred.links.append(
        Link(path: path) { reader, _ in reader.check(control.bindings, of: control) })
    }
  }

  private func link<Value>(
    _ key: String, _ node: Node?, _ form: Form<Value>,
    _ store: @escaping (inout PlacedControl, Value) -> Void
  ) {
    node.map { node in inside(key: key) { link(node, form, store) } }
  }

  /// Removes inertia that the file doesn't set, for less motion.
  private func calmed(_ node: Node, _ type: ControlType) -> Node {
    guard outline.screen.screen.hasLessMotion, type.table.keys.names.contains("inertia"),
      node["inertia"] == nil, node.kind == .map
    else { return node }
    let none = Node(.scalar("none", isPlain: true), at: node.mark)
    return Node(
      .map(node.pairs + [Node.Pair(key: "inertia", keyMark: node.mark, value: none)]),
      at: node.mark)
  }

  // MARK: The file of a control

  var screenSize: Size { outline.screen.screen.size }
  var isScreenRound: Bool { outline.screen.screen.isRound }
  var fingerSize: Double { outline.screen.fingerSize }

  func image(_ name: String, at mark: Mark) -> String { use(.image, name, at: mark).name }

  func use(icon name: String, at mark: Mark) { use(.icon, name, at: mark) }

  var styles: Styles { outline.styles.values }

  /// Records the fonts of a control's text. `own` is the font in its keys.
  func use(_ own: Font, of control: (any Control)?, at mark: Mark) {
    for outer in [Font()] + outline.themes.fonts.map(\.font) {
      let font = own.inheriting(from: outer).inheriting(from: outline.screen.screen.font)
      use(font.preferring(weight: control?.fontWeight ?? FaceName.regular), at: mark)
    }
  }

  func add(
    item id: String, at mark: Mark, events: [String], actions: Node?, spoken: Node?,
    language: String?
  ) {
    if let first = itemMarks[id] {
      report(duplicate: "id", id, first: first, at: mark)
    } else {
      itemMarks[id] = mark
    }
    items.append(
      .init(id: id, events: events, actions: actions, spoken: spoken, language: language))
  }

  func add(target what: String, size: Size, at mark: Mark) {
    deferred.targets.append((size, what, mark))
  }

  func add(values count: Int, at mark: Mark) { spend(count, of: .values, at: mark) }

  func isWritten(_ key: String) -> Bool { !bindings.contains { $0.property == key } }
}

extension Reader {
  var declaring: DeclarationReader {
    guard let reader = self as? DeclarationReader else {
      preconditionFailure("this table is a page's or a control's")
    }
    return reader
  }
}
