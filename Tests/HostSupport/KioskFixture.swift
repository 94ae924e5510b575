// SPDX-License-Identifier: MIT

package import RoundelAudio
package import RoundelBackends
internal import RoundelExpressions
package import RoundelGeometry
internal import Glibc
package import RoundelJSON
internal import Kiosk
package import KioskHost
package import KioskProtocol
internal import LinuxIO
internal import RoundelMotion
package import RoundelRuntime
internal import SystemPackage

/// A kiosk file in a folder, and a headless kiosk that runs it on a virtual clock.
package final class KioskFixture {
  package let folder: TemporaryFolder
  package let clock = VirtualClock()
  package let sounds = SilentPlayer()
  package let file: String
  /// The service manager, if any.
  package private(set) var manager: ServiceManager?
  package private(set) var machine: Machine
  package private(set) var backend: HeadlessBackend?
  package private(set) var kiosk: RunningKiosk?

  package init(_ text: String, isManaged: Bool = true) throws {
    folder = try TemporaryFolder()
    file = try folder.write(text, to: "wall.yaml")
    try folder.write("", to: "run/none")
    if isManaged { manager = try ServiceManager(at: folder.path + "/notify") }
    machine = try Self.machine(in: folder, clock, sounds, build: "old", hasManager: isManaged)
  }

  /// Ends started programs, which would otherwise keep the test's output open.
  deinit { kiosk?.end(inGoodOrder: false) }

  private static func machine(
    in folder: TemporaryFolder, _ clock: VirtualClock, _ sounds: SilentPlayer, build: String,
    hasManager: Bool
  ) throws -> Machine {
    let loop = try EventLoop(clock: { clock.now })
    func open(_ name: String) throws -> OwnedDescriptor {
      try OwnedDescriptor(opening: "\(folder.path)/\(name)", O_WRONLY | O_CREAT | O_APPEND)
    }
    try folder.write("", to: "events")
    try folder.write("", to: "log")
    let events = try open("events")
    let log = try open("log")
    let outputs = try OutputStreams(output: events.rawValue, errors: log.rawValue, on: loop)
    let variables =
      hasManager
      ? ["NOTIFY_SOCKET": folder.path + "/notify", "WATCHDOG_USEC": "15000000"] : [:]
    return Machine(
      loop: loop, outputs: outputs, service: Service(environment: { variables[$0] }, on: loop),
      folders: folder.state, sounds: sounds, build: build,
      wallClock: { CivilTime(microseconds: Int(clock.now.microseconds)) })
  }

  /// Starts the kiosk like a new process of a `build` of the program.
  package func start(
    build: String = "old", size: PixelSize = PixelSize(640, 400), rotation: Rotation = .none,
    socket: SocketPlace? = nil
  ) throws {
    kiosk = nil
    machine = try Self.machine(
      in: folder, clock, sounds, build: build, hasManager: manager != nil)
    let backend = HeadlessBackend(size: size, rotation: rotation, clock: { [clock] in clock.now })
    self.backend = backend
    kiosk = try RunningKiosk(
      try Start(file, in: machine), on: backend, in: machine, socket: socket, seed: 1)
    try advance(by: 0)
  }

  /// Ends the process cleanly, unless its display failed.
  package func stop(inGoodOrder: Bool = true) {
    kiosk?.end(inGoodOrder: inGoodOrder)
    kiosk = nil
  }

  package var cycle: FrameCycle? { kiosk?.cycle }

  /// Processes events while time advances.
  package func advance(by seconds: Double) throws {
    let end = clock.now + seconds
    while true {
      _ = kiosk?.turn()
      try machine.loop.turn(until: clock.now)
      guard clock.now < end else { break }
      clock.now = min(end, clock.now + 0.5)
    }
    _ = kiosk?.turn()
  }

  /// Runs the kiosk until `condition` is true. Time advances only to events due soon, such as the
  /// next frame; otherwise the loop waits for workers and programs. Throws after a minute.
  package func run(until condition: () throws -> Bool) throws {
    let pulse = try Pulse(on: machine.loop)
    let end = MonotonicClock.now + 60
    defer { withExtendedLifetime(pulse) {} }
    while true {
      let deadline = kiosk?.turn()
      if try condition() { return }
      guard MonotonicClock.now < end else { throw Errno.timedOut }
      let next = [deadline, machine.loop.nextTimer].compactMap { $0 }.min()
      if let next, next < clock.now + Self.maximumStep { clock.now = max(clock.now, next) }
      try machine.loop.turn(until: deadline)
    }
  }

  /// The limit for advancing the time, in seconds.
  private static let maximumStep = 0.25

  package func log() throws -> String { try folder.text(of: "log") ?? "" }

  /// The events with a name, or all, in order.
  package func events(named name: String? = nil) throws -> [JSONValue] {
    try (folder.text(of: "events") ?? "").split(separator: "\n").map {
      try JSONValue(parsing: Array($0.utf8))
    }.filter { event in name.map { event["event"]?.string == $0 } ?? true }
  }

  /// The text of a label.
  package func text(_ label: String = "welcome") -> String? {
    guard case .text(let text)? = cycle?.engine.value(of: "text", of: label) else { return nil }
    return text
  }

  package func set(_ value: String, to number: Double) throws {
    try cycle?.perform { engine in try engine.set(.value(value), to: .number(number)) }
  }
}

/// A player that records sounds.
package final class SilentPlayer: SoundPlayer {
  package private(set) var played: [Sound] = []
  package var status: SoundStatus? { nil }
  package func play(_ sound: Sound) { played.append(sound) }
  /// The spoken sounds, with nil for each interruption.
  package private(set) var spoken: [Sound?] = []
  package func speak(_ sound: Sound) { spoken.append(sound) }
  package func stopSpeaking() { spoken.append(nil) }
}

/// The service manager's end of a notification socket.
package final class ServiceManager {
  private let descriptor: OwnedDescriptor

  package init(at path: String) throws {
    descriptor = OwnedDescriptor(
      adopting: socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue), 0))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8) + [0]
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let number = descriptor.rawValue
    // The address is a local variable of the given size.
    let result = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(number, $0, socklen_t(2 + bytes.count))
      }
    }
    guard result == 0 else { throw Errno(rawValue: errno) }
  }

  /// The messages since the last call.
  package func messages() -> [String] {
    var messages: [String] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe recv(descriptor.rawValue, &bytes, bytes.count, 0)
      guard count > 0 else { return messages }
      messages.append(String(decoding: bytes[..<count], as: UTF8.self))
    }
  }
}
