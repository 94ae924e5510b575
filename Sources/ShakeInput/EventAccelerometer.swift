// SPDX-License-Identifier: MIT

internal import CLinux
internal import Glibc
internal import LinuxIO
internal import SystemPackage

/// Puts an accelerometer's input events together: each axis by itself, and a report when all that
/// belongs together has been told (Linux, Documentation/input/event-codes.rst).
struct AxisReports {
  /// Units a g of the three axes.
  let resolutions: [Double]
  private var values = [0.0, 0.0, 0.0]

  init(resolutions: [Double], values: [Double] = [0, 0, 0]) {
    self.resolutions = resolutions
    self.values = values
  }

  /// Takes one event; answers at the end of a report.
  mutating func handle(type: UInt16, code: UInt16, value: Int32) -> Acceleration? {
    switch Int32(type) {
    case EV_ABS where code < 3:
      // ABS_X, ABS_Y and ABS_Z are 0, 1 and 2.
      values[Int(code)] = Double(value) / resolutions[Int(code)]
      return nil
    case EV_SYN where Int32(code) == SYN_REPORT:
      return Acceleration(x: values[0], y: values[1], z: values[2])
    default:
      return nil
    }
  }
}

/// An accelerometer that is an input device, as those of tablets and game pads are.
final class EventAccelerometer {
  /// More devices than a board has.
  private static let devices = 0..<64

  let descriptor: OwnedDescriptor
  private var reports: AxisReports

  /// The first accelerometer among the devices in `folder`, nil where there is none that may be
  /// opened.
  static func first(in folder: String) -> EventAccelerometer? {
    devices.lazy.compactMap { EventAccelerometer(path: "\(folder)/event\($0)") }.first
  }

  private init?(path: String) {
    guard let opened = try? OwnedDescriptor(opening: path, O_RDONLY | O_NONBLOCK) else {
      return nil
    }
    // One bit for each property, of which fewer than 32 are defined.
    var properties: UInt32 = 0
    // Each call writes no more than the size in its number, that of the variable.
    guard unsafe ioctl(opened.rawValue, roundel_EVIOCGPROP, &properties) >= 0,
      properties & 1 << UInt32(INPUT_PROP_ACCELEROMETER) != 0
    else { return nil }
    var resolutions: [Double] = []
    var values: [Double] = []
    for request in [roundel_EVIOCGABS_X, roundel_EVIOCGABS_Y, roundel_EVIOCGABS_Z] {
      var axis = input_absinfo()
      guard unsafe ioctl(opened.rawValue, request, &axis) >= 0, axis.resolution > 0 else {
        return nil
      }
      resolutions.append(Double(axis.resolution))
      values.append(Double(axis.value) / Double(axis.resolution))
    }
    descriptor = opened
    reports = AxisReports(resolutions: resolutions, values: values)
  }

  /// What it has told since the last call; nil when it will tell nothing any more.
  func read() -> [Acceleration]? {
    var result: [Acceleration] = []
    while true {
      do throws(Errno) {
        guard try readEvents(into: &result) else { return nil }
      } catch {
        return error == .wouldBlock ? result : nil
      }
    }
  }

  /// Reads some events; false at the end.
  private func readEvents(into result: inout [Acceleration]) throws(Errno) -> Bool {
    try unsafe withUnsafeTemporaryAllocation(of: input_event.self, capacity: 64) {
      (events) throws(Errno) in
      let bytes = try unsafe descriptor.read(into: UnsafeMutableRawBufferPointer(events))
      // The kernel writes whole events only, and `read` has filled that many.
      for index in 0..<bytes / MemoryLayout<input_event>.stride {
        let event = unsafe events[index]
        if let sample = reports.handle(type: event.type, code: event.code, value: event.value) {
          result.append(sample)
        }
      }
      return bytes > 0
    }
  }
}
