// SPDX-License-Identifier: MIT

package import JSON
internal import LinuxIO

/// The clients that are connected to a server.
package final class Clients {
  struct Entry {
    let connection: Connection
    var token: EventLoop.Token
    var readiness: EventLoop.Readiness
  }

  var entries: [ClientID: Entry] = [:]
  private let work: ClientWork

  package init(_ work: ClientWork) {
    self.work = work
  }

  package var count: Int { entries.count }

  /// Whether a client has not gone.
  package func isConnected(_ client: ClientID) -> Bool { entries[client] != nil }

  /// Whether a client has so much to read already that it loses notifications.
  package func isBehind(_ client: ClientID) -> Bool {
    entries[client]?.connection.isBehind ?? false
  }

  /// Sends clients a notification. Those that are far behind lose it, and the next one that they get
  /// has a member `lost` with the number of those that they did not.
  package func notify(
    _ method: String, _ members: [JSONValue.Member], to clients: some Sequence<ClientID>
  ) {
    func text(_ members: [JSONValue.Member]) -> [UInt8] {
      Array(Request(method, .object(members)).json.text.utf8)
    }
    work.measure {
      let common = text(members)
      for client in clients {
        entries[client]?.connection.notify(common) { lost in
          text(members + [.init("lost", .number(Double(lost)))])
        }
      }
    }
  }

  /// Sends one client a notification that was written as JSON elsewhere, because it is large: an
  /// object with members.
  package func notify(_ method: String, encoded members: [UInt8], to client: ClientID) {
    let head = Array(
      "{\"jsonrpc\":\"2.0\",\"method\":\(JSONValue.string(method).text),\"params\":".utf8)
    entries[client]?.connection.notify(head + members + [UInt8(ascii: "}")]) { lost in
      head + members.dropLast() + Array(",\"lost\":\(lost)}}".utf8)
    }
  }
}
