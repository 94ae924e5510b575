// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations
internal import RoundelExpressions
internal import RoundelGeometry
internal import RoundelJSON
internal import Kiosk
internal import RoundelMotion
internal import QRCodes

package struct ControlType: Sendable {
  /// The name of the type, and of the first key, whose value is the control's id.
  let name: String
  let events: [EventType]
  let isSeen: Bool
  /// Created on first use, because creating all tables takes a tenth of the start.
  var table: Table<PlacedControl> { declared.value }
  private let declared: Lazy<Table<PlacedControl>>

  /// Tests add a type to prove that nothing else depends on the list.
  @TaskLocal static var all: [ControlType] = [
    ControlType(Pinwheel.self), ControlType(Dial.self), ControlType(Menu.self),
    ControlType(Slots.self), ControlType(Picker.self), ControlType(Resistor.self),
    ControlType(Button.self), ControlType(Label.self), ControlType(Picture.self),
    ControlType(Timer.self), ControlType(Ring.self), ControlType(Toggle.self),
    ControlType(QRCode.self), ControlType(Keypad.self), ControlType(List.self),
    ControlType(Chart.self), ControlType(Bar.self),
    ControlType(ColorWheel.self),
  ]

  static func named(_ name: String) -> ControlType? { all.first { $0.name == name } }

  /// Adds the keys common to all controls.
  init<Control: KeyedControl>(_: Control.Type) {
    let declared = Control.keys
    let events = Control.interface.events
    (name, isSeen, self.events) = (declared.name, declared.isSeen, events)
    self.declared = Lazy { Self.table(of: declared, events.map(\.name)) }
  }

  /// A type whose table is created on first use.
  init(
    _ name: String, events: [EventType], _ table: @escaping @Sendable () -> Table<PlacedControl>
  ) {
    self.name = name
    self.events = events
    isSeen = true
    declared = Lazy(table)
  }

  private static func table<Control: KeyedControl>(
    of declared: ControlKeys<Control>, _ events: [String]
  ) -> Table<PlacedControl> {
    Table(declared.name, declared.summary) { keys in
      keys.allowTemplates()
      let id = keys.required(declared.name, .id, "The control's id, unique in the file.")
      let at =
        declared.isSeen
        ? keys.required("at", .point, "The centre, in design pixels.")
        : keys.optional(
          "at", .point, default: [0, 0],
          "The position, which has no effect, because the control is invisible.")
      if declared.isSeen {
        _ = keys.optional(
          "cell", .cell,
          "The position in the page's grid, [column, row] or [column, row, columns, rows], instead of `at` and `size` or `radius`."
        )
        keys.substitute("cell", for: DeclarationReader.placeKeys)
      }
      let make = declared.declare(&keys, at)
      let font = FontKeys(
        &keys, "The control's font, written like the screen's. The default is the screen's font.")
      _ = keys.optional(
        "style", .style, "One of the file's styles, which provides values for missing keys.")
      let (enabled, visible) = keys.states()
      let always = declared.isSeen ? keys.always() : nil
      if declared.isSeen { keys.spoken() }
      let isPrivate = keys.optional(
        "private", Form<Bool>.flag.as(.fixed), default: false,
        "Whether only actions and `logic` get the control's texts and events: clients, recordings and screenshots get null or a mask. It is cleared at `reset`, at home and at a restart."
      )
      let language =
        declared.isSeen
        ? keys.language(
          "The language of the control's text, such as `ar`, for its shape, its direction and speech. The default is the kiosk's."
        ) : nil
      if !events.isEmpty { keys.on(events) }
      return { (fields) throws(Conflict) in
        var own = font.font(fields)
        own.language = language.flatMap { fields[$0] } ?? ""
        var made: Control?
        defer { fields.reader.declaring.use(own, of: made, at: font.mark(fields)) }
        guard var control = make(fields) else { return nil }
        try fields.fill(&control)
        control.keysChanged(since: nil, at: .zero)
        made = control
        var entry = PlacedControl(
          id: fields[id], kind: declared.name, control: control, font: own,
          isEnabled: fields[enabled], isVisible: fields[visible],
          isAlwaysAvailable: always.map { fields[$0] } ?? false)
        entry.isPrivate = fields[isPrivate]
        return entry
      }
    }
  }
}

