// SPDX-License-Identifier: MIT

internal import Controls
internal import Geometry
internal import Glibc
internal import JSON
internal import KioskProtocol
internal import LinuxIO
internal import Motion
internal import JSONRPC
internal import Session
internal import Suites
internal import SystemPackage

/// How fingers reach a kiosk that runs.
package enum TouchWay: Hashable, Sendable {
  /// Over its socket.
  case socket
  /// By a touchscreen of its machine's kernel.
  case uinput
  /// By the touchscreen of the QEMU that it runs in, at this QMP socket.
  case qmp(String)

  /// `socket`, `uinput` or `qmp:SOCKET`.
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

/// Fingers on the panel of a kiosk that runs.
protocol LiveFingers: AnyObject {
  /// Lets them touch, `after` seconds from now. It may return before that.
  func play(_ touches: [TimedTouch], on kiosk: LiveKiosk) throws(BenchError)
  /// Lifts all fingers that are down.
  func lift(on kiosk: LiveKiosk) throws(BenchError)
  /// No finger will touch any more.
  func close()
}

extension LiveFingers {
  func close() {}
}

/// Fingers that the kiosk takes over its socket, where touches of a panel come out of libinput.
private final class SocketFingers: LiveFingers {
  /// The beginning of the recording whose parts are played; nil while there is none.
  private var start: Timestamp?

  func play(_ touches: [TimedTouch], on kiosk: LiveKiosk) throws(BenchError) {
    let now = MonotonicClock.now
    let start = start ?? now
    self.start = start
    let request = TouchRequest {
      $0.recording = .lines(touches.lines(from: now - start))
      $0.more = true
    }
    try kiosk.call(request, patience: touches.last?.after ?? 0)
  }

  func lift(on kiosk: LiveKiosk) throws(BenchError) {
    guard start != nil else { return }
    start = nil
    // The end of a recording takes its fingers away.
    try kiosk.call(TouchRequest())
  }
}

extension [TimedTouch] {
  /// The lines of a recording that began `seconds` ago.
  fileprivate func lines(from seconds: Double) -> [JSONValue] {
    map { .object([.init("t", .number(seconds + $0.after)), $0.touch.json]) }
  }
}

/// The fingers that are down, to be lifted in the end.
private struct DownFingers {
  private var fingers: [Int: Point] = [:]

  mutating func note(_ touches: [TimedTouch]) {
    for touch in touches.map(\.touch) {
      switch touch.phase {
      case .down, .move: fingers[touch.finger] = touch.position
      case .up, .cancel: fingers[touch.finger] = nil
      }
    }
  }

  /// The touches that lift all fingers.
  mutating func lift() -> [TimedTouch] {
    defer { fingers = [:] }
    return fingers.sorted { $0.key < $1.key }.map {
      TimedTouch(after: 0, Touch(finger: $0.key, phase: .up, position: $0.value))
    }
  }
}

/// Fingers on a touchscreen that the kernel of the kiosk's machine has been given: `roundel touch
/// --uinput`, there.
private final class KernelFingers: LiveFingers {
  private let process: PipedProcess
  /// Nil once it is closed.
  private var lines: JSONLines?
  private let start: Timestamp
  private var down = DownFingers()

  /// Seconds that a line may take to get there, so that it is in time.
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
        // It has said why on the standard error, which it shares.
        if case .status(let code)? = try? process.wait(),
          let kind = KioskError.Kind(exitCode: code)
        {
          throw KioskError(kind)
        }
        throw KioskError(.unavailable, "roundel touch --uinput has made no touchscreen")
      }
    }
    start = MonotonicClock.now
  }

  func play(_ touches: [TimedTouch], on kiosk: LiveKiosk) throws(BenchError) {
    down.note(touches)
    let elapsed = MonotonicClock.now - start + lead
    do throws(Errno) {
      for touch in touches {
        let time = Instant(seconds: elapsed + touch.after)
        try lines?.send(.object([.init("t", .number(time.seconds)), touch.touch.json]))
      }
    } catch {
      throw .lost("the touchscreen has gone: \(error)")
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

/// Fingers on the touchscreen of a virtual machine.
private final class MachineFingers: LiveFingers {
  private let touchscreen: MachineTouchscreen
  private var places: PanelPlaces
  private var down = DownFingers()

  init(_ monitor: MachineMonitor, _ places: PanelPlaces) {
    touchscreen = MachineTouchscreen(monitor, size: places.size)
    self.places = places
  }

  func play(_ touches: [TimedTouch], on kiosk: LiveKiosk) throws(BenchError) {
    down.note(touches)
    var due = MonotonicClock.now
    var elapsed = 0.0
    for touch in touches {
      // On a busy machine a gesture takes longer. A finger that made up for lost time would move faster
      // than it should, and rest for less.
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
