// SPDX-License-Identifier: MIT

internal import Exchange
internal import RoundelControls
internal import RoundelExpressions
internal import RoundelJSON
internal import JSONRPC
internal import Kiosk
package import KioskProtocol

package struct KioskEntities: Hashable, Sendable {
  package private(set) var all: [Entity] = []
  private var names: Set<String> = []
  /// Computed values and properties with templates, each with the value to set instead, or nil.
  private var bound: [String: String?] = [:]
  private var units: [String: String] = [:]
  private var rotaryControlsByValue: [String: [String]] = [:]

  /// A limit, because users wouldn't read more options.
  private static let maximumOptions = 1000

  /// The entities of the panel itself.
  package init() {
    var problem = Entity(Topics.ofNode + "problem", .binarySensor, from: .problem)
    problem.title = "Problem"
    problem.details = [
      .init("device_class", "problem"), .init("entity_category", "diagnostic"),
      .init("expire_after", .number(Entity.problemSeconds)),
    ]
    var reset = Entity(
      Topics.ofNode + "reset", .button, from: .nothing, setting: .press(.command(.reset(nil))))
    reset.title = "Reset"
    var restart = Entity(
      Topics.ofNode + "restart", .button, from: .nothing, setting: .press(.restart))
    restart.title = "Restart"
    restart.details = [.init("device_class", "restart")]
    var update = Entity(
      Topics.ofNode + "update", .update, from: .versions, setting: .press(.update))
    update.title = "Kiosk"
    update.details = [
      .init("payload_install", .string(Entity.press)), .init("entity_category", "config"),
    ]
    var screenshot = Entity(
      Topics.ofNode + "screenshot", .button, from: .nothing, setting: .press(.screenshot))
    screenshot.title = "Take picture"
    screenshot.details = [.init("entity_category", "diagnostic")]
    var picture = Entity(Topics.ofNode + "picture", .image, from: .picture)
    picture.title = "Picture"
    picture.details = [
      .init("content_type", "image/png"), .init("entity_category", "diagnostic"),
    ]
    all = [problem, update, reset, restart, screenshot, picture]
  }

  package init(_ tree: TreeAnswer) {
    self.init()
    let ranges = (tree.ranges ?? []).reduce(into: [:]) { $0[$1.name] = ValueRange($1.value) }
    units = ranges.mapValues(\.unit)
    for member in tree.bound ?? [] { bound.updateValue(member.value.string, forKey: member.name) }
    // Ids of built-in controls begin with @.
    let controls = tree.pages.flatMap(\.controls).filter { !$0.id.hasPrefix("@") }
    for control in controls { recordRotaryControls(control) }
    var page = Entity("page", .select, from: .expression("page"), setting: .page)
    page.options = tree.pages.filter { !$0.isOver }.map(\.name)
    add(page)
    let brightness = "screen.brightness"
    var panel = Entity("panel", .light, from: .panel, setting: .panel)
    panel.isDimmable = canSet(brightness)
    panel.rotaryControls = rotaryControls(ofValueOf: brightness)
    add(panel)
    var custom = Entity("emit", .event, from: .events(control: nil))
    custom.options = ["emit"]
    add(custom)
    if let languages = tree.languages, languages.count > 1 {
      var language = Entity(
        "language", .select, from: .expression("language"), setting: .property(.language, .text))
      language.options = languages
      add(language)
    }
    for control in controls { add(control) }
    for value in tree.values {
      let range = ranges[value.name] ?? ValueRange()
      // Home Assistant would store a private value.
      if !range.isPrivate { add(value, range) }
    }
    add(Entity("notify", .notify, from: .nothing, setting: .message))
  }

  package var rotaryControls: Set<String> { Set(all.flatMap(\.rotaryControls)) }

  package subscript(name: String) -> Entity? { all.first { $0.name == name } }

  /// Makes the name unique, and returns it.
  @discardableResult
  private mutating func add(_ entity: Entity, orAs suffix: String = "") -> String {
    var entity = entity
    let name = Topics.level(entity.name)
    entity.name = name
    var count = 1
    while !names.insert(entity.name).inserted {
      entity.name = count == 1 && !suffix.isEmpty ? name + suffix : "\(name)\(suffix)_\(count + 1)"
      count += 1
    }
    all.append(entity)
    return entity.name
  }

  // MARK: Values

  private mutating func add(_ value: JSONValue.Member, _ range: ValueRange) {
    let source = Entity.Source.expression(NamePath(value.name).description)
    var entity = Entity(value.name, .sensor, from: source)
    entity.rotaryControls = rotaryControlsByValue[value.name] ?? []
    // An undefined value still has a kind.
    switch range.kind.map({ JSONValue($0.sample) }) ?? value.value {
    case .number:
      if canSet(value.name) { entity.setting = .property(.value(value.name), .number) }
      entity.measure(in: range.unit)
      entity.makeNumber(range.minimum, range.maximum, step: range.step)
    case .array:
      if canSet(value.name) { entity.setting = .property(.value(value.name), .list) }
    case .bool where !canSet(value.name): entity.platform = .binarySensor
    case _ where !canSet(value.name): break
    case .bool:
      entity.setting = .property(.value(value.name), .flag)
      entity.platform = .switch
    default:
      entity.setting = .property(.value(value.name), .text)
      entity.platform = .text
      if !range.options.isEmpty, range.options.count <= Self.maximumOptions {
        entity.platform = .select
        entity.options = range.options
      }
    }
    add(entity, orAs: "_value")
  }

  // MARK: Templates

  private func canSet(_ property: String) -> Bool { bound[property] != .some(nil) }

  private func rotaryControls(ofValueOf property: String) -> [String] {
    bound[property].flatMap { $0 }.flatMap { rotaryControlsByValue[$0] } ?? []
  }

  private mutating func recordRotaryControls(_ control: TreeAnswer.Control) {
    guard control.home?.isTurned == true else { return }
    for (property, value) in bound where property.hasPrefix(control.id + ".") {
      guard let value else { continue }
      let wheel = control.partIDs.first { property.hasPrefix("\(control.id).\($0).") }
      let rotaryControl = wheel.map { "\(control.id).\($0)" } ?? control.id
      if rotaryControlsByValue[value]?.contains(rotaryControl) != true {
        rotaryControlsByValue[value, default: []].append(rotaryControl)
      }
    }
  }

  /// Does nothing if the property can't be set.
  private func connect(
    _ entity: inout Entity, to property: String, _ kind: Entity.Kind, _ rotaryControl: String?
  ) {
    if canSet(property) {
      entity.setting = Reference(property).map { .property($0, kind) }
    } else {
      entity.setting = nil
      switch entity.platform {
      case .switch: entity.platform = .binarySensor
      case .select: entity.platform = .sensor
      default: break
      }
    }
    let others = rotaryControls(ofValueOf: property)
    entity.rotaryControls = others.isEmpty ? [rotaryControl].compactMap(\.self) : others
    entity.isTurned = rotaryControl != nil
  }

  // MARK: Controls

  private mutating func add(_ control: TreeAnswer.Control) {
    guard let home = control.home else { return }
    let id = control.id
    let rotaryControl = home.isTurned ? id : nil
    switch home.role {
    case .choice:
      add(
        select(
          id, of: control, property: home.property, options: control.partIDs, areIDs: true,
          rotaryControl: rotaryControl))
    case .choices:
      let parts = control.partIDs
      for part in parts {
        add(
          select(
            parts.count == 1 ? id : "\(id).\(part)", of: control,
            property: "\(part).\(home.property)", options: control.rows(of: part), areIDs: false,
            rotaryControl: rotaryControl.map { "\($0).\(part)" }))
      }
    case .number, .range:
      let properties = home.role == .range ? [home.property, home.otherProperty] : [home.property]
      let numbers = properties.map { property in
        number(
          control, property, as: properties.count > 1 ? "\(id).\(property)" : id, rotaryControl)
      }
      if home.isClimate, numbers.allSatisfy({ $0.platform == .number }) {
        addClimate(control, properties, numbers)
      } else {
        for number in numbers { add(number) }
      }
    case .text:
      var entity = Entity(id, .text, from: control.expression(home.property))
      connect(&entity, to: "\(id).\(home.property)", .text, rotaryControl)
      if entity.setting == nil { entity.platform = .sensor }
      add(entity)
    case .flag:
      var entity = Entity(id, .switch, from: control.expression(home.property))
      connect(&entity, to: "\(id).\(home.property)", .flag, rotaryControl)
      add(entity)
    case .events:
      var entity = Entity(id, .event, from: .events(control: id))
      entity.options = home.events
      if let device = home.deviceClass {
        entity.details = [.init("device_class", .string(device))]
      }
      add(entity)
      guard let command = home.command else { return }
      add(
        Entity(
          "\(id).\(command)", .button, from: .nothing,
          setting: .press(.command(.perform(command, control: id)))))
    case .measurement, .reading:
      var entity = Entity(id, .sensor, from: control.expression(home.property))
      if home.role == .measurement {
        entity.measure(in: home.unit ?? "")
      } else {
        // Disabled by default, because there may be many.
        entity.details = [
          .init("entity_category", "diagnostic"), .init("enabled_by_default", .bool(false)),
        ]
      }
      entity.rotaryControls = [rotaryControl].compactMap(\.self)
      entity.isTurned = rotaryControl != nil
      add(entity)
    }
  }

  /// Adds a thermostat, and hides the numbers behind it.
  private mutating func addClimate(
    _ control: TreeAnswer.Control, _ properties: [String], _ numbers: [Entity]
  ) {
    func addHidden(_ entity: Entity) -> String {
      var entity = entity
      entity.isHidden = true
      return add(entity)
    }
    let actual = Entity("\(control.id).marker", .sensor, from: control.expression("marker"))
    var climate = Entity("\(control.id).climate", .climate, from: .nothing)
    climate.title = control.id
    climate.climate = Entity.Climate(targets: numbers.map(addHidden), actual: addHidden(actual))
    let first = numbers[0]
    let value = bound["\(control.id).\(properties[0])"].flatMap(\.self)
    let unit = control["unit"]?.string ?? value.flatMap { units[$0] } ?? ""
    let step = first.details.first { $0.name == "step" }?.value.number ?? 1
    climate.details = [
      .init("min_temp", .number(first.minimum ?? 0)),
      .init("max_temp", .number(first.maximum ?? 100)),
      .init("temp_step", .number(step)), .init("temperature_unit", unit.contains("F") ? "F" : "C"),
      .init("precision", .number(step < 0.5 ? 0.1 : step < 1 ? 0.5 : 1)),
    ]
    add(climate)
  }

  /// The range of a settable number is its bounds or its labels.
  private func number(
    _ control: TreeAnswer.Control, _ property: String, as name: String, _ rotaryControl: String?
  ) -> Entity {
    var entity = Entity(name, .sensor, from: control.expression(property))
    connect(&entity, to: "\(control.id).\(property)", .number, rotaryControl)
    entity.measure(in: control["unit"]?.string ?? "")
    if let minimum = control["min"]?.number, let maximum = control["max"]?.number {
      entity.makeNumber(minimum, maximum, step: control["step"]?.number)
    } else {
      let count = control.labelCount
      if count > 1 { entity.makeNumber(0, Double(count - 1), step: 1) }
      if case .array(let labels)? = control["labels"], labels.count <= Self.maximumOptions {
        entity.labels = labels.compactMap(\.string)
        if entity.labels.count != labels.count { entity.labels = [] }
      }
    }
    return entity
  }

  private func select(
    _ name: String, of control: TreeAnswer.Control, property: String, options: [String],
    areIDs: Bool, rotaryControl: String?
  ) -> Entity {
    var entity = Entity(name, .sensor, from: control.expression(property))
    entity.rotaryControls = [rotaryControl].compactMap(\.self)
    entity.isTurned = rotaryControl != nil
    guard !options.isEmpty, options.count <= Self.maximumOptions else { return entity }
    entity.platform = .select
    entity.options = options
    entity.isIndex = !areIDs
    connect(&entity, to: "\(control.id).\(property)", areIDs ? .text : .index, rotaryControl)
    if areIDs { entity.labels = options.map { control["\($0).label"]?.string ?? "" } }
    return entity
  }
}

