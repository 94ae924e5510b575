// SPDX-License-Identifier: MIT

internal import Expressions
internal import JSON
package import KioskProtocol

/// The entities of a kiosk: each of its controls and values, its page, its language and its panel.
package struct KioskEntities: Hashable, Sendable {
  package private(set) var all: [Entity] = []
  private var names: Set<String> = []

  /// More options than a person would ever go through are no select.
  private static let maximumOptions = 1000

  package init(_ tree: TreeAnswer) {
    var page = Entity("page", .select, from: .expression("page"), setting: .page)
    page.options = tree.pages.map(\.name)
    add(page)
    add(Entity("panel", .light, from: .panel, setting: .panel))
    var told = Entity("emit", .event, from: .events(control: nil))
    told.options = ["emit"]
    add(told)
    if let languages = tree.languages, languages.count > 1 {
      var language = Entity(
        "language", .select, from: .expression("language"), setting: .property("language", .text))
      language.options = languages
      add(language)
    }
    for control in tree.pages.flatMap(\.controls) { add(control) }
    for value in tree.values {
      let range = tree.ranges?.first { $0.name == value.name }?.value
      add(
        value, minimum: range?["min"]?.number, maximum: range?["max"]?.number,
        step: range?["step"]?.number)
    }
  }

  package subscript(name: String) -> Entity? { all.first { $0.name == name } }

  /// Adds an entity under a name of its own.
  private mutating func add(_ entity: Entity, orAs suffix: String = "") {
    var entity = entity
    let name = Topics.level(entity.name)
    entity.name = name
    var count = 1
    while !names.insert(entity.name).inserted {
      entity.name = count == 1 && !suffix.isEmpty ? name + suffix : "\(name)\(suffix)_\(count + 1)"
      count += 1
    }
    all.append(entity)
  }

  // MARK: Values

  private mutating func add(
    _ value: JSONValue.Member, minimum: Double?, maximum: Double?, step: Double?
  ) {
    let source = Entity.Source.expression(NamePath(value.name).description)
    var entity = Entity(value.name, .sensor, from: source)
    switch value.value {
    case .number:
      entity.setting = .property(value.name, .number)
      entity.minimum = minimum
      entity.maximum = maximum
      if let minimum, let maximum, minimum < maximum {
        entity.makeNumber(minimum...maximum, step: step)
      } else {
        entity.details = [.init("state_class", "measurement")]
      }
    case .bool: entity.setting = .property(value.name, .flag)
    default: entity.setting = .property(value.name, .text)
    }
    add(entity, orAs: "_value")
  }

  // MARK: Controls

  /// The events that are told of controls that have no lasting state.
  private static let events: [String: [String]] = [
    "button": ["pressed", "selected", "cancelled", "confirmed"],
    "slots": ["started", "settled"],
    "menu": ["opened", "selected", "closed"],
    "list": ["selected"],
    "keypad": ["entered"],
    "timer": ["due"],
  ]

  /// What is worth seeing of controls that only show something.
  private static let readings = ["label": "text", "qr": "text", "image": "file"]

  private mutating func add(_ control: TreeAnswer.Control) {
    let id = control.id
    switch control.kind {
    case "pinwheel":
      add(select(id, of: control, property: "item", options: control.partIDs, areIDs: true))
    case "picker":
      let wheels = control.partIDs
      for wheel in wheels {
        let name = wheels.count == 1 ? id : "\(id).\(wheel)"
        add(
          select(
            name, of: control, property: "\(wheel).index", options: control.rows(of: wheel),
            areIDs: false))
      }
    case "dial", "ring":
      var entity = Entity(id, .sensor, from: control.expression("value"))
      entity.setting = .property("\(id).value", .number)
      if let unit = control["unit"]?.string, !unit.isEmpty {
        entity.details.append(.init("unit_of_measurement", .string(unit)))
      }
      if let minimum = control["min"]?.number, let maximum = control["max"]?.number,
        minimum < maximum
      {
        entity.makeNumber(minimum...maximum, step: control["step"]?.number)
      } else {
        let count = control.labelCount
        if count > 1 { entity.makeNumber(0...Double(count - 1), step: 1) }
        if case .array(let labels)? = control["labels"], labels.count <= Self.maximumOptions {
          entity.labels = labels.compactMap(\.string)
          if entity.labels.count != labels.count { entity.labels = [] }
        }
      }
      add(entity)
    case "toggle":
      add(
        Entity(
          id, .switch, from: control.expression("value"),
          setting: .property("\(id).value", .flag)))
    case "resistor":
      var entity = Entity(id, .sensor, from: control.expression("ohms"))
      entity.details = [.init("unit_of_measurement", "Ω"), .init("state_class", "measurement")]
      add(entity)
    case let kind:
      if let events = Self.events[kind] {
        var entity = Entity(id, .event, from: .events(control: id))
        entity.options = events
        if kind == "button" { entity.details = [.init("device_class", "button")] }
        add(entity)
      } else if let property = Self.readings[kind] {
        var entity = Entity(id, .sensor, from: control.expression(property))
        // There may be many, and a panel shows them already: for those who ask for them.
        entity.details = [
          .init("entity_category", "diagnostic"), .init("enabled_by_default", .bool(false)),
        ]
        add(entity)
      } else if let value = control["value"] {
        var entity = Entity(id, .sensor, from: control.expression("value"))
        if value.number != nil { entity.details = [.init("state_class", "measurement")] }
        add(entity)
      }
    }
  }

  private func select(
    _ name: String, of control: TreeAnswer.Control, property: String, options: [String],
    areIDs: Bool
  ) -> Entity {
    var entity = Entity(name, .sensor, from: control.expression(property))
    guard !options.isEmpty, options.count <= Self.maximumOptions else { return entity }
    entity.platform = .select
    entity.options = options
    entity.isIndex = !areIDs
    entity.setting = .property("\(control.id).\(property)", areIDs ? .text : .index)
    if areIDs { entity.labels = options.map { control["\($0).label"]?.string ?? "" } }
    return entity
  }
}

