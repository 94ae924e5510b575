// SPDX-License-Identifier: MIT

internal import JSON

/// Why a request was not done, as JSON-RPC 2.0 tells it.
public struct RemoteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Source of the first five: JSON-RPC 2.0, section 5.1. Those from -32000 to -32099 are a server's
  /// own.
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The line is not JSON.
    public static let parseError = Code(rawValue: -32700)
    /// It is JSON, but no request.
    public static let invalidRequest = Code(rawValue: -32600)
    public static let unknownMethod = Code(rawValue: -32601)
    public static let invalidParameters = Code(rawValue: -32602)
    public static let internalError = Code(rawValue: -32603)
    /// Understood, and it could not be done now.
    public static let failed = Code(rawValue: -32000)
    /// A limit is reached; later it may work.
    public static let busy = Code(rawValue: -32001)
    /// This user may not.
    public static let denied = Code(rawValue: -32002)
  }

  public var code: Code
  /// What went wrong, where, and what to do.
  public var description: String

  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  /// Nil where `json` is no error object.
  init?(_ json: JSONValue) {
    guard let code = json["code"]?.integer, let message = json["message"]?.string else {
      return nil
    }
    self.init(Code(rawValue: code), message)
  }

  var json: JSONValue {
    .object([
      .init("code", .number(Double(code.rawValue))), .init("message", .string(description)),
    ])
  }
}
