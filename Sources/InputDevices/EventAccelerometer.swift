// SPDX-License-Identifier: MIT

internal import CRoundelEvdev
internal import Glibc
internal import LinuxIO

/// An input device, as in tablets and game pads, which reports each axis and the end of each sample
/// (Linux, Documentation/input/event-codes.rst).
final class EventAccelerometer {
  private static let axes = [ABS_X, ABS_Y, ABS_Z]

  let descriptor: OwnedDescriptor
  private let device: EventDevice

  static func first(in folder: String) -> EventAccelerometer? {
    DeviceSearch<EventDevice>.paths(in: folder).lazy.compactMap(EventAccelerometer.init).first
  }

  private init?(_ path: String) {
    guard let opened = try? OwnedDescriptor(opening: path, O_RDONLY | O_NONBLOCK),
      let device = EventDevice(on: opened.rawValue), device.has(property: INPUT_PROP_ACCELEROMETER),
      Self.axes.allSatisfy({ device.resolution(ofAxis: $0) > 0 })
    else { return nil }
    descriptor = opened
    self.device = device
  }

  /// Returns the samples since the last call, or nil after the device is removed.
  func read() -> [Acceleration]? {
    var samples: [Acceleration] = []
    let isPresent = device.read { event in
      guard Int32(event.type) == EV_SYN, Int32(event.code) == SYN_REPORT else { return }
      let values = Self.axes.map {
        Double(device.value(ofAxis: $0)) / Double(device.resolution(ofAxis: $0))
      }
      samples.append(Acceleration(x: values[0], y: values[1], z: values[2]))
    }
    return isPresent ? samples : nil
  }
}
