// SPDX-License-Identifier: MIT

package import RoundelJSON

/// The retained message that makes a panel a device in Home Assistant.
///
/// Source: Home Assistant's page on MQTT, "Device discovery payload".
package struct Discovery: Hashable, Sendable {
  private let topics: Topics
  private let name: String
  private let kiosk: String
  private let version: String
  private let entities: KioskEntities
  private let links: Links

  /// Parts of the panel's description that the kiosk doesn't know.
  package struct Links: Hashable, Sendable {
    /// The identifier of the device that connects the panel to Home Assistant, or nil.
    package var hub: String?
    /// The address of a page with help, or nil.
    package var support: String?

    package init(hub: String? = nil, support: String? = nil) {
      self.hub = hub
      self.support = support
    }
  }

  package init(
    _ entities: KioskEntities, of name: String, showing kiosk: String, at topics: Topics,
    version: String, links: Links = Links()
  ) {
    self.links = links
    self.entities = entities
    self.name = name
    self.kiosk = kiosk
    self.topics = topics
    self.version = version
  }

  package var message: JSONValue { message(removing: []) }

  /// Removes components of an older message, or nil. Send it first. Home Assistant removes a
  /// component that has only a platform.
  package func removal(of old: JSONValue) -> JSONValue? {
    guard case .object(let components)? = old["cmps"] else { return nil }
    let names = Set(self.components.map(\.name))
    let gone = components.compactMap { component -> JSONValue.Member? in
      guard let platform = component.value["p"]?.string, !names.contains(component.name) else {
        return nil
      }
      return .init(component.name, .object([.init("p", platform)]))
    }
    return gone.isEmpty ? nil : message(removing: gone)
  }

  /// The state topics of only the older message.
  package func forgottenTopics(of old: JSONValue) -> [String] {
    let kept = Set(stateTopics)
    return Self.stateTopics(of: old).filter {
      !kept.contains($0) && $0.hasPrefix(topics.base + "/")
    }
  }

  /// Includes topics without a message.
  package var stateTopics: [String] { Self.stateTopics(of: message) }

  private static func stateTopics(of message: JSONValue) -> [String] {
    guard case .object(let components)? = message["cmps"] else { return [] }
    let topics = components.flatMap { component -> [String] in
      guard case .object(let members) = component.value else { return [] }
      return members.filter { isStateTopic($0.name) }.compactMap(\.value.string)
    }
    var seen: Set<String> = []
    return topics.filter { seen.insert($0).inserted }
  }

  private static func isStateTopic(_ key: String) -> Bool {
    key == "state_topic" || key.hasSuffix("_state_topic") || key == "current_temperature_topic"
  }

  private func message(removing gone: [JSONValue.Member]) -> JSONValue {
    .object([
      .init(
        "dev",
        .object(
          [
            .init("ids", .array([.string(topics.device)])), .init("name", .string(name)),
            .init("mf", "Roundel"), .init("mdl", .string(kiosk)), .init("sw", .string(version)),
          ] + member("via_device", links.hub))),
      .init(
        "o",
        .object(
          [.init("name", "roundel-mqtt"), .init("sw", version)] + member("url", links.support))),
      .init("availability_topic", topics.availability),
      .init("cmps", .object(components + gone)),
    ])
  }

  private func member(_ name: String, _ text: String?) -> [JSONValue.Member] {
    text.map { [.init(name, $0)] } ?? []
  }

  private var components: [JSONValue.Member] {
    var ids: Set<String> = []
    return entities.all.filter { !$0.isHidden }.map { entity in
      var id = Topics.identifier(entity.name)
      while !ids.insert(id).inserted { id += "_" }
      return .init(id, .object(component(entity, id)))
    }
  }

  private func component(_ entity: Entity, _ id: String) -> [JSONValue.Member] {
    let state = JSONValue.string(topics.state(entity.name))
    var members: [JSONValue.Member] = [
      .init("p", .string(entity.platform.rawValue)),
      .init("unique_id", .string("\(topics.device)_\(id)")), .init("name", .string(entity.title)),
      .init(
        "default_entity_id",
        .string("\(entity.platform.rawValue).\(Self.slug("\(topics.device)_\(id)"))")),
    ]
    if let climate = entity.climate { return members + self.climate(climate) + entity.details }
    // A sensor's setting is for other programs. Home Assistant cannot set sensors.
    if entity.setting != nil, entity.platform != .sensor {
      members.append(.init("command_topic", .string(topics.setting(entity.name))))
    }
    guard entity.platform != .button, entity.platform != .notify else {
      return members + entity.details
    }
    guard entity.platform != .image else {
      return members + [.init("image_topic", state)] + entity.details
    }
    members.append(.init("state_topic", state))
    switch entity.platform {
    case .event:
      members.append(.init("event_types", .array(entity.options.map { .string($0) })))
      return members + entity.details
    case .light:
      members += [
        .init("schema", "json"),
        .init("supported_color_modes", .array([.string(entity.colorMode)])),
      ]
      if entity.isDimmable {
        members += [
          .init("brightness", .bool(true)),
          .init("brightness_scale", .number(Double(Entity.maximumBrightness))),
        ]
      }
    case .select: members.append(.init("options", .array(entity.options.map { .string($0) })))
    // Home Assistant reads the whole state of an update.
    case .update: return members + entity.details
    case .number, .text, .sensor, .binarySensor, .switch, .button, .image, .climate, .notify: break
    }
    if entity.platform != .light {
      members.append(.init("value_template", .string(entity.valueTemplate)))
    }
    if entity.source == .problem {
      // The problem is available even if the kiosk isn't.
      members += [
        .init("availability_topic", state),
        .init("availability_template", "{{ value_json.bridge }}"),
      ]
    }
    return members + [.init("json_attributes_topic", state)] + entity.details
  }
}

extension Discovery {
  /// A thermostat has one mode, because the kiosk only knows its targets.
  private func climate(_ climate: Entity.Climate) -> [JSONValue.Member] {
    let names =
      climate.targets.count == 1
      ? ["temperature"] : ["temperature_low", "temperature_high"]
    let template = "{{ value_json.value }}"
    let state = topics.state(climate.targets[0])
    let mode = climate.targets.count == 1 ? "auto" : "heat_cool"
    return zip(names, climate.targets).flatMap { name, target in
      [
        .init("\(name)_command_topic", .string(topics.setting(target))),
        .init("\(name)_state_topic", .string(topics.state(target))),
        .init("\(name)_state_template", template),
      ]
    } + [
      .init("current_temperature_topic", .string(topics.state(climate.actual))),
      .init("current_temperature_template", template), .init("modes", .array([.string(mode)])),
      .init("mode_state_topic", state), .init("mode_state_template", mode),
      .init("json_attributes_topic", state),
    ]
  }

  /// Home Assistant's form of ids: lower-case letters, digits and `_`.
  private static func slug(_ name: String) -> String {
    String(
      name.lowercased().unicodeScalars.map { scalar in
        ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) ? Character(scalar) : "_"
      })
  }
}

extension Entity {
  /// The template for a state. For a number, an option or a switch, null means unknown. As text,
  /// null would become the word `None`.
  fileprivate var valueTemplate: String {
    switch platform {
    case .text: Self.textTemplate
    case .sensor where !details.contains { $0.name == "state_class" }: Self.textTemplate
    default: "{{ value_json.value }}"
    }
  }

  private static let textTemplate =
    "{{ 'unknown' if value_json.value is none else value_json.value }}"
}
