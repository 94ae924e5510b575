// SPDX-License-Identifier: MIT

import Controls
import Expressions
import Geometry
import Glibc
import JSON
import Kiosk
import LinuxIO
import Motion
import Session
import SystemPackage
import TouchInjection

/// A recording that is played through the kernel, in real time and while it is read.
struct KernelTouches {
  private let name: String
  private let connection: KioskConnection
  private let places: PanelPlaces
  private let touchscreen: VirtualTouchscreen
  /// The step of moment 0 is due then.
  private let start: Instant
  private var steps: [Recording.Step] = []
  private var lines = 0

  /// Plugs a touchscreen in and waits until the kiosk uses it; then says so, in a line.
  /// `name` is what mistakes call the recording.
  init(_ name: String, on connection: KioskConnection) throws {
    self.name = name
    self.connection = connection
    places = try connection.panelPlaces()
    let device = "Roundel touchscreen \(getpid())"
    do throws(TouchscreenError) {
      touchscreen = try VirtualTouchscreen(name: device, size: places.size)
    } catch {
      throw Failure(error)
    }
    let used = try connection.call(
      "wait", [.init("input", .string(device)), .init("timeout", .number(15))], patience: 30)
    guard used["holds"]?.bool == true else {
      throw Failure(
        .unavailable, "the kiosk does not use the touchscreen that was plugged in; does udev run?")
    }
    start = MonotonicClock.now
    StandardOutput.write(json: .object([.init("touchscreen", .string(device))]))
  }

  /// Plays what comes from `source` until it ends.
  mutating func play(_ source: FileDescriptor) throws {
    var waiting: [UInt8] = []
    var isEnded = false
    while !isEnded || !steps.isEmpty {
      let due = steps.first.map { start + $0.time.seconds }
      if !isEnded, Self.isReadable(source, until: due) {
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        let count = try? unsafe piece.withUnsafeMutableBytes { try unsafe source.read(into: $0) }
        isEnded = (count ?? 0) == 0
        waiting += piece[..<(count ?? 0)]
        // Whole lines only, as many as have come.
        let end = isEnded ? waiting.count : (waiting.lastIndex(of: 10).map { $0 + 1 } ?? 0)
        try append(Array(waiting[..<end]))
        waiting.removeFirst(end)
      } else if isEnded, let due {
        MonotonicClock.sleep(until: due)
      }
      try playWhatIsDue()
    }
  }

  private mutating func append(_ part: [UInt8]) throws {
    do throws(Recording.Mistake) {
      steps += try Recording(part, path: name).steps
    } catch {
      var mistake = error
      mistake.line += lines
      throw Failure(.badFile, "\(mistake)")
    }
    lines += part.count { $0 == 10 }
  }

  private mutating func playWhatIsDue() throws {
    let now = MonotonicClock.now
    let due = steps.prefix { start + $0.time.seconds <= now }
    steps.removeFirst(due.count)
    for step in due {
      switch step.what {
      case .touch(var touch):
        touch.position = places.panelPoint(touch.position)
        do throws(TouchscreenError) {
          try touchscreen.touch([touch])
        } catch {
          throw Failure(error)
        }
      case .command(let command): try connection.perform(command)
      case .get, .shot, .clock, .end: break
      }
    }
  }

  private static func isReadable(_ source: FileDescriptor, until deadline: Instant?) -> Bool {
    let left = deadline.map { max(0, $0 - MonotonicClock.now) * 1000 }
    var entry = pollfd(fd: source.rawValue, events: Int16(POLLIN), revents: 0)
    // One entry, which lives here. A part of a millisecond counts as a whole one.
    return unsafe poll(&entry, 1, left.map { CInt(min($0.rounded(.up), 1e9)) } ?? -1) > 0
  }
}

extension Failure {
  init(_ error: TouchscreenError) {
    self.init(error.isPermission ? .permission : .unavailable, "\(error)")
  }
}

extension KioskConnection {
  /// Where places of the kiosk's design are on its panel now.
  func panelPlaces() throws(Failure) -> PanelPlaces {
    let display = try call("status")["display"]
    let design = try call("tree")["size"].elements.compactMap(\.number)
    let panel = (display?["size"]).elements.compactMap(\.integer)
    guard design.count == 2, panel.count == 2,
      let rotation = display?["rotate"]?.integer.flatMap({ Rotation(rawValue: $0) })
    else { throw Failure(.unavailable, "the kiosk does not say how its panel is") }
    return PanelPlaces(
      design: Size(design[0], design[1]), panel: PixelSize(panel[0], panel[1]), rotation: rotation)
  }

  /// Has a command done.
  func perform(_ command: Command) throws(Failure) {
    guard let (method, parameters) = command.request else { return }
    try call(method, parameters)
  }
}
