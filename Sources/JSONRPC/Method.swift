// SPDX-License-Identifier: MIT

package import RoundelJSON

/// A method for clients. Both sides encode and validate requests by it, and it is part of `help`.
package struct Method<Parameters: JSONRecord, Answer: JSONConvertible>: Sendable {
  package let name: String
  package let summary: String
  package let result: String
  /// A closure, because few of the many methods are called.
  private let makeMembers: @Sendable () -> [Member<Parameters>]
  private var members: [Member<Parameters>] { makeMembers() }

  package init(
    _ name: String, _ summary: String, result: String = "true",
    members: @autoclosure @escaping @Sendable () -> [Member<Parameters>] = Parameters.members
  ) {
    self.name = name
    self.summary = summary
    self.result = result
    makeMembers = members
  }

  package func jsonMembers(of request: Parameters) -> [JSONValue.Member] {
    request.jsonMembers(by: members)
  }

  func parameters(_ given: JSONValue?) throws(RemoteError) -> Parameters {
    try Parameters(parameters: given, by: members)
  }

  /// The JSON Schema of the parameters. Other parameters are invalid.
  package var parametersSchema: JSONValue {
    var rules: [JSONValue.Member] = [
      .init("type", .string("object")),
      .init("properties", .object(members.map { .init($0.name, $0.schema) })),
      .init("additionalProperties", .bool(false)),
    ]
    let required = members.filter(\.isRequired).map { JSONValue.string($0.name) }
    if !required.isEmpty { rules.append(.init("required", .array(required))) }
    return .object(rules)
  }

  /// The entry in `help`: {method, summary, parameters, result}.
  package var help: JSONValue {
    .object([
      .init("method", .string(name)), .init("summary", .string(summary)),
      .init(
        "parameters",
        .array(
          members.map { member in
            var members: [JSONValue.Member] = [
              .init("name", .string(member.name)), .init("type", .string(member.typeName)),
              .init("required", .bool(member.isRequired)),
            ]
            if let value = member.defaultValue { members.append(.init("default", value)) }
            members.append(.init("about", .string(member.about)))
            return .object(members)
          })),
      .init("result", .string(result)),
    ])
  }
}

package protocol MethodRequest: JSONRecord {
  associatedtype Answer: JSONConvertible
  static var method: Method<Self, Answer> { get }
}

package struct Done: JSONConvertible {
  package init() {}
  package init(_ json: JSONValue) {}
  package var json: JSONValue { .bool(true) }
}

package enum Outcome<Answer> {
  case done(Answer)
  case later
}

package struct ServedMethod {
  package let name: String
  private let makeHelp: () -> JSONValue
  private let makeSchemas: () -> JSONValue
  private let handler: (JSONValue?, Reply<JSONValue>) throws -> Void

  /// With typed throws, each `handler` would have to state the type.
  package init<Parameters, Answer>(
    _ method: Method<Parameters, Answer>,
    _ handler: @escaping (Parameters, Reply<Answer>) throws -> Outcome<Answer>
  ) {
    name = method.name
    makeHelp = { method.help }
    makeSchemas = {
      .object([.init("parameters", method.parametersSchema), .init("answer", Answer.schema)])
    }
    self.handler = { given, reply in
      let reply = Reply<Answer>(reply.slot)
      switch try handler(try method.parameters(given), reply) {
      case .done(let answer): reply.give(answer)
      case .later: break
      }
    }
  }

  package init<Request: MethodRequest>(
    _: Request.Type,
    _ handler: @escaping (Request, Reply<Request.Answer>) throws -> Outcome<Request.Answer>
  ) {
    self.init(Request.method, handler)
  }

  var help: JSONValue { makeHelp() }
  package var schemas: JSONValue { makeSchemas() }

  func call(_ given: JSONValue?, _ reply: ReplySlot) throws(RemoteError) {
    do {
      try handler(given, Reply(reply))
    } catch let error as RemoteError {
      throw error
    } catch {
      throw RemoteError(.internalError, "\(error)")
    }
  }
}

package struct HelpRequest: MethodRequest {
  package var name: String?
  package init() {}

  package static let method = Method<HelpRequest, JSONValue>(
    "help", "Lists all methods, or one.",
    result: "a list of {method, summary, parameters, result}")
  package static let members: [Member<HelpRequest>] = [
    .optional("method", \.name, .text, "The method to list. The default is all.")
  ]
}

package final class MethodTable {
  private var methods: [String: ServedMethod] = [:]

  package init(_ methods: [ServedMethod]) {
    for method in methods + [help] {
      precondition(self.methods[method.name] == nil, "two methods are called \(method.name)")
      self.methods[method.name] = method
    }
  }

  subscript(name: String) -> ServedMethod? { methods[name] }

  /// `deliver` gets the answer's text, or nil for a notification.
  package func serve(
    _ message: JSONValue, from client: ClientID, _ deliver: @escaping ([UInt8]?) -> Void
  ) {
    do throws(RemoteError) {
      let request = try Request(message)
      let reply = ReplySlot(to: client, id: request.id, deliver)
      do throws(RemoteError) {
        guard let method = methods[request.method] else {
          throw RemoteError(.unknownMethod, "there is no method \"\(request.method.prefix(100))\"")
        }
        try method.call(request.parameters, reply)
      } catch {
        reply.give(.failure(error))
      }
    } catch {
      let id = Request.id(ofBroken: message)
      deliver(Array(Response(id, .failure(error)).json.text.utf8))
    }
  }

  private var help: ServedMethod {
    ServedMethod(HelpRequest.self) { [unowned self] request, _ in
      guard let name = request.name else {
        let all = methods.values.sorted { $0.name < $1.name }
        return .done(.array(all.map(\.help)))
      }
      guard let method = methods[name] else {
        throw RemoteError(.invalidParameters, "there is no method \"\(name.prefix(100))\"")
      }
      return .done(.array([method.help]))
    }
  }
}
