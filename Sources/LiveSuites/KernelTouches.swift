// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelGeometry
internal import Glibc
internal import Kiosk
package import KioskProtocol
internal import LinuxIO
internal import RoundelMotion
internal import JSONRPC
internal import RoundelSession
internal import SystemPackage

/// A recording that is played through the kernel in real time while it is read.
package struct KernelTouches {
  /// The member with the touchscreen's name, in the line that reports its use.
  package static let readyMember = "touchscreen"

  /// The touchscreen's name in the kernel.
  package let device: String
  private let connection: KioskConnection
  private let places: PanelPlaces
  private let touchscreen: VirtualTouchscreen
  private let start: Timestamp
  private let source: RecordingSource
  private var stream: RecordingStream
  private var steps: [Recording.Step] = []

  /// The maximum number of queued steps, at which reading pauses.
  private static let maximumSteps = 20_000

  /// Plugs in a touchscreen, and waits until the kiosk uses it.
  package init(_ source: RecordingSource, on connection: KioskConnection) throws(LiveError) {
    self.connection = connection
    self.source = source
    stream = RecordingStream(path: source.path)
    let device = "Roundel touchscreen \(getpid())"
    self.device = device
    do throws(KioskError) {
      places = try connection.panelPlaces()
      do throws(TouchscreenError) {
        touchscreen = try VirtualTouchscreen(name: device, size: places.size)
      } catch {
        throw KioskError(error)
      }
      guard try connection.call(WaitRequest(for: .input(device), timeout: 15)).holds else {
        throw KioskError(
          .unavailable,
          "the kiosk does not use the new touchscreen; is udev running?")
      }
    } catch {
      throw .kiosk(error)
    }
    start = MonotonicClock.now
  }

  package mutating func play() throws(LiveError) {
    while !stream.isEnded || !steps.isEmpty {
      let due = steps.first.map { start + $0.time.seconds }
      if !stream.isEnded, steps.count < Self.maximumSteps, isReadable(until: due) {
        let piece: [UInt8]
        do throws(Failure) {
          piece = try source.receive()
        } catch {
          throw .failure(error)
        }
        do throws(Recording.ParseError) {
          for part in try stream.take(piece) { steps += part.steps }
        } catch {
          throw .recording(error)
        }
      } else if stream.isEnded || steps.count >= Self.maximumSteps, let due {
        MonotonicClock.sleep(until: due)
      }
      try playWhatIsDue()
    }
  }

  private mutating func playWhatIsDue() throws(LiveError) {
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
          throw .touchscreen(error)
        }
      case .command(let command):
        do throws(KioskError) {
          try connection.perform(command)
        } catch {
          throw .kiosk(error)
        }
      case .get, .shot, .size, .clock, .end: break
      }
    }
  }

  private func isReadable(until deadline: Timestamp?) -> Bool {
    let left = deadline.map { max(0, $0 - MonotonicClock.now) * 1000 }
    var entry = pollfd(fd: source.file.rawValue, events: Int16(POLLIN), revents: 0)
    // A single entry. The timeout is rounded up to whole milliseconds.
    return unsafe poll(&entry, 1, left.map { CInt(min($0.rounded(.up), 1e9)) } ?? -1) > 0
  }
}

extension KioskError {
  init(_ error: TouchscreenError) {
    self.init(error.isPermission ? .denied : .unavailable, error.description)
  }
}

extension KioskConnection {
  func panelPlaces() throws(KioskError) -> PanelPlaces {
    let display = try call(StatusRequest()).display
    let design = try call(TreeRequest()).size
    return PanelPlaces(design: design, panel: display.size, rotation: display.rotation)
  }
}
