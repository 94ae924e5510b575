// SPDX-License-Identifier: MIT

internal import RoundelControls
package import RoundelGeometry
internal import RoundelJSON
package import Kiosk
package import KioskProtocol
internal import LinuxIO
package import RoundelMotion
package import JSONRPC
package import RoundelSession
package import RoundelSuites

package final class LiveKiosk {
  private let connection: KioskConnection
  package let name: String
  /// The unrotated canvas at the start.
  package let canvas: PixelSize
  private let fingers: any LiveFingers
  package private(set) var events: [SessionLine] = []
  package private(set) var touches: [SessionLine] = []
  /// The start of the recording's clock.
  package private(set) var start = Timestamp.zero
  /// The events lost because this side read too slowly.
  private var lost = 0

  /// Events and touches per test.
  private static let maximumLines = 100_000

  /// Seconds for an answer.
  private static let timeout = 15.0

  package init(at address: KioskAddress, version: String, touch: TouchRoute) throws(LiveError) {
    do throws(KioskError) {
      connection = try KioskConnection(to: address, version: version)
      let status = try connection.call(StatusRequest())
      name = status.kiosk
      canvas = status.display.rotation.applied(to: status.display.size)
      fingers = try touch.makeFingers(on: connection, address)
      connection.client.onNotification = { [unowned self] in take($0) }
      try connection.call(EventsRequest())
    } catch {
      throw .kiosk(error)
    }
  }

  private func take(_ notification: Request) {
    guard let notice = Notice(notification), let line = notice.line else { return }
    lost += notice.lost
    guard events.count + touches.count < Self.maximumLines else {
      lost += 1
      return
    }
    switch notice.kind {
    case .event: events.append(line)
    case .touch: touches.append(line)
    case .watch, .shot: break
    }
  }

  package func restart(seed: UInt64) throws(BenchError) {
    try call(RecordRequest { $0.on = false })
    try call(RestartRequest { $0.seed = Double(seed) })
    start = MonotonicClock.now
    try call(RecordRequest())
    // The events of the restart arrive before the answers.
    events.removeFirst(
      (events.lastIndex { $0.members.kioskEvent == "restarted" } ?? events.count - 1) + 1)
    touches = []
    lost = 0
  }

  /// `timeout` is the method's own wait in seconds, in addition to the usual limit.
  @discardableResult
  package func call<Request: MethodRequest>(
    _ request: Request, timeout: Double = 0
  ) throws(BenchError) -> Request.Answer {
    do throws(ClientError) {
      return try connection.client.call(request, timeout: timeout + Self.timeout)
    } catch {
      throw benchError(error)
    }
  }

  package func perform(_ command: Command) throws(BenchError) {
    do throws(ClientError) {
      try connection.client.perform(command, timeout: Self.timeout)
    } catch {
      throw benchError(error)
    }
  }

  private func benchError(_ error: ClientError) -> BenchError {
    if case .refused(let refusal) = error,
      [.failed, .invalidParameters, .busy].contains(refusal.code)
    {
      return .refused("\(refusal)")
    }
    return .lost(connection.error(error).description)
  }

  /// Receives events until `isEnough` or `deadline`. Returns the last result of `isEnough`.
  package func listen(until deadline: Timestamp, _ isEnough: () -> Bool) throws(BenchError) -> Bool
  {
    while !isEnough() {
      do throws(ClientError) {
        guard try connection.client.listen(until: deadline) else { return isEnough() }
      } catch {
        throw benchError(error)
      }
      guard lost == 0 else {
        let reason = "the test read them too slowly, or there were too many"
        throw .refused("\(lost) events were lost: \(reason)")
      }
    }
    return true
  }

  /// Returns after the kiosk has reported all touches.
  package func play(_ touches: [TimedTouch]) throws(BenchError) {
    let before = self.touches.count
    try fingers.play(touches, on: self)
    guard let last = touches.last else { return }
    // Compares positions, because the kernel doesn't report moves to the same position.
    func isReported() -> Bool {
      let reported = self.touches.dropFirst(before)
      func count(_ names: [String]) -> Int {
        reported.count { line in line.members.contains { names.contains($0.name) } }
      }
      let downs = touches.count { $0.touch.phase == .down }
      let ups = touches.count { $0.touch.phase == .up || $0.touch.phase == .cancel }
      guard count(["down"]) >= downs, count(["up", "cancel"]) >= ups else { return false }
      guard last.touch.phase == .move else { return true }
      return self.touches.last { $0.isPlace }.map { $0.isNear(last.touch) } ?? false
    }
    guard try listen(until: MonotonicClock.now + last.after + Self.timeout, isReported) else {
      throw .refused("the kiosk did not receive the touches")
    }
  }

  package func lift() throws(BenchError) { try fingers.lift(on: self) }

  /// Unplugs the touchscreen. A kiosk behind ssh would otherwise notice the end late.
  package func close() {
    // The kiosk may no longer exist.
    _ = try? call(RecordRequest { $0.on = false })
    _ = try? call(EventsRequest { $0.on = false })
    fingers.close()
  }
}

extension SessionLine {
  fileprivate var isPlace: Bool { members.contains { $0.name == "down" || $0.name == "move" } }

  /// Compares positions, allowing for rounding to the panel's pixels.
  fileprivate func isNear(_ touch: Touch) -> Bool {
    guard let place = members.first?.value, let x = place["x"]?.number, let y = place["y"]?.number
    else { return false }
    return abs(x - touch.position.x) < 3 && abs(y - touch.position.y) < 3
  }
}
