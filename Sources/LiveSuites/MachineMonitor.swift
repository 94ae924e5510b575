// SPDX-License-Identifier: MIT

package import RoundelJSON
internal import LinuxIO
internal import RoundelMotion
internal import JSONRPC
internal import SystemPackage

/// A client of the QEMU Machine Protocol. Source: QEMU Machine Protocol Specification, 2.2.
package final class MachineMonitor {
  private let lines: JSONLines
  private let path: String
  private var lastID = 0

  /// Seconds for an answer. QEMU may be slow if it emulates a machine on a busy host.
  private static let timeout = 30.0

  /// Connects to a QEMU with the option `-qmp unix:PATH,server=on`. It serves one client at a time, and others wait.
  package init(at path: String) throws(TouchscreenError) {
    self.path = path
    do throws(Errno) {
      lines = try JSONLines(at: path)
    } catch {
      throw TouchscreenError(
        "cannot connect to QEMU at \(path): \(error)",
        isPermission: error == .permissionDenied || error == .notPermitted)
    }
    let greeting = try next()
    guard greeting["QMP"] != nil else {
      throw TouchscreenError(
        "\(path) is not a QMP socket; its greeting is \"\(greeting.text.prefix(100))\"")
    }
    _ = try execute("qmp_capabilities")
  }

  @discardableResult
  package func execute(
    _ command: String, _ arguments: [JSONValue.Member] = []
  ) throws(TouchscreenError) -> JSONValue {
    lastID += 1
    let request = Request(
      command, arguments.isEmpty ? nil : .object(arguments), id: .number(Double(lastID)))
    do throws(Errno) {
      try lines.send(request.machineJSON)
    } catch {
      throw TouchscreenError("lost the connection to QEMU at \(path): \(error)")
    }
    while true {
      guard let response = Response(machine: try next()), response.id == request.id else {
        continue
      }
      switch response.outcome {
      case .success(let result): return result
      case .failure(let error): throw TouchscreenError("QEMU cannot run \(command): \(error)")
      }
    }
  }

  private func next() throws(TouchscreenError) -> JSONValue {
    let deadline = MonotonicClock.now + Self.timeout
    do throws(JSONLines.Garbled) {
      while true {
        if let json = try lines.next() { return json }
        guard lines.wait(until: deadline) else {
          throw JSONLines.Garbled(text: "no answer for \(Int(Self.timeout)) seconds")
        }
        guard lines.receive() else { throw JSONLines.Garbled(text: "connection closed") }
      }
    } catch {
      throw TouchscreenError("QEMU at \(path): \(error.text)")
    }
  }
}

extension Request {
  /// The request in QEMU's format.
  var machineJSON: JSONValue {
    var members: [JSONValue.Member] = [.init("execute", .string(method))]
    if let parameters { members.append(.init("arguments", parameters)) }
    if let id { members.append(.init("id", id)) }
    return .object(members)
  }
}

extension Response {
  /// Returns nil for an event.
  init?(machine json: JSONValue) {
    let id = json["id"] ?? .null
    if let result = json["return"] {
      self.init(id, .success(result))
    } else if let error = json["error"] {
      self.init(id, .failure(RemoteError(.failed, error["desc"]?.string ?? error.text)))
    } else {
      return nil
    }
  }
}
