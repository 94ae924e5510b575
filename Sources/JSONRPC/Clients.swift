// SPDX-License-Identifier: MIT

package import RoundelJSON

package final class Clients {
  struct Entry {
    // Ends before the connection closes its descriptor.
    let watch: ChannelWatch
    let connection: Connection
  }

  var entries: [ClientID: Entry] = [:]
  private let work: ClientWork

  package init(_ work: ClientWork) {
    self.work = work
  }

  package var count: Int { entries.count }

  package func isConnected(_ client: ClientID) -> Bool { entries[client] != nil }

  package func isBehind(_ client: ClientID) -> Bool {
    entries[client]?.connection.isBehind ?? false
  }

  /// A client with too much unread output loses the notification. The next one has the number of
  /// lost ones as `lost`.
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

  /// The members are an encoded object with at least one member.
  package func notify(_ method: String, encoded members: [UInt8], to client: ClientID) {
    guard let connection = entries[client]?.connection else { return }
    let (head, tail) = connection.notices.frame(method)
    connection.notify(head + members + tail) { lost in
      head + members.dropLast() + Array(",\"lost\":\(lost)}".utf8) + tail
    }
  }
}

package enum NoticeForm: Hashable, Sendable {
  case requests
  /// Only the parameters, which identify the notification.
  case lines

  fileprivate func text(_ method: String, _ members: [JSONValue.Member]) -> [UInt8] {
    let (head, tail) = frame(method)
    return head + Array(JSONValue.object(members).text.utf8) + tail
  }

  fileprivate func frame(_ method: String) -> (head: [UInt8], tail: [UInt8]) {
    switch self {
    case .requests:
      let head = "{\"jsonrpc\":\"2.0\",\"method\":\(JSONValue.string(method).text),\"params\":"
      return (Array(head.utf8), [UInt8(ascii: "}")])
    case .lines: return ([], [])
    }
  }
}