extension Entity {
  /// The maximum age of a problem message, in seconds.
  package static let problemSeconds = 900.0

  /// The range without bounds, limited by the digits in messages.
  private static let numbers = -1e15...1e15

  /// Does nothing if the entity can't be set.
  fileprivate mutating func makeNumber(_ minimum: Double?, _ maximum: Double?, step: Double?) {
    let low = minimum ?? Self.numbers.lowerBound
    let high = maximum ?? Self.numbers.upperBound
    guard setting != nil, low < high else { return }
    platform = .number
    self.minimum = minimum
    self.maximum = maximum
    details.removeAll { $0.name == "state_class" }
    // Home Assistant's minimum step is 0.001. A hundredth of the range is precise enough.
    var fine = 1.0
    let isBounded = minimum != nil && maximum != nil
    while fine > 0.001, !isBounded || fine > (high - low) / 100 { fine /= 10 }
    details += [
      .init("min", .number(low)), .init("max", .number(high)),
      .init("step", .number(max(step ?? fine, 0.001))),
    ]
    if !isBounded { details.append(.init("mode", "box")) }
  }

  fileprivate mutating func measure(in unit: String) {
    details.append(.init("state_class", "measurement"))
    let words = unit.split(whereSeparator: \.isWhitespace)
    guard !words.isEmpty else { return }
    details.append(.init("unit_of_measurement", .string(words.joined(separator: " "))))
  }
}

extension TreeAnswer.Control {
  fileprivate subscript(property: String) -> JSONValue? {
    properties.first { $0.name == property }?.value
  }

  fileprivate func expression(_ property: String) -> Entity.Source {
    .expression(NamePath(verbatim: "\(id).\(property)")?.description ?? "\(id).\(property)")
  }

  fileprivate var partIDs: [String] { items.map(\.id).filter { !$0.contains("/") } }

  /// Returns the distinct labels of a wheel.
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

  fileprivate var labelCount: Int {
    switch self["labels"] {
    case .number(let number)?: Int(exactly: number) ?? 0
    case .array(let labels)?: labels.count
    default: partIDs.count
    }
  }
}
