// SPDX-License-Identifier: MIT

package import JSON

/// Something that clients can ask for. All that there is to know about it stands in one place:
/// requests are checked by its declaration, and `help` is made from it.
package struct Method {
  /// What a method does with a request. It throws a `RemoteError`, gives the result at once, or keeps
  /// the reply for later. (A closure that throws one type only would have to say so each time.)
  package typealias Handler = (Arguments, Reply) throws -> Outcome

  package enum Outcome {
    case done(JSONValue)
    /// The reply will be given later.
    case later
  }

  package let name: String
  /// One sentence.
  package let summary: String
  /// What the result holds.
  package let result: String
  let parameters: Parameters
  private let handler: Handler

  package init(
    _ name: String, _ summary: String, result: String = "true",
    _ declare: (inout Parameters) -> Handler
  ) {
    self.name = name
    self.summary = summary
    self.result = result
    var parameters = Parameters()
    handler = declare(&parameters)
    self.parameters = parameters
  }

  func call(_ given: JSONValue?, _ reply: Reply) throws(RemoteError) -> Outcome {
    do {
      return try handler(try Arguments(given, for: parameters), reply)
    } catch let error as RemoteError {
      throw error
    } catch {
      throw RemoteError(.internalError, "\(error)")
    }
  }

  var help: JSONValue {
    .object([
      .init("method", .string(name)), .init("summary", .string(summary)),
      .init(
        "parameters",
        .array(
          parameters.entries.map { entry in
            var members: [JSONValue.Member] = [
              .init("name", .string(entry.name)), .init("type", .string(entry.typeName)),
              .init("required", .bool(entry.isRequired)),
            ]
            if let value = entry.defaultValue { members.append(.init("default", value)) }
            members.append(.init("about", .string(entry.about)))
            return .object(members)
          })),
      .init("result", .string(result)),
    ])
  }
}

/// All methods of a server, and `help`, which tells of them.
final class MethodTable {
  private var methods: [String: Method] = [:]

  init(_ methods: [Method]) {
    for method in methods + [help] {
      precondition(self.methods[method.name] == nil, "two methods are called \(method.name)")
      self.methods[method.name] = method
    }
  }

  subscript(name: String) -> Method? { methods[name] }

  private var help: Method {
    Method(
      "help", "Tells of all methods, or of one.",
      result: "a list of {method, summary, parameters, result}"
    ) { parameters in
      let name = parameters.optional("method", .text, "The one to tell of.")
      return { [unowned self] arguments, _ in
        guard let name = arguments[name] else {
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
}
