// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
package import RoundelExpressions
package import RoundelMotion

/// The named interface of a control type. Each type has a single instance.
package final class Interface<Owner>: Sendable {
  let properties: [Property<Owner>]
  let parts: Parts<Owner>?
  let commands: [ControlCommand<Owner>]
  package let events: [EventType]

  package init(
    properties: [Property<Owner>] = [], parts: Parts<Owner>? = nil,
    commands: [ControlCommand<Owner>] = [], events: [EventType] = []
  ) {
    self.properties = properties
    self.parts = parts
    self.commands = commands
    self.events = events
  }

  /// O(n) in the parts.
  func row(_ name: String, of owner: Owner) -> (property: Property<Owner>, part: Int)? {
    if let property = properties.first(where: { $0.name == name }) {
      return property.isPresent(owner) ? (property, 0) : nil
    }
    guard let parts, let dot = name.lastIndex(of: ".") else { return nil }
    let last = name[name.index(after: dot)...]
    guard let property = parts.properties.first(where: { $0.name == last }) else { return nil }
    return parts.index(owner, name[..<dot]).map { (property, $0) }
  }
}

/// The parts of a control that have properties, such as `minutes.index` of a picker's wheel.
package struct Parts<Owner>: Sendable {
  let ids: @Sendable (Owner) -> [String]
  let index: @Sendable (Owner, Substring) -> Int?
  let properties: [Property<Owner>]

  package init(
    ids: @escaping @Sendable (Owner) -> [String],
    index: @escaping @Sendable (Owner, Substring) -> Int?, properties: [Property<Owner>]
  ) {
    self.ids = ids
    self.index = index
    self.properties = properties
  }
}

package struct ControlCommand<Owner>: Sendable {
  let name: String
  package let summary: String
  let isPresent: @Sendable (Owner) -> Bool
  let perform: @Sendable (inout Owner, Instant, inout [ControlEvent]) -> Void

  package init(
    _ name: String, _ summary: String,
    where isPresent: @escaping @Sendable (Owner) -> Bool = { _ in true },
    perform: @escaping @Sendable (inout Owner, Instant, inout [ControlEvent]) -> Void
  ) {
    self.name = name
    self.summary = summary
    self.isPresent = isPresent
    self.perform = perform
  }
}

extension KeyedControl {
  /// The names of the parts' properties, followed by the control's own.
  public var properties: [String] {
    let interface = Self.interface
    let ofParts = interface.parts.map { parts in
      parts.ids(self).flatMap { id in parts.properties.map { "\(id).\($0.name)" } }
    }
    return (ofParts ?? []) + interface.properties.filter { $0.isPresent(self) }.map(\.name)
  }

  /// Returns the value of a property, or nil for an unknown name.
  public func value(of property: String, at now: Instant) -> Value? {
    guard let row = Self.interface.row(property, of: self) else { return nil }
    return row.property.read(self, AccessContext(now: now, part: row.part))
  }

  /// Throws if the property is unknown or read-only, or refuses the value.
  public mutating func set(
    _ property: String, to value: Value, at now: Instant, events: inout [ControlEvent]
  ) throws(PropertyError) {
    guard let row = Self.interface.row(property, of: self) else { throw .unknown(property) }
    guard let write = row.property.write else { throw .readOnly(property) }
    do throws(InvalidValueError) {
      try write(&self, value, AccessContext(now: now, part: row.part), &events)
    } catch {
      throw PropertyError(property, error)
    }
  }

  /// Whether a finger that holds the control also holds the property.
  public func isHeld(_ property: String) -> Bool {
    Self.interface.row(property, of: self)?.property.isHeld ?? true
  }

  /// Whether the property handles unchanged values.
  public func takesNews(_ property: String) -> Bool {
    Self.interface.row(property, of: self)?.property.takesNews ?? false
  }

  /// The commands that the control accepts now.
  public var commands: [String] {
    Self.interface.commands.filter { $0.isPresent(self) }.map(\.name)
  }

  /// Performs one of `commands`.
  public mutating func perform(_ command: String, at now: Instant, events: inout [ControlEvent]) {
    let known = Self.interface.commands.first { $0.name == command && $0.isPresent(self) }
    known?.perform(&self, now, &events)
  }
}