extension Entity {
  /// Makes it a number that Home Assistant lets people set.
  fileprivate mutating func makeNumber(_ range: ClosedRange<Double>, step: Double?) {
    platform = .number
    minimum = range.lowerBound
    maximum = range.upperBound
    // The finest that Home Assistant takes is a thousandth; without steps, a hundredth of the range is
    // fine enough.
    var fine = 1.0
    while fine > 0.001, fine > (range.upperBound - range.lowerBound) / 100 { fine /= 10 }
    details += [
      .init("min", .number(range.lowerBound)), .init("max", .number(range.upperBound)),
      .init("step", .number(max(step ?? fine, 0.001))),
    ]
  }
}

extension TreeAnswer.Control {
  fileprivate subscript(property: String) -> JSONValue? {
    properties.first { $0.name == property }?.value
  }

  fileprivate func expression(_ property: String) -> Entity.Source {
    .expression(NamePath(verbatim: "\(id).\(property)")?.description ?? "\(id).\(property)")
  }

  /// The ids of its parts that are no part of another.
  fileprivate var partIDs: [String] { items.map(\.id).filter { !$0.contains("/") } }

  /// The labels of a picker's wheel, each different from the others.
  fileprivate func rows(of wheel: String) -> [String] {
    var labels: [String] = []
    var seen: Set<String> = []
    let known = properties.reduce(into: [:]) { $0[$1.name] = $1.value.string }
    while let label = known["\(wheel).\(labels.count).label"] {
      var option = label.isEmpty ? "\(labels.count)" : label
      while !seen.insert(option).inserted { option = "\(option) (\(labels.count))" }
      labels.append(option)
    }
    return labels
  }

  /// How many labels a dial has.
  fileprivate var labelCount: Int {
    switch self["labels"] {
    case .number(let number)?: Int(exactly: number) ?? 0
    case .array(let labels)?: labels.count
    default: partIDs.count
    }
  }
}