extension Keys {
  /// Adds the keys that every control has as properties.
  mutating func states() -> (enabled: Key<Bool>, visible: Key<Bool>) {
    (
      optional(
        "enabled", .flag.as(.state), default: true, "Whether the control reacts to touches."),
      optional("visible", .flag.as(.state), default: true, "Whether the control is visible.")
    )
  }
}

extension Keys {
  /// Adds the key of controls that take touches whatever the kiosk shows.
  mutating func always() -> Key<Bool> {
    optional(
      "always", .flag.as(.fixed), default: false,
      "Whether each touch on the control counts, even if the panel sleeps, an over page or a question is open, or speech is on. The control is drawn above everything else, and `dwell` and `debounce` don't apply to it."
    )
  }
}

extension ControlType {
  /// Lists the types for a map without a type.
  fileprivate static func choice(_ definitions: inout Definitions) -> JSONValue {
    func has(_ key: String) -> JSONValue { ["required": [.string(key)]] }
    let cases = all.map { type -> JSONValue in
      // A menu has a key `label`, but isn't a label.
      let others = all.filter { $0.name != type.name && $0.table.keys.names.contains(type.name) }
      let alone: JSONValue =
        others.isEmpty ? [:] : ["not": ["anyOf": .array(others.map { has($0.name) })]]
      return [
        "if": has(type.name).with(alone), "then": type.table.form.schema(&definitions),
      ]
    }
    let names = all.map { JSONValue.string($0.name) }
    return [
      "description": "A control: a map whose first key is its type.", "type": "object",
      "if": ["anyOf": .array(all.map { has($0.name) })],
      "then": ["allOf": .array(cases)],
      "else": [
        "properties": .object(
          all.map { .init($0.name, ["description": .string($0.table.summary)]) }),
        "propertyNames": ["enum": .array(names + ["for", "as", "if"])],
        "minProperties": 2,
      ],
    ]
  }
}

extension Form where Value == PlacedControl {
  /// A map whose first key is its type.
  static let control = Form(
    "a control: a map that begins with its type and id, such as \"- button: ok\"", from: [.map],
    schema: { $0.reference("control", ControlType.choice) },
    read: { node, reader in
      let names = ControlType.all.map(\.name)
      guard let first = node.pairs.first, let type = ControlType.named(first.key) else {
        reportType(of: node, names, reader)
        return nil
      }
      return reader.declaring.control(type, node)
    })

  private static func reportType(of node: Node, _ names: [String], _ reader: Reader) {
    let first = node.pairs.first
    let expected = "one of \(names.alternatives)"
    if let first, let suggestion = names.nearest(to: first.key, by: reader) {
      reader.report(
        "unknown control type \(first.key.quoted)", at: first.keyMark, expected: expected,
        suggestion: suggestion)
    } else if let type = node.pairs.dropFirst().first(where: { names.contains($0.key) }) {
      reader.report(
        "a control's type must come first", at: type.keyMark,
        expected: "\(type.key.quoted) before \(first?.key.quoted ?? "everything else")")
    } else if let first {
      reader.report(
        "unknown control type \(first.key.quoted)", at: first.keyMark, expected: expected)
    } else {
      reader.report("a control without a type", at: node.mark, expected: expected)
    }
    // Avoid follow-up errors in references to the control.
    if let first, let id = first.value.text {
      reader.declaring.add(DeclaredControl(id: id), at: first.value.mark)
    }
  }
}

extension ControlType {
  package static func named(_ name: String, or others: [ControlType]) -> ControlType? {
    (all + others).first { $0.name == name }
  }

  package var eventNames: [String] { events.map(\.name) }
}
