// SPDX-License-Identifier: MIT

package import JSON

/// The clients that are connected to a server.
package final class Clients {
  struct Entry {
    // Ends before the connection closes what it watches.
    let watch: ChannelWatch
    let connection: Connection
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

  /// Sends clients a notification. Clients that are far behind lose it; the next one that they get has a
  /// member `lost` with the number of lost ones.
  package func notify(
    _ method: String, _ members: [JSONValue.Member], to clients: some Sequence<ClientID>
  ) {
    work.measure {
      var texts: [NoticeForm: [UInt8]] = [:]
      for client in clients {
        guard let connection = entries[client]?.connection else { continue }
        let form = connection.notices
        let text = texts[form] ?? form.text(method, members)
        texts[form] = text
        connection.notify(text) { lost in
          form.text(method, members + [.init("lost", .number(Double(lost)))])
        }
      }
    }
  }

  /// Sends one client a notification that was written as JSON elsewhere, because it is large: an
  /// object with members.
  package func notify(_ method: String, encoded members: [UInt8], to client: ClientID) {
    guard let connection = entries[client]?.connection else { return }
    let (head, tail) = connection.notices.frame(method)
    connection.notify(head + members + tail) { lost in
      head + members.dropLast() + Array(",\"lost\":\(lost)}".utf8) + tail
    }
  }
}

/// The form in which a client gets notifications.
package enum NoticeForm: Hashable, Sendable {
  /// As notifications of JSON-RPC.
  case requests
  /// As their parameters alone, by which the client knows them.
  case lines

  fileprivate func text(_ method: String, _ members: [JSONValue.Member]) -> [UInt8] {
    let (head, tail) = frame(method)
    return head + Array(JSONValue.object(members).text.utf8) + tail
  }

  /// The text before and after the parameters.
  fileprivate func frame(_ method: String) -> (head: [UInt8], tail: [UInt8]) {
    switch self {
    case .requests:
      let head = "{\"jsonrpc\":\"2.0\",\"method\":\(JSONValue.string(method).text),\"params\":"
      return (Array(head.utf8), [UInt8(ascii: "}")])
    case .lines: return ([], [])
    }
  }
}
