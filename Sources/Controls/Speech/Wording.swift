// SPDX-License-Identifier: MIT

public import Geometry
public import Motion

/// The words with which speech describes a control, or an item of it.
public struct Wording: Hashable, Sendable {
  /// Its own text; empty where it shows none.
  public var label: String
  /// Its present value, as people read it; empty where it has none, or where that is secret.
  public var value: String
  /// Whether it is on; nil where it cannot be switched.
  public var isOn: Bool?
  /// Its place among those beside it, from 1, and how many there are; nil where it is alone.
  public var position: Position?

  /// A place among others.
  public struct Position: Hashable, Sendable {
    /// From 1.
    public var number: Int
    /// How many there are.
    public var count: Int
  }

  /// Words of a label and a value.
  public init(label: String = "", value: String = "", isOn: Bool? = nil, position: Position? = nil)
  {
    self.label = label
    self.value = value
    self.isOn = isOn
    self.position = position
  }
}

/// How speech announces the controls of a type.
public enum SpokenRole: Hashable, Sendable {
  /// Not at all.
  case silent
  /// As something that is only seen; as a button where actions follow a press of it.
  case seen
  /// As something that a key presses.
  case pressed
  /// As something that a key enters, to turn it or to move among its items.
  case entered
}

/// The part of a control that speech reads.
public protocol Readable: Sendable {
  /// How speech announces controls of this type.
  static var spokenRole: SpokenRole { get }

  /// The words of an item, or of the control as a whole where `item` is nil.
  func wording(of item: String?, at now: Instant) -> Wording

  /// The item that keys use as part `part`; nil where the part is the control itself.
  func item(ofPart part: Int, at now: Instant) -> String?

  /// The item that a finger at a place hears; nil for the control as a whole.
  func item(under point: Point, at now: Instant) -> String?
}

extension Readable {
  /// Entered.
  public static var spokenRole: SpokenRole { .entered }
  /// None.
  public func wording(of item: String?, at now: Instant) -> Wording { Wording() }
  /// Nil: its parts have no names.
  public func item(ofPart part: Int, at now: Instant) -> String? { nil }
}

extension Readable where Self: Touchable & KeyOperable {
  /// The nearest of the items that keys reach one by one; nil where there are none.
  public func item(under point: Point, at now: Instant) -> String? {
    let seen = items(at: now).compactMap { item in item.place.map { (item.id, $0) } }
    return seen.min { ($0.1 - point).length < ($1.1 - point).length }?.0
  }
}

extension Wording.Position {
  /// The place of an index in a row of things; nil for one that is alone.
  init?(_ index: Int, of count: Int) {
    guard count > 1 else { return nil }
    self.init(number: index + 1, count: count)
  }
}
