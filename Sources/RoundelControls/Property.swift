// SPDX-License-Identifier: MIT

package import RoundelDeclarations
package import RoundelExpressions
package import RoundelMotion

/// A property of a control, or of each part.
package struct Property<Owner>: Sendable {
  package let name: String
  /// A value written to a held property waits.
  private(set) var isHeld = true
  /// Handles unchanged values.
  private(set) var takesNews = false
  private(set) var isPresent: @Sendable (Owner) -> Bool = { _ in true }
  let read: @Sendable (Owner, AccessContext) -> Value
  /// The function, or nil if the property is read-only.
  private(set) var write: Writing<Value>?

  package typealias Writing<T> =
    @Sendable (inout Owner, T, AccessContext, inout [ControlEvent]) throws(InvalidValueError) ->
    Void

  package init<T: PropertyValue>(
    _ name: String, _ read: @escaping @Sendable (Owner, AccessContext) -> T
  ) {
    self.name = name
    self.read = { read($0, $1).value }
  }

  package init<T: PropertyValue, Written: PropertyValue>(
    _ name: String, _ read: @escaping @Sendable (Owner, AccessContext) -> T,
    set write: @escaping Writing<Written>
  ) {
    self.init(name, read)
    self.write = { (owner, value, occasion, events) throws(InvalidValueError) in
      guard let value = Written(value) else { throw InvalidValueError(Written.expected) }
      try write(&owner, value, occasion, &events)
    }
  }

  package func present(where isPresent: @escaping @Sendable (Owner) -> Bool) -> Property {
    var property = self
    property.isPresent = isPresent
    return property
  }

  package func free() -> Property {
    var property = self
    property.isHeld = false
    return property
  }

  func takingNews() -> Property {
    var property = self
    property.takesNews = true
    return property
  }
}

/// A control with a chosen item, which the properties `item`, `index` and `label` read and set.
protocol ChoiceControl: KeyedControl {
  static var itemName: String { get }
  var itemCount: Int { get }
  func name(of item: Int) -> (id: String?, label: String)
  var selection: Int? { get }
  mutating func choose(_ item: Int?, at now: Instant)
}

extension ChoiceControl {
  /// Before a choice the index is -1 and the strings are empty. Setting a property reports nothing.
  static var choice: [Property<Self>] {
    [
      Property("item") { control, _ in
        control.selection.flatMap { control.name(of: $0).id } ?? ""
      } set: { (control, id: String, at, _) throws(InvalidValueError) in
        try control.choose(id.isEmpty, "the id of a \(itemName)", at: at.now) { $0.id == id }
      },
      Property("index") { control, _ in
        Double(control.selection ?? -1)
      } set: { (control, number: Double, at, _) throws(InvalidValueError) in
        guard let index = Int(exactly: number), (-1..<control.itemCount).contains(index) else {
          throw InvalidValueError("-1 or 0 … \(control.itemCount - 1)")
        }
        control.choose(index < 0 ? nil : index, at: at.now)
      },
      Property("label") { control, _ in
        control.selection.map { control.name(of: $0).label } ?? ""
      } set: { (control, label: String, at, _) throws(InvalidValueError) in
        try control.choose(label.isEmpty, "the label of a \(itemName)", at: at.now) {
          $0.label == label
        }
      },
    ]
  }

  private mutating func choose(
    _ isNone: Bool, _ expected: String, at now: Instant,
    where isMeant: ((id: String?, label: String)) -> Bool
  ) throws(InvalidValueError) {
    let found = isNone ? nil : (0..<itemCount).first { isMeant(name(of: $0)) }
    if found == nil, !isNone { throw InvalidValueError(expected) }
    choose(found, at: now)
  }
}

/// The time, and the index of the part, or 0 without parts.
package struct AccessContext: Sendable {
  package let now: Instant
  package let part: Int
}

extension PropertyError {
  package init(_ property: String, _ reason: InvalidValueError) {
    self = .unsuitable(property, expected: reason.expected)
  }
}

extension Array {
  func index(_ number: Double) throws(InvalidValueError) -> Int {
    guard let index = Int(exactly: number), indices.contains(index) else {
      throw InvalidValueError("a whole number from 0 to \(count - 1)")
    }
    return index
  }
}

package protocol PropertyValue: SendableMetatype {
  static var expected: String { get }
  init?(_ value: Value)
  var value: Value { get }
}

extension Bool: PropertyValue {
  package static var expected: String { "true or false" }

  package init?(_ value: Value) {
    guard case .flag(let flag) = value else { return nil }
    self = flag
  }

  package var value: Value { .flag(self) }
}

extension Double: PropertyValue {
  package static var expected: String { "a number" }

  package init?(_ value: Value) {
    guard case .number(let number) = value else { return nil }
    self = number
  }

  package var value: Value { .number(self) }
}

extension String: PropertyValue {
  package static var expected: String { "a string" }

  package init?(_ value: Value) {
    guard case .text(let text) = value else { return nil }
    self = text
  }

  package var value: Value { .text(self) }
}

extension Value: PropertyValue {
  package static var expected: String { "\(Value.Kind.any)" }

  package init(_ value: Value) { self = value }

  package var value: Value { self }
}
