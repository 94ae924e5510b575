// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelGeometry
internal import Glibc
internal import RoundelJSON
internal import KioskProtocol
internal import LinuxIO
internal import RoundelMotion
internal import JSONRPC
internal import RoundelSession
internal import RoundelSuites
internal import SystemPackage

package enum TouchRoute: Hashable, Sendable {
  case socket
  /// A touchscreen in the kernel of the kiosk's machine.
  case uinput
  /// The touchscreen of a QEMU virtual machine, controlled through this QMP socket.
  case qmp(String)

  /// Parses `socket`, `uinput` or `qmp:SOCKET`.
  package init?(_ text: String) {
    switch text {
    case "socket": self = .socket
    case "uinput": self = .uinput
    case _ where text.hasPrefix("qmp:") && text.count > 4: self = .qmp(String(text.dropFirst(4)))
    default: return nil
    }
  }

  func makeFingers(
    on connection: KioskConnection, _ address: KioskAddress
  ) throws(KioskError) -> any LiveFingers {
    switch self {
    case .socket: return SocketFingers()
    case .uinput: return try KernelFingers(address)
    case .qmp(let path):
      let places = try connection.panelPlaces()
      do throws(TouchscreenError) {
        return MachineFingers(try MachineMonitor(at: path), places)
      } catch {
        throw KioskError(error)
      }
    }
  }
}

protocol LiveFingers: AnyObject {
  /// May return before the touches have ended.
  func play(_ touches: [TimedTouch], on kiosk: LiveKiosk) throws(BenchError)
  func lift(on kiosk: LiveKiosk) throws(BenchError)
  func close()
}

extension LiveFingers {
  func close() {}
}

/// Touches over the socket, which enter the kiosk like touches from libinput.
private final class SocketFingers: LiveFingers {
  private var start: Timestamp?

  func play(_ touches: [TimedTouch], on kiosk: LiveKiosk) throws(BenchError) {
    let now = MonotonicClock.now
    let start = start ?? now
    self.start = start
    let request = TouchRequest {
      $0.recording = .lines(touches.lines(from: now - start))
      $0.more = true
    }
    try kiosk.call(request, timeout: touches.last?.after ?? 0)
  }

  func lift(on kiosk: LiveKiosk) throws(BenchError) {
    guard start != nil else { return }
    start = nil
    // The end of a recording lifts its fingers.
    try kiosk.call(TouchRequest())
  }
}

extension [TimedTouch] {
  /// Returns the lines of a recording that began `seconds` ago.
  fileprivate func lines(from seconds: Double) -> [JSONValue] {
    map { .object([.init("t", .number(seconds + $0.after)), $0.touch.json]) }
  }
}

private struct DownFingers {
  private var fingers: [Int: Point] = [:]

  mutating func record(_ touches: [TimedTouch]) {
    for touch in touches.map(\.touch) {
      switch touch.phase {
      case .down, .move: fingers[touch.finger] = touch.position
      case .up, .cancel: fingers[touch.finger] = nil
      }
    }
  }

  mutating func lift() -> [TimedTouch] {
    defer { fingers = [:] }
    return fingers.sorted { $0.key < $1.key }.map {
      TimedTouch(after: 0, Touch(finger: $0.key, phase: .up, position: $0.value))
    }
  }
}

/// Touches on a touchscreen in the kernel of the kiosk's machine, where `roundel touch --uinput` runs.
private final class KernelFingers: LiveFingers {
  private let process: PipedProcess
  private var lines: JSONLines?
  private let start: Timestamp
  private var down = DownFingers()

  /// The lead in seconds, so that lines arrive in time.
  private let lead: Double

  init(_ address: KioskAddress) throws(KioskError) {
    let process: PipedProcess
    if let host = address.host {
      process = try KioskConnection.start("touch --uinput", on: host, socket: address.socket)
      lead = 0.15
    } else {
      let socket = address.socket ?? SocketPath.ofClient
      do throws(Errno) {
        process = try PipedProcess(
          ["/proc/self/exe", "touch", "--uinput", "--socket", socket])
      } catch {
        throw KioskError(.unavailable, "cannot start roundel touch --uinput: \(error)")
      }
      lead = 0.02
    }
    self.process = process
    let lines = JSONLines(
      reading: OwnedDescriptor(adopting: process.output),
      writing: OwnedDescriptor(adopting: process.input))
    self.lines = lines
    let deadline = MonotonicClock.now + 60
    while true {
      if let line = try? lines.next(), line[KernelTouches.readyMember] != nil { break }
      guard lines.wait(until: deadline), lines.receive() else {
        // The process has reported the reason.
        if case .status(let code)? = try? process.wait(),
          let kind = KioskError.Kind(exitCode: code)
        {
          throw KioskError(kind)
        }
        throw KioskError(.unavailable, "roundel touch --uinput did not create a touchscreen")
      }
    }
    start = MonotonicClock.now
  }

  func play(_ touches: [TimedTouch], on kiosk: LiveKiosk) throws(BenchError) {
    down.record(touches)
    let elapsed = MonotonicClock.now - start + lead
    do throws(Errno) {
      for touch in touches {
        let time = Instant(seconds: elapsed + touch.after)
        try lines?.send(.object([.init("t", .number(time.seconds)), touch.touch.json]))
      }
    } catch {
      throw .lost("the touchscreen was removed: \(error)")
    }
  }

  func close() {
    lines = nil
    _ = try? process.wait()
  }

  func lift(on kiosk: LiveKiosk) throws(BenchError) {
    let touches = down.lift()
    if !touches.isEmpty { try kiosk.play(touches) }
  }
}

private final class MachineFingers: LiveFingers {
  private let touchscreen: MachineTouchscreen
  private var places: PanelPlaces
  private var down = DownFingers()

  init(_ monitor: MachineMonitor, _ places: PanelPlaces) {
    touchscreen = MachineTouchscreen(monitor, size: places.size)
    self.places = places
  }

  func play(_ touches: [TimedTouch], on kiosk: LiveKiosk) throws(BenchError) {
    down.record(touches)
    var due = MonotonicClock.now
    var elapsed = 0.0
    for touch in touches {
      // On a busy machine, catching up would make the finger faster and its pauses shorter.
      due = max(due + (touch.after - elapsed), MonotonicClock.now)
      elapsed = touch.after
      MonotonicClock.sleep(until: due)
      var placed = touch.touch
      placed.position = places.panelPoint(placed.position)
      do throws(TouchscreenError) {
        try touchscreen.touch([placed])
      } catch {
        throw .lost("\(error)")
      }
    }
  }

  func lift(on kiosk: LiveKiosk) throws(BenchError) {
    let touches = down.lift()
    if !touches.isEmpty { try kiosk.play(touches) }
  }
}
