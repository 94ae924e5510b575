// SPDX-License-Identifier: MIT

public import RoundelGeometry
public import RoundelMotion

/// The words that describe a control or an item in speech.
public struct Wording: Hashable, Sendable {
  /// The visible text, or an empty string.
  public var label: String
  /// The human-readable value. Empty if there isn't one, or if it is secret.
  public var value: String
  /// The name of a built-in word instead of the label, such as `hue`.
  public var labelTerm: String?
  /// The names of built-in words before the value. Each contains the next one.
  public var terms: [String] = []
  /// Two numbers instead of a value, or nil.
  public var range: Range?
  /// Whether the control is on, or nil if it isn't a switch.
  public var isOn: Bool?
  /// The position among its siblings, or nil without siblings.
  public var position: Position?

  /// A position among siblings.
  public struct Position: Hashable, Sendable {
    /// The position, counted from 1.
    public var number: Int
    /// The number of siblings, including itself.
    public var count: Int
  }

  /// Two numbers, as displayed.
  public struct Range: Hashable, Sendable {
    /// The lower number.
    public var low: String
    /// The higher number.
    public var high: String

    /// Creates a range.
    public init(low: String, high: String) {
      self.low = low
      self.high = high
    }
  }

  /// Creates a wording of two numbers.
  public init(range: Range) {
    self.init()
    self.range = range
  }

  /// Creates a wording.
  public init(label: String = "", value: String = "", isOn: Bool? = nil, position: Position? = nil)
  {
    self.label = label
    self.value = value
    self.isOn = isOn
    self.position = position
  }
}

/// The way speech announces the controls of a type.
public enum SpokenRole: Hashable, Sendable {
  case silent
  /// Announced as static content, or as a button if actions follow a press.
  case seen
  /// Announced as a control that a key presses.
  case pressed
  /// Announced as a control that a key enters.
  case entered
}

/// The part of a control that speech reads.
public protocol Readable: Sendable {
  /// The way speech announces controls of this type.
  static var spokenRole: SpokenRole { get }

  /// Returns the wording of an item, or of the whole control if `item` is nil.
  func wording(of item: String?, at now: Instant) -> Wording

  /// Returns the item that keys use as part `part`, or nil if the part is the control itself.
  func item(ofPart part: Int, at now: Instant) -> String?

  /// Whether the wording is a text that scrolls.
  var scrollsBySpeech: Bool { get }

  /// Called when speech has said the whole wording of a text that scrolls.
  mutating func finishSpeech(at now: Instant)

  /// The announced item, or nil for the whole control.
  func item(under point: Point, at now: Instant) -> String?
}

extension Readable {
  /// The default is `entered`.
  public static var spokenRole: SpokenRole { .entered }
  /// Returns an empty wording.
  public func wording(of item: String?, at now: Instant) -> Wording { Wording() }
  /// The default is false.
  public var scrollsBySpeech: Bool { false }
  /// Does nothing.
  public mutating func finishSpeech(at now: Instant) {}
  /// Returns nil.
  public func item(ofPart part: Int, at now: Instant) -> String? { nil }
}

extension Readable where Self: Touchable & KeyOperable {
  /// Returns the visible item nearest to `point`.
  public func item(under point: Point, at now: Instant) -> String? {
    let seen = items(at: now).compactMap { item in item.place.map { (item.id, $0) } }
    return seen.min { ($0.1 - point).length < ($1.1 - point).length }?.0
  }
}

extension Wording.Position {
  /// Creates a position, or nil if `count` is at most 1.
  init?(_ index: Int, of count: Int) {
    guard count > 1 else { return nil }
    self.init(number: index + 1, count: count)
  }
}
