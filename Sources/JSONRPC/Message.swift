// SPDX-License-Identifier: MIT

package import RoundelJSON

/// A request. Source: JSON-RPC 2.0, section 4.
package struct Request: Hashable, Sendable {
  package var method: String
  /// An object or an array.
  package var parameters: JSONValue?
  /// A string, a number or null. Nil for a notification, which isn't answered.
  package var id: JSONValue?

  package init(_ method: String, _ parameters: JSONValue? = nil, id: JSONValue? = nil) {
    self.method = method
    self.parameters = parameters
    self.id = id
  }

  package init(_ json: JSONValue, limits: Limits = Limits()) throws(RemoteError) {
    func invalid(_ what: String) -> RemoteError { RemoteError(.invalidRequest, what) }
    guard case .object = json else { throw invalid("a request must be an object") }
    guard json["jsonrpc"]?.string == "2.0" else {
      throw invalid("\"jsonrpc\" is missing (expected \"2.0\")")
    }
    guard let method = json["method"]?.string else {
      throw invalid("\"method\" is missing (expected the name of a method, such as \"help\")")
    }
    self.method = method
    switch json["params"] {
    case nil, .null?: parameters = nil
    case .some(let given):
      switch given {
      case .array, .object: parameters = given
      default: throw invalid("\"params\" must be an object or an array")
      }
    }
    if let id = json["id"] {
      guard let usable = Self.usable(id) else {
        throw invalid("\"id\" must be a string, a number up to 2^53, or null")
      }
      if case .string(let text) = usable, text.utf8.count > limits.maximumIDBytes {
        throw RemoteError(
          exceeding: "maximumIDBytes", limits.maximumIDBytes, "\"id\" is too long",
          code: .invalidRequest)
      }
      self.id = usable
    }
  }

  /// Returns nil for an integer that isn't exact as a double.
  private static func usable(_ id: JSONValue) -> JSONValue? {
    switch id {
    case .string, .null: id
    case .number(let number): abs(number) <= 0x1p53 ? id : nil
    case .bool, .array, .object: nil
    }
  }

  /// Returns the id of an invalid request, or null.
  static func id(ofBroken json: JSONValue) -> JSONValue {
    json["id"].flatMap(usable) ?? .null
  }

  package var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("jsonrpc", .string("2.0")), .init("method", .string(method)),
    ]
    if let parameters { members.append(.init("params", parameters)) }
    if let id { members.append(.init("id", id)) }
    return .object(members)
  }
}

/// The answer to a request. Source: JSON-RPC 2.0, section 5.
package struct Response: Hashable, Sendable {
  package var id: JSONValue
  package var outcome: Result<JSONValue, RemoteError>

  package init(_ id: JSONValue, _ outcome: Result<JSONValue, RemoteError>) {
    self.id = id
    self.outcome = outcome
  }

  package init?(_ json: JSONValue) {
    guard json["jsonrpc"]?.string == "2.0", let id = json["id"] else { return nil }
    if let result = json["result"] {
      self.init(id, .success(result))
    } else if let error = json["error"].flatMap({ RemoteError($0) }) {
      self.init(id, .failure(error))
    } else {
      return nil
    }
  }

  package var json: JSONValue {
    let outcome: JSONValue.Member =
      switch outcome {
      case .success(let result): .init("result", result)
      case .failure(let error): .init("error", error.json)
      }
    return .object([.init("jsonrpc", .string("2.0")), outcome, .init("id", id)])
  }

  /// Encodes an answer whose result is already JSON.
  static func encoded(_ id: JSONValue, result: [UInt8]) -> [UInt8] {
    Array("{\"jsonrpc\":\"2.0\",\"result\":".utf8) + result + Array(",\"id\":\(id.text)}".utf8)
  }
}
