// SPDX-License-Identifier: MIT

internal import Declarations
internal import Expressions
package import JSON
internal import JSONRPC
package import Kiosk
internal import KioskProtocol
internal import Session

/// A value of a kiosk that comes from a topic, goes to one, or both.
package struct TopicValue: Hashable, Sendable {
  package let name: String
  package let source: TopicSource?
  package let target: TopicTarget?
  /// The seconds after which a message is out of date; nil for never.
  package let staleAfter: Double?
  private let declaration: ValueDeclaration

  /// What the kiosk has told last; nil before it has told anything.
  private var told: JSONValue?
  /// What has been heard and is on its way to the kiosk, which will tell it as a change.
  private var heard: JSONValue?
  /// Whether the kiosk has answered that it takes what has been heard.
  private var isTaken = false
  /// The message that is the last word; nil where that came from the topic, or nothing has been said.
  package private(set) var message: String?
  /// Whether the broker has been given that message.
  private var isSent = false
  /// The newest messages to the topic that the value comes from, too: the broker gives them back, in this order.
  private var own: [String] = []
  private static let maximumOwn = 64

  /// A value as a kiosk's tree describes it: what is known of its range, and its topics. Nil where it has none.
  package init?(_ name: String, _ json: JSONValue) {
    guard let range = ValueRange(json), range.source != nil || range.target != nil,
      let kind = range.kind
    else { return nil }
    self.name = name
    (source, target, staleAfter) = (range.source, range.target, range.staleAfter)
    declaration = ValueDeclaration(
      name: name, initial: kind.sample, minimum: range.minimum, maximum: range.maximum,
      step: range.step, options: range.options)
  }

  /// The same value, if it is described as `other` is.
  package func isDescribed(as other: TopicValue) -> Bool {
    name == other.name && source == other.source && target == other.target
      && staleAfter == other.staleAfter && declaration == other.declaration
  }

  /// The expression by which it is watched.
  package var expression: String { NamePath(name).description }

  // MARK: From the topic

  /// Bytes of a message that are too many: a request of a kiosk's client is no longer.
  package static let maximumBytes = 1 << 20
  /// JSON values of a message that are too many, less those that a request has around it.
  private static let maximumValues = Limits().maximumMessageValues - 16
  /// Bytes of a request's parameters, with room for the rest of its line.
  private static let maximumParameterBytes = Limits().maximumLineBytes - 256

  /// What a message says that the value is.
  package func value(in payload: [UInt8]) throws(OrderError) -> JSONValue {
    guard payload.count < Self.maximumBytes else {
      throw OrderError(description: "the message is too long (1 MiB or more)")
    }
    guard let text = String(validating: payload, as: UTF8.self) else {
      throw OrderError(description: "the message is not UTF-8")
    }
    guard let path = source?.path, !path.isEmpty else { return try value(.string(text)) }
    var json: JSONValue
    do throws(JSONValue.SyntaxError) {
      json = try JSONValue(parsing: payload, maximumValues: Self.maximumValues)
    } catch {
      guard !error.exceedsMaximum else { throw Self.tooManyValues }
      // It says that this is not JSON.
      throw OrderError(description: "\(text.quoted): \(error.description)")
    }
    for (depth, name) in path.enumerated() {
      guard let member = json[member: name] else {
        let way = path[...depth].joined(separator: ".")
        throw OrderError(description: "\(text.quoted) has no \(way.quoted)")
      }
      json = member
    }
    return try value(json)
  }

  /// The value that a text or a member of a message is, as it suits the kiosk's.
  private func value(_ json: JSONValue) throws(OrderError) -> JSONValue {
    let kind = declaration.initial.kind
    let text = json.string ?? json.text
    var value: Value?
    switch kind {
    case _ where json == .null: break
    case .text: value = .text(text)
    case .flag: value = text.switchState.map { .flag($0) }
    case .number:
      let words = text.split(whereSeparator: \.isWhitespace)
      value = words.count == 1 ? Value(text: String(words[0]), as: .number) : nil
    default: value = json.string.map { Value(text: $0, as: kind) } ?? Value(json)
    }
    guard let fitted = value.flatMap(declaration.fitted) else {
      throw OrderError(description: "\(text.quoted) is not \(declaration.expected)")
    }
    let given = JSONValue(fitted)
    guard given.count <= Self.maximumValues else { throw Self.tooManyValues }
    // Some characters take more bytes in JSON than in the message.
    guard let call = order(given)?.call,
      JSONValue.object(call.parameters).text.utf8.count <= Self.maximumParameterBytes
    else { throw OrderError(description: "the value is too long for a request to the kiosk") }
    return given
  }

  private static var tooManyValues: OrderError {
    OrderError(description: "the message has more than \(maximumValues) values")
  }

  /// The order by which the kiosk is given a value.
  package func order(_ value: JSONValue) -> Order? {
    Value(value).map { .command(.set(.value(name), $0)) }
  }

  /// Notes a value that has been heard and is given to the kiosk.
  package mutating func hear(_ value: JSONValue) {
    heard = value == told ? nil : value
    isTaken = false
    message = nil
  }

  /// Notes that the kiosk takes what has been heard.
  package mutating func confirmHeard() { isTaken = true }

  /// Notes that the kiosk does not take what has been heard.
  package mutating func dropHeard() { heard = nil }

  /// Whether a message from the topic is the value's own, which the broker gives back once.
  package mutating func isOwn(_ payload: [UInt8]) -> Bool {
    let place = own.firstIndex { $0.utf8.elementsEqual(payload) }
    guard let place else { return false }
    // Those before it have been lost on the way.
    own.removeFirst(place + 1)
    return true
  }

  // MARK: To the topic

  /// Notes what the kiosk tells of the value; answers the message for its topic, if it says something new.
  package mutating func note(_ value: JSONValue) -> String? {
    let isFirst = told == nil
    told = value
    if value == heard {
      heard = nil
      // What was to be said before is out of date.
      message = nil
      return nil
    }
    // The kiosk has gone on from what has been heard.
    if isTaken { heard = nil }
    guard let target, value != .null else { return nil }
    // What the kiosk has had before is no change; but a broker that keeps messages is to have the present one,
    // unless it is the broker that knows.
    if isFirst, source != nil || !target.isRetained { return nil }
    message = target.message(of: value)
    isSent = false
    return message
  }

  /// Whether a new connection to the broker is to get the message: none has got it, or the broker is to keep it.
  package var isDue: Bool { message != nil && (target?.isRetained == true || !isSent) }

  /// Notes that the broker has been given the message.
  package mutating func noteSent() {
    isSent = true
    guard let message, let source, source.topic == target?.topic else { return }
    if own.count == Self.maximumOwn { own.removeFirst() }
    own.append(message)
  }

  /// The connection to the broker has ended: nothing that was sent comes back.
  package mutating func forgetSent() { own = [] }

  /// Forgets what the kiosk has told: it will tell everything anew.
  package mutating func forget() {
    told = nil
    heard = nil
  }
}

