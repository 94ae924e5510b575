// SPDX-License-Identifier: MIT

internal import RoundelJSON
internal import JSONRPC

protocol PageNotice: JSONRecord {
  static var name: String { get }
}

extension PageNotice {
  var message: JSONValue { Request(Self.name, json).json }
}

final class StudioPages {
  var send: (_ message: JSONValue, _ isReceiver: (ClientID) -> Bool) -> Void = { _, _ in }

  func notify(_ notice: some PageNotice, where isReceiver: (ClientID) -> Bool = { _ in true }) {
    send(notice.message, isReceiver)
  }
}

/// The module `messages.js`, which the page uses to validate messages.
enum PageMessages {
  static let notices: [any PageNotice.Type] = [
    ConflictNotice.self, DrawnNotice.self, EventNotice.self, FileNotice.self, HostNotice.self,
    KioskState.self, DiagnosticsNotice.self, RecordingNotice.self, SavedNotice.self,
    StepsNotice.self,
    SuitesNotice.self,
  ]

  static func module(of methods: [ServedMethod]) -> [UInt8] {
    let methods = JSONValue.object(methods.map { .init($0.name, $0.schemas) })
    let notices = JSONValue.object(Self.notices.map { .init($0.name, $0.schema) })
    return Array(
      "export const methods = \(methods.text);\nexport const notices = \(notices.text);\n".utf8)
  }
}
