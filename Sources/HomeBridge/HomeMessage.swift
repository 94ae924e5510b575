// SPDX-License-Identifier: MIT

package import RoundelJSON

/// A message of Home Assistant's WebSocket API.
package enum HomeMessage: Hashable, Sendable {
  case authenticationRequired
  case authenticated(version: String)
  case rejected(reason: String)
  /// `outcome` is nil for success.
  case result(Int, JSONValue, failure: String?)
  case event(Int, JSONValue)
  case pong(Int)
  /// A message that this client doesn't use.
  case other

  /// Parses a frame, which may contain several messages.
  package static func messages(in frame: [UInt8]) throws(JSONValue.SyntaxError) -> [HomeMessage] {
    let json = try JSONValue(parsing: frame)
    if case .array(let items) = json { return items.map(HomeMessage.init) }
    return [HomeMessage(json)]
  }

  private init(_ json: JSONValue) {
    let id = json["id"]?.integer
    switch (json["type"]?.string, id) {
    case ("auth_required", _): self = .authenticationRequired
    case ("auth_ok", _): self = .authenticated(version: json["ha_version"]?.string ?? "")
    case ("auth_invalid", _):
      self = .rejected(reason: json["message"]?.string ?? "the access token is invalid")
    case ("result", let id?):
      let failure = json["success"]?.bool == true ? nil : Self.problem(json["error"])
      self = .result(id, json["result"] ?? .null, failure: failure)
    case ("event", let id?): self = .event(id, json["event"] ?? .null)
    case ("pong", let id?): self = .pong(id)
    default: self = .other
    }
  }

  private static let maximumProblemLength = 1000

  private static func problem(_ error: JSONValue?) -> String {
    let words = error?["message"]?.string ?? error?["code"]?.string ?? "unknown error"
    return String((words.isEmpty ? "unknown error" : words).prefix(maximumProblemLength))
  }
}
