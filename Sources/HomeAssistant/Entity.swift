// SPDX-License-Identifier: MIT

package import RoundelJSON
package import Kiosk

/// A control, value or other state of a kiosk.
package struct Entity: Hashable, Sendable {
  /// Source: Home Assistant's pages on MQTT, one per platform.
  package enum Platform: String, Sendable {
    case select, number, text, `switch`, button, event, sensor, light, update, image, climate,
      notify
    case binarySensor = "binary_sensor"
  }

  package enum Source: Hashable, Sendable {
    case expression(String)
    /// The events of a control, or of the kiosk if `control` is nil.
    case events(control: String?)
    case panel
    case problem
    case versions
    case picture
    case nothing
  }

  /// The effect of a message.
  package enum Setting: Hashable, Sendable {
    case property(Reference, Kind)
    case page
    case panel
    case press(IncomingCommand)
    case message
  }

  /// The entities behind a thermostat.
  package struct Climate: Hashable, Sendable {
    /// The numbers to set: the target, or the lower and the higher one.
    package var targets: [String]
    /// The actual temperature.
    package var actual: String
  }

  package enum Kind: Hashable, Sendable {
    case text, flag, number
    /// A list in JSON.
    case list
    /// An option's index.
    case index
  }

  /// Unique in topics: one level, after `$node/` for the panel itself.
  package var name: String
  /// The name for users.
  package var title: String
  package var platform: Platform
  package var source: Source
  package var setting: Setting?
  /// The options of a select, or the types of an event entity.
  package var options: [String] = []
  /// Whether the value is the index of an option.
  package var isIndex = false
  /// The labels of numbers 0, 1, 2 ….
  package var labels: [String] = []
  package var minimum: Double?
  package var maximum: Double?
  /// Controls or wheels whose rotation causes transient values.
  package var rotaryControls: [String] = []
  /// Whether even a program's changes pass through transient values.
  package var isTurned = false
  package var isDimmable = true
  package var climate: Climate?
  /// Whether only its topics exist, for another entity.
  package var isHidden = false
  package var details: [JSONValue.Member] = []

  package init(
    _ name: String, _ platform: Platform, from source: Source, setting: Setting? = nil
  ) {
    self.name = name
    title = name
    self.platform = platform
    self.source = source
    self.setting = setting
  }
}

extension Entity {
  /// Characters of a state in Home Assistant.
  private static let maximumStateLength = 255

  /// Returns an object with `value`, `by` and other members.
  package func state(of value: JSONValue, by cause: String) -> JSONValue {
    var members: [JSONValue.Member] = []
    switch (platform, value) {
    case (.select, .number(let number)) where isIndex:
      let index = Int(exactly: number).flatMap { options.indices.contains($0) ? $0 : nil }
      members = [
        .init("value", index.map { .string(options[$0]) } ?? .null), .init("index", value),
      ]
    case (.select, .string(let text)):
      // Without a choice, the state is unknown.
      let index = options.firstIndex(of: text)
      members = [.init("value", text.isEmpty ? .null : value)]
      if let index {
        members.append(.init("index", .number(Double(index))))
        if labels.indices.contains(index) { members.append(.init("label", .string(labels[index]))) }
      }
    case (.switch, .bool(let isOn)), (.binarySensor, .bool(let isOn)):
      members = [.init("value", .string(isOn ? "ON" : "OFF"))]
    case (.number, .number(let number)):
      members = [.init("value", value)]
      if let index = Int(exactly: number), labels.indices.contains(index) {
        members.append(.init("label", .string(labels[index])))
      }
    case (_, .string(let text)) where text.count > Self.maximumStateLength:
      members = [
        .init("value", .string(text.prefix(Self.maximumStateLength - 1) + "…")),
        .init("text", value),
      ]
    // A list is too long for a state, so the state is its length.
    case (_, .array(let items)):
      members = [.init("value", .number(Double(items.count))), .init("items", value)]
    default: members = [.init("value", value)]
    }
    return .object(members + [.init("by", .string(cause))])
  }

  /// Whether Home Assistant would reject the value, because the kiosk has changed.
  package func isRejected(_ value: JSONValue) -> Bool {
    switch (platform, value) {
    case (.select, .number(let number)) where isIndex:
      Int(exactly: number).map { !options.indices.contains($0) && $0 >= 0 } ?? true
    case (.select, .string(let text)): !text.isEmpty && !options.contains(text)
    case (.number, .number(let number)):
      number < minimum ?? -.infinity || number > maximum ?? .infinity
    default: false
    }
  }

  /// Omits secret fields. Returns nil for an event that the entity doesn't report.
  package func state(ofEvent event: [JSONValue.Member]) -> JSONValue? {
    guard let type = event.first(where: { $0.name == "event" })?.value.string,
      options.contains(type)
    else { return nil }
    var hidden: Set<String> = ["t", "control", "event", "secret", "event_type"]
    if case .array(let secrets)? = event.first(where: { $0.name == "secret" })?.value {
      hidden.formUnion(secrets.compactMap(\.string))
    }
    return .object(
      [.init("event_type", .string(type))] + event.filter { !hidden.contains($0.name) })
  }

  package func state(
    isAwake: Bool, brightness: Double, by cause: String
  ) -> JSONValue {
    let level = (min(max(brightness, 0), 1) * Double(Self.maximumBrightness)).rounded()
    return .object([
      .init("state", isAwake ? "ON" : "OFF"), .init("brightness", .number(level)),
      .init("color_mode", colorMode), .init("by", cause),
    ])
  }

  /// Home Assistant's name for a light's colour mode.
  var colorMode: String { isDimmable ? "brightness" : "onoff" }

  package static let maximumBrightness = 255
}

extension JSONValue.Member {
  init(_ name: String, _ text: String) { self.init(name, .string(text)) }
}
