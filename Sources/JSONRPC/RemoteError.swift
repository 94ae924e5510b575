// SPDX-License-Identifier: MIT

internal import RoundelJSON

package struct RemoteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Source of the first five: JSON-RPC 2.0, section 5.1. A server may define the codes from -32000 to -32099.
  package struct Code: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let parseError = Code(rawValue: -32700)
    package static let invalidRequest = Code(rawValue: -32600)
    package static let unknownMethod = Code(rawValue: -32601)
    package static let invalidParameters = Code(rawValue: -32602)
    package static let internalError = Code(rawValue: -32603)
    package static let failed = Code(rawValue: -32000)
    /// A limit is reached. A later attempt may succeed.
    package static let busy = Code(rawValue: -32001)
    package static let denied = Code(rawValue: -32002)
  }

  package struct Limit: Hashable, Sendable {
    package var name: String
    package var maximum: Int
  }

  package var code: Code
  package var description: String
  package var limit: Limit?

  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  package init(exceeding name: String, _ maximum: Int, _ what: String, code: Code = .busy) {
    self.code = code
    description = "\(what) (\(name): \(maximum))"
    limit = Limit(name: name, maximum: maximum)
  }

  init?(_ json: JSONValue) {
    guard let code = json["code"]?.integer, let message = json["message"]?.string else {
      return nil
    }
    self.init(Code(rawValue: code), message)
    if let name = json["data"]?["limit"]?.string, let maximum = json["data"]?["maximum"]?.integer {
      limit = Limit(name: name, maximum: maximum)
    }
  }

  var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("code", .number(Double(code.rawValue))), .init("message", .string(description)),
    ]
    if let limit {
      members.append(
        .init(
          "data",
          .object([
            .init("limit", .string(limit.name)), .init("maximum", .number(Double(limit.maximum))),
          ])))
    }
    return .object(members)
  }
}
