// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelGeometry
import Glibc
import Kiosk
import LinuxIO
import RoundelMotion
import RoundelPresentation
import RoundelRaster
import RoundelRuntime
import SystemPackage
import RoundelText

@testable import DRMDisplay

/// A kiosk on simulated DRM devices, with a clock that advances from event to event.
final class CardBench {
  /// The touches, by seconds since the start.
  typealias Script = [(seconds: Double, touch: Touch)]

  /// The current time, shared with the devices' clocks.
  final class Clock {
    var now = Timestamp(seconds: 1000)
  }

  let clock = Clock()
  let folder: String
  private(set) var cards: [SimulatedCard] = []
  private(set) var errors: [DisplayError] = []
  private var loop: EventLoop?
  private(set) var display: CardDisplay?
  private(set) var cycle: FrameCycle?

  init() throws {
    var template = Array("/tmp/roundel-bench-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw Errno.current }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Ends the kiosk.
  func stop() {
    cycle = nil
    display = nil
    loop = nil
  }

  deinit {
    stop()
    for card in cards { card.remove() }
    _ = unsafe rmdir(folder)
  }

  /// Adds a device.
  @discardableResult
  func plug(
    _ number: Int, _ plugs: SimulatedCard.Plug..., formats: [PixelFormat] = [.xrgb8888],
    flipSeconds: Double = 1.0 / 60
  ) throws -> SimulatedCard {
    let card = try SimulatedCard(
      at: "\(folder)/card\(number)", plugs, formats: formats, clock: { [clock] in clock.now })
    card.flipSeconds = flipSeconds
    cards.append(card)
    return card
  }

  /// Starts the kiosk, which may inherit a device's descriptor like a restarted service.
  func start(_ outputs: String..., inheriting card: SimulatedCard? = nil) throws {
    let loop = try EventLoop(clock: { [clock] in clock.now })
    let display = CardDisplay(
      OutputRequest(outputs: outputs), rotation: nil, canvasSize: PixelSize(64, 48),
      store: try card.map { try store(inheriting: $0) }, on: loop, directory: folder)
    let cycle = FrameCycle(Self.content, on: display, seed: 0) { [clock] in clock.now }
    cycle.onDisplayError = { [unowned self] in errors.append($0) }
    (self.loop, self.display, self.cycle) = (loop, display, cycle)
  }

  /// Lets time pass, with the touches of `script`.
  func run(_ seconds: Double, _ script: Script = []) throws {
    guard let loop, let cycle else { return }
    let start = clock.now
    var script = script[...]
    while true {
      while let next = script.first, start + next.seconds <= clock.now {
        script.removeFirst()
        cycle.handle(next.touch, at: clock.now)
      }
      for card in cards { card.pass() }
      try loop.turn(until: clock.now)
      let wake = cycle.turn()
      let events = [
        wake, loop.nextTimer, cards.compactMap(\.nextEvent).min(),
        script.first.map { start + $0.seconds },
      ]
      let next = events.compactMap(\.self).min() ?? start + seconds
      guard clock.now < start + seconds else { return }
      clock.now = min(
        max(next, Timestamp(microseconds: clock.now.microseconds + 1)), start + seconds)
    }
  }

  /// The descriptors of a service that has used a device before.
  private func store(inheriting card: SimulatedCard) throws -> DescriptorStore {
    let manager = OwnedDescriptor(
      adopting: socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let name = [0] + Array(folder.utf8)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
    let isBound = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(manager.rawValue, $0, socklen_t(2 + name.count)) == 0
      }
    }
    guard isBound else { throw Errno.current }
    return DescriptorStore(
      try ServiceNotification(socket: "@" + folder), process: "\(getpid())", count: "1",
      names: card.path,
      first: try OwnedDescriptor(opening: card.path, O_RDWR | O_NONBLOCK).release())
  }

  /// Reports hotplug events, like udev.
  func rescan() { display?.rescan() }

  /// A dial whose scale shows its rotation, and a pinwheel that lights the touched wedge.
  private static var content: Content {
    let dial = Dial(
      center: Point(50, 50), radius: 45, labels: Dial.numbers(24), labelOffset: 12, fontSize: 8)
    let wheel = Pinwheel(
      center: Point(150, 50), radius: 45, hole: 5, press: .color(.white),
      wedges: [
        .init(id: "a", color: .hex(0x800000)), .init(id: "b", color: .hex(0x008040)),
        .init(id: "c", color: .hex(0x203080)),
      ])
    return Content(
      Description(
        name: "k", screen: Screen(size: Size(200, 100)),
        pages: [
          Page(
            name: "p",
            controls: [
              PlacedControl(id: "dial", control: dial), PlacedControl(id: "wheel", control: wheel),
            ])
        ]),
      fonts: FontLibrary())
  }

  /// A finger that turns the dial for some seconds and lifts.
  static func turning(_ seconds: Double, from start: Double = 0) -> Script {
    func place(_ time: Double) -> Point {
      Point(50 + 30 * cos(time * 2), 50 + 30 * sin(time * 2))
    }
    var script = [(start, Touch(finger: 0, phase: .down, position: place(0)))]
    var time = 0.008
    while time < seconds {
      script.append((start + time, Touch(finger: 0, phase: .move, position: place(time))))
      time += 0.008
    }
    script.append((start + time, Touch(finger: 0, phase: .up, position: place(time))))
    return script.map { (seconds: $0.0, touch: $0.1) }
  }

  /// The resting picture of a single device after the same touches.
  static func alone(
    _ plug: SimulatedCard.Plug, formats: [PixelFormat] = [.xrgb8888], after script: Script,
    seconds: Double
  ) throws -> (picture: [UInt8]?, flips: Int) {
    let bench = try CardBench()
    let card = try bench.plug(0, plug, formats: formats)
    try bench.start()
    try bench.run(seconds, script)
    return (card.picture(0), card.flips[0])
  }
}
