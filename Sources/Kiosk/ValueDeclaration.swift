// SPDX-License-Identifier: MIT

internal import RoundelControls
public import RoundelExpressions
internal import RoundelJSON

/// A value of the kiosk.
public struct ValueDeclaration: Hashable, Sendable {
  /// The name, unique among the kiosk's values.
  public var name: String
  /// The initial value: a number, a string, a flag, a list or a record. Determines the kind.
  public var initial: Value
  /// The lower bound of a number, and the origin of steps. Numbers are clamped and rounded, never refused.
  public var minimum: Double?
  /// The upper bound of a number, or nil if it is unbounded.
  public var maximum: Double?
  /// The step between allowed numbers, or nil to allow any number.
  public var step: Double?
  /// The unit of a number, for programs, or an empty string.
  public var unit: String
  /// The allowed strings, or an empty array for any string.
  public var options: [String]
  /// Whether the value persists when the process ends.
  public var isPersistent: Bool
  /// Whether only actions and `logic` get the value.
  package var isPrivate = false
  /// The template of a computed value, or nil for a settable value. A computed value takes only its
  /// kind from `initial`.
  package var template: TextTemplate?
  /// Whether the value is reset at midnight.
  public var isDaily: Bool
  package var source: ValueSource?
  package var target: ValueTarget?
  /// The seconds that messages from the source wait after a message to the target, or nil.
  package var echoSeconds: Double?
  /// The message for the target's topic when the kiosk no longer runs, or nil.
  package var gone: String?
  /// Whether the value is the path of an image that its source sends.
  package var isImage = false
  /// The seconds until the value becomes undefined unless it is set again, or nil for never. With a
  /// limit, it is also initially undefined.
  package var staleAfter: Double?

  /// Bounds, step and unit apply only to numbers, options only to strings.
  public init(
    name: String, initial: Value, minimum: Double? = nil, maximum: Double? = nil,
    step: Double? = nil, unit: String = "", options: [String] = [], isPersistent: Bool = false,
    isDaily: Bool = false
  ) {
    self.name = name
    self.initial = initial
    self.minimum = minimum
    self.maximum = maximum
    self.step = step
    self.unit = unit
    self.options = options
    self.isPersistent = isPersistent
    self.isDaily = isDaily
  }

  /// The built-in value that scales text.
  package static let textScale = ValueDeclaration(
    name: Description.textScaleValue, initial: .number(1), minimum: 1, maximum: 2)

  /// Whether users don't change the value, which is an external state.
  var isForeign: Bool { source != nil || staleAfter != nil }

  package var kind: Value.Kind { template?.kind ?? initial.kind }

  /// The kind of items or members. Programs may send other kinds.
  package var elementKind: Value.Kind {
    template?.elementKind ?? (isForeign ? .any : initial.elementKind)
  }

  package var expected: String {
    options.isEmpty ? "\(initial.kind)" : "one of " + options.joined(separator: ", ")
  }

  /// The accepted values, or the limit that a refused value exceeds, in words.
  package func expected(insteadOf value: Value) -> String {
    value.kind == initial.kind
      ? value.exceededLimit ?? value.exceededLevels ?? expected : expected
  }

  /// Returns `value` clamped and rounded, or nil if it isn't accepted. A numeric string isn't a number.
  package func fitted(_ value: Value) -> Value? {
    guard value.kind == initial.kind else { return nil }
    switch value {
    case .number(let number):
      guard number.isFinite else { return nil }
      let fitted =
        step.map { step in
          Scale.nearest(to: number, from: minimum ?? 0, by: step, upTo: maximum)
        } ?? number
      return .number(min(max(fitted, minimum ?? -.infinity), maximum ?? .infinity))
    case .text(let text):
      guard options.isEmpty || options.contains(text) else { return nil }
      return text.utf8.count <= Value.maximumTextBytes ? value : nil
    case .list, .record: return value.exceededLimit ?? value.exceededLevels == nil ? value : nil
    default: return value
    }
  }
}

extension Value {
  /// The maximum size of a string in bytes.
  package static let maximumTextBytes = 65_536
  /// The maximum size of a list as JSON without spaces, in bytes.
  package static let maximumListBytes = 1 << 20
  package static let maximumRows = List.maximumItems

  /// The exceeded limit, or nil. O(n).
  package var exceededLimit: String? {
    switch self {
    case .text(let text):
      let bytes = text.utf8.count
      return bytes > Self.maximumTextBytes
        ? "a string of at most \(Self.maximumTextBytes) bytes, not \(bytes)" : nil
    case .list(let rows):
      if rows.count > Self.maximumRows {
        return "a list of at most \(Self.maximumRows) rows, not \(rows.count)"
      }
      return exceededBytes
    case .record: return exceededBytes
    case .number, .flag, .time: return nil
    }
  }

  private var exceededBytes: String? {
    guard maximumJSONBytes > Self.maximumListBytes else { return nil }
    let bytes = jsonBytes
    return bytes > Self.maximumListBytes
      ? "\(kind) of at most \(Self.maximumListBytes) bytes as JSON, not \(bytes)" : nil
  }

  /// The exceeded nesting limit, or nil. O(n).
  package var exceededLevels: String? {
    let most = Expression.maximumValueLevels
    return isDeeper(than: most) ? "at most \(most) levels of lists and records" : nil
  }

  private func isDeeper(than levels: Int) -> Bool {
    switch self {
    case .list(let values): levels == 0 || values.contains { $0.isDeeper(than: levels - 1) }
    case .record(let fields): levels == 0 || fields.contains { $0.value.isDeeper(than: levels - 1) }
    case .text, .number, .flag, .time: false
    }
  }
}
