// SPDX-License-Identifier: MIT

internal import CRoundelEvdev
internal import RoundelControls
internal import Glibc
package import RoundelInput
package import LinuxIO
package import RoundelMotion
package import SystemPackage

/// Interprets a rotary encoder's events (Linux, Documentation/input/event-codes.rst).
struct EncoderReports {
  static let axes = [REL_X, REL_Y, REL_HWHEEL, REL_DIAL, REL_WHEEL]

  private var keys = KeyTracker()
  private var held = HeldKeys()
  /// The driver's steps per perceptible detent.
  private let stepsPerDetent: Int
  private var steps = 0
  private var scale: Scale?

  /// An axis that reports the encoder's position, `minimum` … `maximum`, and wraps around.
  struct Scale: Hashable {
    var axis: CInt
    var minimum: Int
    var maximum: Int
    var value: Int

    /// The shorter way round. The kernel's driver (rotary_encoder.c) wraps from the second to last
    /// value to the first. A reported last value is treated like others.
    mutating func turn(to new: Int) -> Int {
      let (lowest, highest) = (min(minimum, maximum), max(minimum, maximum))
      // The axis of a virtual device may have any length.
      let span = highest.subtractingReportingOverflow(lowest)
      guard !span.overflow, span.partialValue < 1 << 31, lowest <= new, new <= highest else {
        return 0
      }
      defer { value = new }
      let ends = new == highest || value == highest
      let period = max(1, span.partialValue + (ends ? 1 : 0))
      let offset = (new - value) % period
      if offset * 2 > period { return offset - period }
      return offset * 2 < -period ? offset + period : offset
    }
  }

  /// - Parameter scale: The absolute axis, or nil for a relative one.
  init(scale: Scale? = nil, stepsPerDetent: Int = 1) {
    self.scale = scale
    self.stepsPerDetent = max(1, stepsPerDetent)
  }

  /// Returns one keystroke per detent, and the press and the release of its button. Positive values
  /// are clockwise.
  mutating func handle(type: UInt16, code: UInt16, value: Int32) -> [KeyInput] {
    switch Int32(type) {
    case EV_REL where Self.axes.contains(Int32(code)): return turn(by: Int(value))
    case EV_ABS:
      guard Int32(code) == scale?.axis else { return [] }
      return turn(by: scale?.turn(to: Int(value)) ?? 0)
    // 2 is a repeated key.
    case EV_KEY where value == 0 || value == 1:
      let (code, isDown) = (Int(code), value == 1)
      let meaning = keys.handle(device: 0, code: code, isDown: isDown)
      return held.handle(meaning, device: 0, code: code, isDown: isDown).map { [$0] } ?? []
    default: return []
    }
  }

  /// Returns the ends of presses, if the encoder is no longer used.
  mutating func end() -> [KeyInput] { held.remove(device: 0) }

  private mutating func turn(by offset: Int) -> [KeyInput] {
    // A change of direction starts another detent.
    if offset.signum() * steps.signum() < 0 { steps = 0 }
    steps += offset
    let detents = steps / stepsPerDetent
    steps -= detents * stepsPerDetent
    return KeyInput.turns(detents)
  }
}

/// A rotary encoder with its button, used exclusively.
private final class EncoderDevice: Sendable {
  let path: String
  let descriptor: OwnedDescriptor
  let events: EventDevice
  let stepsPerDetent: Int

  /// Returns nil if the device isn't an encoder, or can't be opened.
  init?(_ path: String) {
    guard let opened = try? OwnedDescriptor(opening: path, O_RDONLY | O_NONBLOCK),
      let events = EventDevice(on: opened.rawValue), events.isEncoder
    else { return nil }
    events.takeEvents()
    self.path = path
    self.events = events
    stepsPerDetent = DeviceSettings.ofThisMachine[events.name]?.stepsPerDetent ?? 1
    descriptor = opened
  }
}

private final class Encoder {
  let device: EncoderDevice
  private var reports: EncoderReports
  private var token: EventLoop.Token?

  /// - Parameter handler: Receives the new keystrokes, and whether the device is still present.
  init?(
    _ device: EncoderDevice, on loop: EventLoop,
    _ handler: @escaping (_ encoder: Encoder, [KeyInput], _ isPresent: Bool) -> Void
  ) {
    self.device = device
    reports = EncoderReports(
      scale: device.events.encoderScale, stepsPerDetent: device.stepsPerDetent)
    token = try? loop.watch(device.descriptor.rawValue) { [unowned self] _ in
      let (inputs, isPresent) = read()
      handler(self, inputs, isPresent)
    }
    guard token != nil else { return nil }
  }

  private func read() -> (inputs: [KeyInput], isPresent: Bool) {
    var inputs: [KeyInput] = []
    let before = reports
    let isPresent = device.events.read { event in
      inputs += reports.handle(type: event.type, code: event.code, value: event.value)
    }
    guard isPresent else {
      // The kernel releases the button of an unplugged encoder, which must not activate a control.
      reports = before
      return (reports.end(), false)
    }
    return (inputs, true)
  }

  func end() -> [KeyInput] { reports.end() }
}

/// The machine's rotary encoders, also those plugged in later. libinput doesn't support devices
/// with one axis.
package final class Encoders {
  private let loop: EventLoop
  private let onKey: (KeyInput, Timestamp) -> Void
  private var encoders: [Encoder] = []
  private var search: DeviceSearch<EncoderDevice>?

  package init(
    on loop: EventLoop, inputDevices folder: String = "/dev/input",
    onKey: @escaping (KeyInput, Timestamp) -> Void
  ) throws(Errno) {
    self.loop = loop
    self.onKey = onKey
    search = try DeviceSearch(
      in: folder, on: loop,
      except: { [unowned self] in Set(encoders.map(\.device.path)) },
      open: EncoderDevice.init,
      found: { [unowned self] devices in
        for device in devices { listen(to: device) }
      })
  }

  /// Ends the presses of held buttons, before another program uses the encoders.
  package func endPresses() {
    let now = MonotonicClock.now
    for encoder in encoders { for input in encoder.end() { onKey(input, now) } }
  }

  private func listen(to device: EncoderDevice) {
    let encoder = Encoder(device, on: loop) { [unowned self] encoder, inputs, isPresent in
      let now = MonotonicClock.now
      for input in inputs { onKey(input, now) }
      if !isPresent { encoders.removeAll { $0 === encoder } }
    }
    if let encoder { encoders.append(encoder) }
  }
}
