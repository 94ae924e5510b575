// SPDX-License-Identifier: MIT

internal import JSONRPC
package import Kiosk
internal import KioskProtocol
internal import RoundelJSON
package import RoundelMotion

/// A bridge's connection to the kiosk. Reconnects after the connection ends.
package struct KioskClient {
  private enum State {
    case away(until: Timestamp)
    case connected(KioskSession)
  }

  private let service: Service
  private let actions: KioskActions
  private var state: State
  /// A local kiosk restarts quickly, so this limits the pause between attempts.
  private var backOff = BackOff(maximumSeconds: 8)
  /// The kiosk's last known process, or nil while unavailable.
  private var process: (number: Int, uptime: Double)?

  /// Whether the service is connected, for the kiosk's status and actions.
  package var isBridged = false {
    didSet { if isBridged != oldValue { session?.reportConnection(isBridged) } }
  }
  package var isCheckedOften = false {
    didSet { session?.setChecks(often: isCheckedOften) }
  }

  package init(of service: Service, _ actions: KioskActions) {
    self.service = service
    self.actions = actions
    state = .away(until: actions.now)
  }

  package var session: KioskSession? {
    if case .connected(let session) = state { session } else { nil }
  }

  package var deadline: Timestamp? {
    switch state {
    case .away(let time): time
    case .connected(let session): session.deadline
    }
  }

  package mutating func advance() -> [KioskReport] {
    switch state {
    case .away(let time):
      if time <= actions.now { connect(replacing: nil) }
      return []
    case .connected(let session): return session.advance()
    }
  }

  private mutating func connect(replacing reason: String?) {
    state = .connected(
      KioskSession(
        of: service, replacing: reason, isBridged: isBridged, isCheckedOften: isCheckedOften,
        actions))
  }

  package mutating func receive(_ input: KioskInput, from connection: ConnectionID) -> [KioskReport]
  {
    guard let session, session.owns(connection) else { return [] }
    switch input {
    case .opened: return session.open()
    case .response(let response):
      let (reports, failure) = session.receive(response, from: connection)
      return reports.flatMap { complete($0) } + (failure.map { end(session, $0) } ?? [])
    case .notification(let notification): return Self.reports(notification, to: session)
    case .ended(let reason): return end(session, reason)
    }
  }

  private mutating func complete(_ report: KioskReport) -> [KioskReport] {
    guard case .described(let status, _) = report else { return [report] }
    backOff.reset()
    let isOther = process.map { $0.number != status.process || status.uptime < $0.uptime } ?? false
    process = (status.process, status.uptime)
    return isOther ? [.away(reason: "the kiosk has restarted"), report] : [report]
  }

  private static func reports(
    _ notification: Request, to session: KioskSession
  ) -> [KioskReport] {
    guard let notice = Notice(notification), case .object(let members) = notice.json else {
      return []
    }
    let lost = notice.lost > 0 ? [KioskReport.lostNotifications] : []
    switch notice.kind {
    case .event:
      if let name = members.kioskEvent, ["reloaded", "restarted"].contains(name) {
        session.describe()
      }
      return lost + [.event(members)]
    case .watch:
      guard let expression = notice.json["watch"]?.string, let value = notice.json["value"] else {
        return lost
      }
      return lost + [
        .value(
          expression, value, cause: notice.json["by"]?.string ?? "time",
          isSettled: notice.json["settled"]?.bool ?? true)
      ]
    case .touch, .shot: return lost
    }
  }

  /// If the kiosk may be alive, a new session follows immediately.
  private mutating func end(_ session: KioskSession, _ reason: String) -> [KioskReport] {
    let answers = session.end(reason)
    if session.isEstablished {
      connect(replacing: reason)
      return answers
    }
    state = .away(until: actions.now + max(backOff.next(), 1))
    process = nil
    // Report the absence first, so that messages for the kiosk are kept before their requests fail.
    return [.away(reason: session.replacedReason ?? reason)] + answers
  }
}
