// SPDX-License-Identifier: MIT

package import LinuxIO
package import RoundelMotion
package import SystemPackage

/// Reports shakes of the panel from an Industrial I/O device, which is polled, or an input device.
///
/// While not listening, an accelerometer causes no wake-ups.
package final class Accelerometer {
  private enum Device {
    case industrial(IndustrialAccelerometer)
    case event(EventAccelerometer)
  }

  private let device: Device
  private let loop: EventLoop
  private let onShake: (Timestamp) -> Void
  private var detector: ShakeDetector
  private var token: EventLoop.Token?

  /// Returns nil without an accelerometer. `onShake` gets the time on the monotonic clock.
  package init?(
    detector: ShakeDetector = ShakeDetector(), on loop: EventLoop,
    industrialDevices: String = "/sys/bus/iio/devices", inputDevices: String = "/dev/input",
    onShake: @escaping (Timestamp) -> Void
  ) {
    if let found = IndustrialAccelerometer.first(in: industrialDevices) {
      device = .industrial(found)
    } else if let found = EventAccelerometer.first(in: inputDevices) {
      device = .event(found)
    } else {
      return nil
    }
    self.detector = detector
    self.loop = loop
    self.onShake = onShake
  }

  /// Whether shakes are reported. Listening stops automatically when the device is removed.
  package var isListening: Bool { token != nil }

  package func listen(_ listens: Bool) throws(Errno) {
    guard listens != isListening else { return }
    guard listens else {
      token = nil
      return
    }
    switch device {
    case .industrial(let sensor): ask(sensor)
    case .event(let sensor):
      // Drop earlier samples.
      guard sensor.read() != nil else { return }
      token = try loop.watch(sensor.descriptor.rawValue) { [unowned self] _ in
        guard let samples = sensor.read() else {
          try? listen(false)
          return
        }
        for sample in samples { feel(sample) }
      }
    }
  }

  private func ask(_ sensor: IndustrialAccelerometer) {
    guard let sample = sensor.read() else {
      token = nil
      return
    }
    token = loop.schedule(at: MonotonicClock.now + detector.interval) { [unowned self] in
      ask(sensor)
    }
    feel(sample)
  }

  private func feel(_ sample: Acceleration) {
    let now = MonotonicClock.now
    if detector.shakes(x: sample.x, y: sample.y, z: sample.z, at: now) { onShake(now) }
  }
}