extension TopicTarget {
  /// The message for a value: what stands for the value in a text of JSON is JSON.
  package func message(of value: JSONValue) -> String {
    let plain = value.string ?? value.text
    guard let payload, payload != "{value}" else { return plain }
    func filled(_ text: String) -> String { payload.replacing("{value}", with: text) }
    func isJSON(_ text: String) -> Bool { (try? JSONValue(parsing: text.utf8)) != nil }
    if isJSON(filled("0")), !isJSON(filled("x")) { return filled(value.text) }
    if isJSON(filled("x")) {
      return filled(String(JSONValue.string(plain).text.dropFirst().dropLast()))
    }
    return filled(plain)
  }
}

extension Value.Kind {
  /// A value of this kind.
  var sample: Value {
    switch self {
    case .number: .number(0)
    case .flag: .flag(false)
    case .list: .list([])
    case .text, .record, .time, .any: .text("")
    }
  }
}

extension JSONValue {
  /// The number of values in it, with itself.
  fileprivate var count: Int {
    switch self {
    case .array(let items): items.reduce(1) { $0 + $1.count }
    case .object(let members): members.reduce(1) { $0 + $1.value.count }
    case .null, .bool, .number, .string: 1
    }
  }

  /// A member of an object by its name, or an item of an array by its index.
  fileprivate subscript(member name: String) -> JSONValue? {
    guard case .array(let items) = self else { return self[name] }
    guard let index = Int(name), "\(index)" == name, items.indices.contains(index) else {
      return nil
    }
    return items[index]
  }
}
