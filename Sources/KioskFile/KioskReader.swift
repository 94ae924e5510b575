// SPDX-License-Identifier: MIT

internal import Controls
internal import Declarations
internal import Drawing
internal import Expressions
internal import JSON
internal import Kiosk
internal import Motion

/// The reader of links, which knows all names of the kiosk.
final class KioskReader: KioskPass {
  let outline: Outline
  let pages: DeclaredPages
  /// The kiosk's own values. Computed ones have their templates when these have been resolved.
  private(set) var values: [ValueDeclaration]
  /// The names that expressions may read.
  private(set) var names = Names()
  /// The event whose actions are being read; nil elsewhere.
  private(set) var event: EventType?
  /// The names that bindings, computed values, texts and the theme read.
  var graph = BindingGraph()
  private var interfaces: [String: Interface] = [:]
  /// By type and items.
  private var standIns: [[String]: any Control] = [:]
  private var fittingIDs: [String: [String]] = [:]

  init(_ outline: Outline, _ pages: DeclaredPages, after other: KioskPass) {
    (self.outline, self.pages) = (outline, pages)
    values = outline.values.declarations
    super.init(after: other, constants: outline.screen.constants)
  }

  /// Learns the kinds of all names, and looks up those that computed values read.
  func learnNames() {
    names = Names(
      values: values.reduce(into: [:]) { $0[$1.name] = $1.kind },
      texts: Set(outline.texts.map(\.key)))
    for control in pages.controls {
      names.controls[control.id] = .some(
        example(of: control).map { PropertyKinds($0, source: control.source) })
    }
    for name in outline.values.computed.keys { names.values[name] = .any }
    for value in outline.values.computedInOrder {
      let template = inside(key: value.name) { resolve(value.template, at: value.mark) }
      guard let template, let index = values.firstIndex(where: { $0.name == value.name }) else {
        continue
      }
      names.values[value.name] = template.kind
      values[index].template = template
      graph.add(.value(value.name), value.mark, reads: template.names)
      if !values[index].unit.isEmpty, !Self.suits(template.kind, .number) {
        report(
          "\(value.name.quoted) has a unit and is \(template.kind)", at: value.mark,
          expected: "a number with \"unit\"")
      }
    }
  }

  /// Reads what may name the fields of an event.
  func inside<T>(event: EventType, _ read: () -> T) -> T {
    (self.event, names.event) = (event, event.kinds)
    defer { (self.event, names.event) = (nil, nil) }
    return read()
  }

  /// Reads what may name the parts of a spoken sentence.
  func inside<T>(sentence: [String: Value.Kind]?, _ read: () -> T) -> T {
    names.sentence = sentence
    defer { names.sentence = nil }
    return read()
  }

  // MARK: Controls

  /// The answers of a control to references to it, asked once.
  private final class Interface {
    let properties: PropertyKinds
    /// All names. To ask a large control for each takes long.
    let known: Set<String>
    /// All names, for what a mistake expects.
    let names: [String]
    /// A copy in which properties are set, to see whether that can be done.
    var trial: any Control
    /// The amount of work to look through for one property.
    let size: Int

    init(_ control: any Control, _ source: Declaration?) {
      properties = PropertyKinds(control, source: source)
      trial = control
      names = properties.names(upTo: .max)
      known = Set(names)
      size = properties.states.count + control.items(at: .zero).count
    }
  }

  /// The ids of the controls that a reference may be meant for: those that know a command, or all.
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

  /// A control, or a good one of its type and with its items where it has mistakes; nil where not even
  /// its type is known.
  private func example(of control: DeclaredControl) -> (any Control)? {
    guard control.control == nil, let type = control.type else { return control.control }
    let items = control.items.map(\.id)
    let key = [type.name] + items
    if let known = standIns[key] { return known }
    let made = type.standIn(items: items)
    standIns[key] = made
    return made
  }

  /// The answers that references may ask of a control; nil where not even its type is known.
  private func interface(of control: DeclaredControl) -> Interface? {
    if let known = interfaces[control.id] { return known }
    guard let made = example(of: control).map({ Interface($0, control.source) }) else {
      return nil
    }
    interfaces[control.id] = made
    return made
  }

  /// Sets a property in a copy of a control, to see whether that can be done. It is the same copy each
  /// time: a large control must not be copied for each of many settings.
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
      // Images that only an action names are found here.
      _ = key.read(node, node, DeclarationReader(outline, after: self))
      return
    }
    // It is not known which values a control with mistakes will take.
    guard control.control != nil else { return }
    guard spend(interface.size, of: .trials, at: mark) else { return }
    var events: [ControlEvent] = []
    try interface.trial.set(property, to: value, at: .zero, events: &events)
  }

  /// Whether a control has a state of a bound key's name: that name means the state, not the key.
  func isHidden(_ binding: DeclaredControl.Binding, of control: DeclaredControl) -> Bool {
    binding.key.role == .variable
      && example(of: control)?.value(of: binding.property, at: .zero) != nil
  }

  /// The kind of a property or key; nil for neither.
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

  func has(page name: String) -> Bool { pages.marks[name] != nil }

  func names(ofControl id: String) -> ControlNames? {
    guard let control = pages[id] else { return nil }
    guard let interface = interface(of: control) else { return ControlNames(kind: "control") }
    return ControlNames(
      kind: control.type?.name ?? "control", commands: interface.trial.commands
    ) { property in
      // A key of a map that the file leaves out has no name among the known ones.
      interface.known.contains(property)
        || interface.known.count <= 1000 && interface.properties[property] != nil
    } properties: {
      interface.names
    }
  }
}

extension Reader {
  /// Links are read by the kiosk's reader only.
  var kiosk: KioskReader {
    guard let reader = self as? KioskReader else {
      preconditionFailure("a link is read when all names are known")
    }
    return reader
  }
}
