// SPDX-License-Identifier: MIT

package import RoundelJSON
internal import Kiosk
internal import JSONRPC

/// The reference of a kiosk's socket, generated from the requests.
package enum SocketReference {
  /// Markdown without a title, ending with a line feed.
  package static var text: String {
    """
    JSON-RPC 2.0 on a Unix socket, with one message per line. Parameters are passed by name, or as a list in the order
    below. `roundel call get '{"property": "cups"}'` calls a method. `roundel call help` prints the methods as JSON.


    """ + methods.map(described).joined(separator: "\n")
  }

  /// The methods in alphabetical order.
  package static var methods: [JSONValue] {
    let commands = CommandKind.methods.map(\.method.help)
    let all = commands + requests.map { $0.help }
    return all.sorted { ($0["method"]?.string ?? "") < ($1["method"]?.string ?? "") }
  }

  private static let requests: [any MethodRequest.Type] = [
    BridgeRequest.self, CalibrateRequest.self, DragRequest.self, EventsRequest.self,
    FailedRequest.self, FrameRequest.self, GetRequest.self, HelpRequest.self,
    LatencyRequest.self, PlaceRequest.self, RecordRequest.self, ReloadRequest.self,
    RestartRequest.self, RotateRequest.self, ScreenshotRequest.self, StatusRequest.self,
    StopRequest.self, TapRequest.self, TouchRequest.self, TreeRequest.self, TypingRequest.self,
    VersionRequest.self, WaitRequest.self, WatchRequest.self,
  ]

  private static func described(_ method: JSONValue) -> String {
    func text(_ name: String, of value: JSONValue) -> String { value[name]?.string ?? "" }
    var lines = "### socket: \(text("method", of: method))\n\n\(text("summary", of: method))\n\n"
    guard case .array(let parameters)? = method["parameters"] else { return lines }
    for parameter in parameters {
      lines += "- `\(text("name", of: parameter))`: \(text("type", of: parameter))"
      if parameter["required"]?.bool == true { lines += "; required" }
      if let value = parameter["default"] { lines += "; \(value.text)" }
      lines += ". \(text("about", of: parameter))\n"
    }
    lines += "- answers: \(text("result", of: method)).\n"
    return lines + (answers[text("method", of: method)].map(table) ?? "")
  }

  /// The schemas of answers that describe their members.
  private static let answers = [StatusRequest.method.name: StatusAnswer.schema]

  private static func table(of answer: JSONValue) -> String {
    func rows(_ schema: JSONValue, _ prefix: String) -> [String] {
      guard case .object(let members)? = schema["properties"] else { return [] }
      return members.flatMap { member in
        let name = prefix + member.name
        return ["| `\(name)` | \(member.value["description"]?.string ?? "") |"]
          + rows(member.value, name + ".")
      }
    }
    return "\n| member | |\n|---|---|\n" + rows(answer, "").map { $0 + "\n" }.joined()
  }
}

extension MethodRequest {
  fileprivate static var help: JSONValue { method.help }
}
