// SPDX-License-Identifier: MIT

internal import CLinux
internal import Glibc
internal import LinuxIO
internal import SystemPackage

/// Puts an accelerometer's input events together: each axis by itself, and a report when all that
/// belongs together has come (Linux, Documentation/input/event-codes.rst).
struct AxisReports {
  /// The result of an event that completes something.
  enum Completion: Equatable {
    case report(Acceleration)
    /// Events were dropped up to here; the axes are to be read from the device.
    case loss
  }

  /// Units a g of the three axes.
  let resolutions: [Double]
  private var values = [0.0, 0.0, 0.0]
  /// Whether the kernel has dropped events of this report.
  private var isIncomplete = false

  init(resolutions: [Double]) {
    self.resolutions = resolutions
  }

  /// Takes one event, and returns what it completes.
  mutating func handle(type: UInt16, code: UInt16, value: Int32) -> Completion? {
    switch Int32(type) {
    case EV_SYN where Int32(code) == SYN_DROPPED:
      isIncomplete = true
      return nil
    case EV_SYN where Int32(code) == SYN_REPORT && isIncomplete:
      isIncomplete = false
      return .loss
    case _ where isIncomplete:
      return nil
    case EV_ABS where code < 3:
      // ABS_X, ABS_Y and ABS_Z are 0, 1 and 2.
      set(axis: Int(code), to: value)
      return nil
    case EV_SYN where Int32(code) == SYN_REPORT:
      return .report(acceleration)
    default:
      return nil
    }
  }

  var acceleration: Acceleration { Acceleration(x: values[0], y: values[1], z: values[2]) }

  /// Takes the value of one axis, 0 to 2.
  mutating func set(axis: Int, to value: Int32) {
    values[axis] = Double(value) / resolutions[axis]
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
    // Writes no more than the size in the request's number, that of the variable.
    guard unsafe ioctl(opened.rawValue, roundel_EVIOCGPROP, &properties) >= 0,
      properties & 1 << UInt32(INPUT_PROP_ACCELEROMETER) != 0
    else { return nil }
    guard let axes = Self.axes(of: opened.rawValue), axes.allSatisfy({ $0.resolution > 0 }) else {
      return nil
    }
    descriptor = opened
    reports = AxisReports(resolutions: axes.map { Double($0.resolution) })
    take(axes)
  }

  /// The three axes as they are now; nil where the device lacks one, or has gone.
  private static func axes(of device: CInt) -> [input_absinfo]? {
    var result: [input_absinfo] = []
    for request in [roundel_EVIOCGABS_X, roundel_EVIOCGABS_Y, roundel_EVIOCGABS_Z] {
      var axis = input_absinfo()
      // Writes no more than the size in the request's number, that of the variable.
      guard unsafe ioctl(device, request, &axis) >= 0 else { return nil }
      result.append(axis)
    }
    return result
  }

  private func take(_ axes: [input_absinfo]) {
    for (number, axis) in axes.enumerated() { reports.set(axis: number, to: axis.value) }
  }

  /// The samples since the last call; nil once the device is gone.
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
    try unsafe withTemporaryMemory(of: input_event.self, capacity: 64) {
      (events) throws(Errno) in
      let bytes = try unsafe descriptor.read(into: UnsafeMutableRawBufferPointer(events))
      // The kernel writes whole events only, and `read` has filled that many.
      for index in 0..<bytes / MemoryLayout<input_event>.stride {
        let event = unsafe events[index]
        switch reports.handle(type: event.type, code: event.code, value: event.value) {
        case .report(let sample): result.append(sample)
        case .loss:
          guard let axes = Self.axes(of: descriptor.rawValue) else { return false }
          take(axes)
          result.append(reports.acceleration)
        case nil: break
        }
      }
      return bytes > 0
    }
  }
}
