// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
package import RoundelJSON
package import JSONRPC

/// A Model Context Protocol server with tools only. It answers in any order, so a slow tool doesn't
/// block others.
///
/// Source: the protocol's specification, revision 2025-11-25, "Lifecycle", "Cancellation",
/// "Progress" and "Tools".
package final class ContextServer {
  package struct Tool {
    var name: String
    var title: String
    var description: String
    var arguments: JSONValue
    /// The JSON Schema of the answer, or nil for a picture.
    var answer: JSONValue?
    var isReadOnly = false
    /// Whether calls wait for each other, so that input is sent in order.
    var takesTurns = false
    var run: (_ arguments: JSONValue, _ call: Call) throws(ToolError) -> Void
  }

  package enum Content {
    case text(String)
    /// A PNG file in base64.
    case picture(String)
  }

  package struct Output {
    var content: [Content]
    /// The structured result, or nil without a schema.
    var structure: JSONValue?
  }

  package struct ToolError: Error {
    var message: String
  }

  package final class Call {
    fileprivate let id: JSONValue
    fileprivate let tool: Tool
    fileprivate let arguments: JSONValue
    private let progressToken: JSONValue?
    private unowned let server: ContextServer
    /// The pending work, cancelled when released.
    var work: [AnyObject] = []

    fileprivate init(
      _ id: JSONValue, _ tool: Tool, _ parameters: JSONValue?, of server: ContextServer
    ) {
      self.id = id
      self.tool = tool
      self.server = server
      arguments = parameters?["arguments"] ?? [:]
      progressToken = parameters?["_meta"]?["progressToken"]
    }

    var reportsProgress: Bool { progressToken != nil }

    /// The progress must increase with each report.
    func report(_ progress: Double, of total: Double? = nil, _ message: String? = nil) {
      guard let progressToken else { return }
      var members: [JSONValue.Member] = [
        .init("progressToken", progressToken), .init("progress", .number(progress)),
      ]
      if let total { members.append(.init("total", .number(total))) }
      if let message { members.append(.init("message", .string(message))) }
      server.send(Request("notifications/progress", .object(members)).json)
    }

    func finish(_ result: Result<Output, ToolError>) { server.finish(self, result) }
  }

  package static let maximumLineBytes = 4 << 20
  /// The supported revisions, newest first. All of them contain the features used here.
  private static let revisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]

  private let name: String
  private let version: String
  private let instructions: String
  private let tools: [Tool]
  private let send: (JSONValue) -> Void
  private var calls: [JSONValue: Call] = [:]
  /// The calls that run one at a time, starting with the running one.
  private var line: [Call] = []

  package init(
    name: String, version: String, instructions: String, tools: [Tool],
    send: @escaping (JSONValue) -> Void
  ) {
    self.name = name
    self.version = version
    self.instructions = instructions
    self.tools = tools
    self.send = send
  }

  package var isIdle: Bool { calls.isEmpty }

  package func take(_ message: JSONValue) {
    if message["method"] == nil, message["id"] != nil, message["jsonrpc"] != nil { return }
    let request: Request
    do throws(RemoteError) {
      request = try Request(message)
    } catch {
      return send(Response(.null, .failure(error)).json)
    }
    guard let id = request.id else {
      if request.method == "notifications/cancelled", let id = request.parameters?["requestId"],
        let call = calls[id]
      {
        remove(call)
      }
      return
    }
    do throws(RemoteError) {
      if let result = try answer(to: request, id) { send(Response(id, .success(result)).json) }
    } catch {
      send(Response(id, .failure(error)).json)
    }
  }

  /// Ends all calls, without starting waiting ones.
  package func end(_ reason: String) {
    line = []
    for call in calls.values { finish(call, .failure(ToolError(message: reason))) }
  }

  package func refuse(_ garbled: JSONLines.Garbled) {
    let error = RemoteError(.parseError, "not JSON: \(garbled.text)")
    send(Response(.null, .failure(error)).json)
  }

  /// Returns nil if the answer is sent later.
  private func answer(to request: Request, _ id: JSONValue) throws(RemoteError) -> JSONValue? {
    switch request.method {
    case "initialize":
      let asked = request.parameters?["protocolVersion"]?.string
      // A client that supports none of the revisions disconnects.
      let revision = Self.revisions.first { $0 == asked } ?? Self.revisions[0]
      return [
        "protocolVersion": .string(revision),
        "capabilities": ["tools": [:]],
        "serverInfo": ["name": .string(name), "version": .string(version)],
        "instructions": .string(instructions),
      ]
    case "ping": return [:]
    case "tools/list": return ["tools": .array(tools.map(\.json))]
    case "tools/call":
      let name = request.parameters?["name"]?.string ?? ""
      guard let tool = tools.first(where: { $0.name == name }) else {
        let names = tools.map(\.name).joined(separator: ", ")
        throw RemoteError(.invalidParameters, "there is no tool \(name.quoted) (expected \(names))")
      }
      guard calls[id] == nil else {
        throw RemoteError(.invalidRequest, "the request \(id.text) is still in progress")
      }
      let call = Call(id, tool, request.parameters, of: self)
      calls[id] = call
      if tool.takesTurns { line.append(call) }
      if !tool.takesTurns || line.count == 1 { begin(call) }
      return nil
    default: throw RemoteError(.unknownMethod, "there is no method \(request.method.quoted)")
    }
  }

  private func begin(_ call: Call) {
    do throws(ToolError) {
      guard case .object = call.arguments else {
        throw ToolError(message: "the arguments of \(call.tool.name) must be an object")
      }
      try call.tool.run(call.arguments, call)
    } catch {
      finish(call, .failure(error))
    }
  }

  /// The model gets a tool's error, and may try something else.
  private func finish(_ call: Call, _ result: Result<Output, ToolError>) {
    guard calls[call.id] === call else { return }
    var members: [JSONValue.Member]
    switch result {
    case .success(let output):
      members = [
        .init("content", .array(output.content.map(\.json))), .init("isError", false),
      ]
      if let structure = output.structure { members.append(.init("structuredContent", structure)) }
    case .failure(let error):
      members = [.init("content", [Content.text(error.message).json]), .init("isError", true)]
    }
    send(Response(call.id, .success(.object(members))).json)
    remove(call)
  }

  /// Starts the next waiting call.
  private func remove(_ call: Call) {
    calls[call.id] = nil
    call.work = []
    guard let place = line.firstIndex(where: { $0 === call }) else { return }
    line.remove(at: place)
    if place == 0, let next = line.first { begin(next) }
  }
}

extension ContextServer.Tool {
  fileprivate var json: JSONValue {
    let base: JSONValue = [
      "name": .string(name), "title": .string(title), "description": .string(description),
      "inputSchema": arguments,
      "annotations": [
        "readOnlyHint": .bool(isReadOnly), "destructiveHint": false, "openWorldHint": false,
      ],
    ]
    return answer.map { base.with(["outputSchema": $0]) } ?? base
  }
}

extension ContextServer.Content {
  fileprivate var json: JSONValue {
    switch self {
    case .text(let text): ["type": "text", "text": .string(text)]
    case .picture(let png):
      ["type": "image", "data": .string(png), "mimeType": "image/png"]
    }
  }
}
