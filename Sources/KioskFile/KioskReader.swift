// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelJSON
internal import Kiosk
internal import RoundelMotion

/// The reader of links, which knows all names of the kiosk.
final class KioskReader: KioskPass {
  let outline: Outline
  let pages: DeclaredPages
  /// The kiosk's values. Templates of computed values are added once they are resolved.
  private(set) var values: [ValueDeclaration]
  private(set) var names = Names()
  /// The event whose actions are being read.
  private(set) var event: EventType?
  /// The names read by bindings, computed values, entries of `texts` and the theme.
  var graph = BindingGraph()
  private var interfaces: [String: Interface] = [:]
  /// The valid replacements of controls with errors, by type and items.
  private var placeholders: [[String]: any Control] = [:]
  private var fittingIDs: [String: [String]] = [:]

  init(_ outline: Outline, _ pages: DeclaredPages, after other: KioskPass) {
    (self.outline, self.pages) = (outline, pages)
    values = outline.values.declarations
    super.init(after: other, constants: outline.screen.constants)
  }

  /// Determines the kinds of all names, and resolves the names in computed values.
  func learnNames() {
    names = Names(values: values, texts: Set(outline.texts.map(\.key)))
    graph.add(.texts, .start, reads: outline.texts.map { .text($0.key) })
    for control in pages.controls {
      names.controls[control.id] = .some(
        example(of: control).map { PropertyKinds($0, source: control.source) })
    }
    for name in outline.values.computed.keys { names.add(unknown: name) }
    for value in outline.values.computedInOrder {
      let template = inside(key: value.name) { resolve(value.template, at: value.mark) }
      guard let template, let index = values.firstIndex(where: { $0.name == value.name }) else {
        continue
      }
      values[index].template = template
      names.add(values[index])
      graph.add(.value(value.name), value.mark, reads: template.names)
      if !values[index].unit.isEmpty, !Self.suits(template.kind, .number) {
        report(
          "\(value.name.quoted) has a unit but is \(template.kind)", at: value.mark,
          expected: "a number with \"unit\"")
      }
    }
  }

  func inside<T>(event: EventType, _ read: () -> T) -> T {
    (self.event, names.event, names.isEventOpen) = (event, event.kinds, event.isOpen)
    defer { (self.event, names.event, names.isEventOpen) = (nil, nil, false) }
    return read()
  }

  func inside<T>(sentence: [String: Value.Kind]?, _ read: () -> T) -> T {
    names.sentence = sentence
    defer { names.sentence = nil }
    return read()
  }

  // MARK: Controls

  /// Cached facts about a control for references to it.
  private final class Interface {
    let properties: PropertyKinds
    /// Finding each name in a large control would be slow.
    let known: Set<String>
    let names: [String]
    var trial: any Control
    /// The cost of finding one property.
    let size: Int

    init(_ control: any Control, _ source: Declaration?) {
      properties = PropertyKinds(control, source: source)
      trial = control
      names = properties.names(upTo: .max)
      known = Set(names)
      size = properties.states.count + control.items(at: .zero).count
    }
  }

  func controlIDs(knowing command: String?) -> [String] {
    if let known = fittingIDs[command ?? ""] { return known }
    let fitting = pages.controls.filter { control in
      guard let command else { return true }
      return example(of: control)?.commands.contains(command) ?? false
    }
    let ids = fitting.map(\.id)
    fittingIDs[command ?? ""] = ids
    return ids
  }

  /// The control, or a valid replacement for one with errors, or nil if its type is unknown.
  private func example(of control: DeclaredControl) -> (any Control)? {
    guard control.control == nil, let type = control.type else { return control.control }
    let items = control.items.map(\.id)
    let key = [type.name] + items
    if let known = placeholders[key] { return known }
    let made = type.placeholder(items: items)
    placeholders[key] = made
    return made
  }

  private func interface(of control: DeclaredControl) -> Interface? {
    if let known = interfaces[control.id] { return known }
    guard let made = example(of: control).map({ Interface($0, control.source) }) else { return nil }
    interfaces[control.id] = made
    return made
  }

  /// Sets the value in a reused copy, because copying a large control for each setting is slow.
  func tryOut(
    _ property: String, of control: DeclaredControl, _ value: Value, at mark: Mark
  ) throws(PropertyError) {
    if PlacedControl.common(property) != nil {
      guard case .flag = value else { throw .unsuitable(property, expected: Bool.expected) }
      return
    }
    guard let interface = interface(of: control) else { return }
    if case .key(let key) = interface.properties.row(property) {
      guard key.role == .variable else { throw .fixed(property) }
      let node = Node(JSONValue(value), at: mark)
      // Finds images that only an action names.
      _ = key.read(node, node, DeclarationReader(outline, after: self))
      return
    }
    // The valid values of a control with errors aren't known.
    guard control.control != nil else { return }
    guard spend(interface.size, of: .trials, at: mark) else { return }
    var events: [ControlEvent] = []
    try interface.trial.set(property, to: value, at: .zero, events: &events)
  }

  /// Whether a state hides a bound key of the same name.
  func isHidden(_ binding: DeclaredControl.Binding, of control: DeclaredControl) -> Bool {
    example(of: control).map {
      PropertyKinds($0, source: control.source).isHidden(binding.property)
    } ?? false
  }

  /// Returns nil if the property or key doesn't exist.
  func kind(of property: String, of control: DeclaredControl) -> Value.Kind? {
    interface(of: control)?.properties[property]
  }

  static func suits(_ given: Value.Kind, _ wanted: Value.Kind) -> Bool {
    given == wanted || given == .any || wanted == .any
  }
}

extension KioskReader: KioskNames {
  var pageNames: [String] { pages.names }
  var valueNames: [String] { values.map(\.name) }
  func kind(ofValue name: String) -> Value.Kind? { names.values[name] }

  func has(page name: String) -> Bool { pages.marks[name] != nil }
  func isOver(page name: String) -> Bool { pages.overlays.contains(name) }

  func names(ofControl id: String) -> ControlNames? {
    guard let control = pages[id] else { return nil }
    guard let interface = interface(of: control) else { return ControlNames(kind: "control") }
    return ControlNames(
      kind: control.type?.name ?? "control", commands: interface.trial.commands
    ) { property in
      // Keys of an omitted map have no entry among the known names.
      interface.known.contains(property)
        || interface.known.count <= 1000 && interface.properties[property] != nil
    } properties: {
      interface.names
    }
  }
}

extension Reader {
  /// This reader as a kiosk's. Other readers read no links.
  var kiosk: KioskReader {
    guard let reader = self as? KioskReader else {
      preconditionFailure("a link is read when all names are known")
    }
    return reader
  }
}
