// SPDX-License-Identifier: MIT

package import Declarations
package import Expressions
package import Motion

/// A property that is state of a control, or of each of its parts: how it is read, and how it is set.
package struct Property<Owner>: Sendable {
  package let name: String
  /// Whether a finger that holds the control also holds it, so that a value written to it waits.
  private(set) var isHeld = true
  /// Whether a value that it has already is news to it.
  private(set) var takesNews = false
  /// Whether the control has it; nil for always.
  private(set) var isPresent: (@Sendable (Owner) -> Bool)?
  let read: @Sendable (Owner, Occasion) -> Value
  /// Nil where it can only be read.
  private(set) var write: Writing<Value>?

  /// Sets it to a value, and adds the events.
  package typealias Writing<T> =
    @Sendable (
      inout Owner, T, Occasion, inout [ControlEvent]
    ) throws(Unsuitable) -> Void

  /// A property that can only be read.
  package init<T: PropertyValue>(
    _ name: String, _ read: @escaping @Sendable (Owner, Occasion) -> T
  ) {
    self.name = name
    self.read = { read($0, $1).value }
  }

  /// A property that can be set to values of the type that `write` takes.
  package init<T: PropertyValue, Written: PropertyValue>(
    _ name: String, _ read: @escaping @Sendable (Owner, Occasion) -> T,
    set write: @escaping Writing<Written>
  ) {
    self.init(name, read)
    self.write = { (owner, value, occasion, events) throws(Unsuitable) in
      guard let value = Written(value) else { throw Unsuitable(Written.expected) }
      try write(&owner, value, occasion, &events)
    }
  }

  /// The same of the controls that have it.
  package func present(where isPresent: @escaping @Sendable (Owner) -> Bool) -> Property {
    var property = self
    property.isPresent = isPresent
    return property
  }

  /// The property, which is set even while a finger holds the control.
  package func free() -> Property {
    var property = self
    property.isHeld = false
    return property
  }

  /// The property, which handles each value that is written.
  package func takingNews() -> Property {
    var property = self
    property.takesNews = true
    return property
  }
}

/// When a property is read or set, and of which part of a control, by its index; 0 of the control itself.
package struct Occasion: Sendable {
  package let now: Instant
  package let part: Int
}

extension PropertyError {
  /// The reason why a property does not take a value.
  package init(_ property: String, _ reason: Unsuitable) {
    self = .unsuitable(property, expected: reason.expected)
  }
}

extension Array {
  /// The index that a number is.
  func index(_ number: Double) throws(Unsuitable) -> Int {
    guard let index = Int(exactly: number), indices.contains(index) else {
      throw Unsuitable("a whole number from 0 to \(count - 1)")
    }
    return index
  }
}

/// A type of the values of a property.
package protocol PropertyValue: SendableMetatype {
  /// The values that it takes, as messages name them.
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
  package static var expected: String { "a text" }

  package init?(_ value: Value) {
    guard case .text(let text) = value else { return nil }
    self = text
  }

  package var value: Value { .text(self) }
}

/// Any value.
extension Value: PropertyValue {
  package static var expected: String { "\(Value.Kind.any)" }

  package init(_ value: Value) { self = value }

  package var value: Value { self }
}
