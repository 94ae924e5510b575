// SPDX-License-Identifier: MIT

package import RoundelControls
package import RoundelExpressions
package import RoundelGeometry
package import RoundelJSON
package import Kiosk
package import RoundelMotion

package struct SessionLine: Hashable, Sendable {
  package var time: Instant
  package var members: [JSONValue.Member]

  /// An event without its secrets, for printing.
  package init(_ event: Event) { self.init(event, secrets: [], isPublic: true) }

  /// An event with its secrets, for programs that act on it. Clients remove the listed secrets
  /// before passing it on.
  package init(withSecretsOf event: Event) {
    self.init(event, secrets: event.secrets, isPublic: true)
  }

  /// An event with its private content, for `logic`.
  package init(withPrivateContentOf event: Event) {
    self.init(event, secrets: event.secrets, isPublic: false)
  }

  private init(_ event: Event, secrets: [Field], isPublic: Bool) {
    func json(_ value: Value) -> JSONValue {
      isPublic && event.isPrivate ? .null : JSONValue(value)
    }
    time = event.time
    members = []
    if let control = event.control { members.append(.init("control", .string(control))) }
    members.append(.init("event", .string(event.name)))
    if let item = event.item { members.append(.init("item", json(.text(item)))) }
    members += (event.fields + secrets).map { .init($0.name, json($0.value)) }
    if !secrets.isEmpty {
      members.append(.init("secret", .array(secrets.map { .string($0.name) })))
    }
    members.append(.init("by", .string(event.cause.rawValue)))
  }

  /// The answer to `get` in a recording. `null` stands for an undefined value.
  package init(answer value: Value?, to path: String, at time: Instant) {
    self.time = time
    members = [
      .init("get", .string(path)), .init("value", value.map { JSONValue($0) } ?? .null),
    ]
  }

  package init(_ touch: Touch, at time: Instant) {
    self.time = time
    members = [touch.json]
  }

  package init(_ command: Command, at time: Instant) {
    self.time = time
    members = [command.json]
  }

  /// The design size as the first line of a recording.
  package init(_ size: Size) {
    time = .zero
    members = [JSONValue.Member("size", .array([.number(size.width), .number(size.height)]))]
  }

  /// The wall clock at the start of a recording.
  package init(_ clock: CivilTime) {
    time = .zero
    members = [JSONValue.Member("clock", .string("\(clock)"))]
  }

  /// Returns nil for anything but an object with a time.
  package init?(_ json: JSONValue) {
    guard case .object(let all) = json, let t = json["t"]?.number else { return nil }
    time = Instant(seconds: t)
    members = all.filter { $0.name != "t" }
  }

  /// The line without a line break. `t` comes first, in seconds with three decimals, or six if necessary.
  package var text: String {
    let rest = JSONValue.object(members).text.dropFirst()
    return "{\"t\":\(Self.seconds(time))\(members.isEmpty ? "" : ",")\(rest)"
  }

  private static func seconds(_ time: Instant) -> String {
    let sign = time.microseconds < 0 ? "-" : ""
    let (whole, micro) = time.microseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
    var digits = String(micro)
    digits = String(repeating: "0", count: 6 - digits.count) + digits
    if digits.hasSuffix("000") { digits.removeLast(3) }
    return "\(sign)\(whole).\(digits)"
  }
}

extension Touch {
  /// Reports per second of a moving finger, like good touch panels. Suites and the command line
  /// share the rate, so that flings go equally far.
  package static let reportsPerSecond = 120.0

  package var json: JSONValue.Member {
    let finger = JSONValue.Member("finger", .number(Double(self.finger)))
    let place: [JSONValue.Member] = [
      .init("x", .number(position.x)), .init("y", .number(position.y)),
    ]
    return switch phase {
    case .down: .init("down", .object([finger] + place))
    case .move: .init("move", .object([finger] + place))
    case .up: .init("up", .object([finger]))
    case .cancel: .init("cancel", .object([finger]))
    }
  }
}
