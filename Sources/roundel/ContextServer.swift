// SPDX-License-Identifier: MIT

import JSON
import Remote
import YAML

/// A server of the Model Context Protocol with tools and nothing else: messages in, messages out.
///
/// Source: the protocol's specification, revision 2025-11-25, "Lifecycle" and "Tools".
struct ContextServer {
  /// Something that a model may do.
  struct Tool {
    var name: String
    var title: String
    var description: String
    /// The JSON Schema of its arguments.
    var arguments: JSONValue
    /// Whether it changes nothing.
    var isReadOnly = false
    var run: (_ arguments: JSONValue) throws(ToolError) -> [Content]
  }

  enum Content {
    case text(String)
    /// A PNG file in base64.
    case picture(String)
  }

  /// Why a tool has not done what it should, in words for the model.
  struct ToolError: Error {
    var message: String
  }

  static let maximumLineBytes = 4 << 20
  /// Newest first. An older one lacks nothing that is used here.
  private static let revisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]

  let name: String
  let version: String
  let instructions: String
  let tools: [Tool]

  /// The answer to a message; nil to a notification.
  func answer(to message: JSONValue) -> JSONValue? {
    let request: Request
    do throws(RemoteError) {
      // An answer to a question that was never asked.
      if message["method"] == nil, message["id"] != nil, message["jsonrpc"] != nil { return nil }
      request = try Request(message)
    } catch {
      return Response(.null, .failure(error)).json
    }
    guard let id = request.id else { return nil }
    do throws(RemoteError) {
      return Response(id, .success(try result(of: request))).json
    } catch {
      return Response(id, .failure(error)).json
    }
  }

  /// The answer to what is no JSON.
  static func refusal(of garbled: JSONLines.Garbled) -> JSONValue {
    Response(.null, .failure(RemoteError(.parseError, "this is no JSON: \(garbled.text)"))).json
  }

  private func result(of request: Request) throws(RemoteError) -> JSONValue {
    switch request.method {
    case "initialize":
      let asked = request.parameters?["protocolVersion"]?.string
      // A client that speaks none of these ends the connection.
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
      return call(tool, request.parameters?["arguments"] ?? [:])
    default: throw RemoteError(.unknownMethod, "there is no method \(request.method.quoted)")
    }
  }

  /// What went wrong in a tool is for the model, which may do it otherwise.
  private func call(_ tool: Tool, _ arguments: JSONValue) -> JSONValue {
    do throws(ToolError) {
      guard case .object = arguments else {
        throw ToolError(message: "the arguments of \(tool.name) are an object")
      }
      return ["content": .array(try tool.run(arguments).map(\.json)), "isError": false]
    } catch {
      return ["content": [Content.text(error.message).json], "isError": true]
    }
  }
}

extension ContextServer.Tool {
  fileprivate var json: JSONValue {
    [
      "name": .string(name), "title": .string(title), "description": .string(description),
      "inputSchema": arguments,
      "annotations": [
        "readOnlyHint": .bool(isReadOnly), "destructiveHint": false, "openWorldHint": false,
      ],
    ]
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
