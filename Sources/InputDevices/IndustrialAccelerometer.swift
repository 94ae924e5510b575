// SPDX-License-Identifier: MIT

internal import Glibc
internal import LinuxIO
internal import SystemPackage

/// An accelerometer of the kernel's Industrial I/O subsystem, read through its files.
///
/// `in_accel_x_raw` etc. contain whole numbers. (raw + offset) · scale is in m/s² (Linux,
/// Documentation/ABI/testing/sysfs-bus-iio). Scale and offset are common to all axes or separate.
struct IndustrialAccelerometer {
  /// The standard acceleration of free fall, CGPM 1901.
  private static let metresPerG = 9.80665
  private static let devices = 0..<32

  private struct Axis {
    var path: String
    var scale: Double
    var offset: Double
  }

  private let axes: [Axis]

  static func first(in folder: String) -> IndustrialAccelerometer? {
    devices.lazy.compactMap { IndustrialAccelerometer(device: "\(folder)/iio:device\($0)") }.first
  }

  /// Returns nil if the device doesn't have three axes.
  init?(device: String) {
    func setting(_ axis: String, _ name: String) -> Double? {
      number(in: "\(device)/in_accel_\(axis)_\(name)") ?? number(in: "\(device)/in_accel_\(name)")
    }
    var axes: [Axis] = []
    for axis in ["x", "y", "z"] {
      let path = "\(device)/in_accel_\(axis)_raw"
      guard number(in: path) != nil, let scale = setting(axis, "scale") else { return nil }
      axes.append(Axis(path: path, scale: scale, offset: setting(axis, "offset") ?? 0))
    }
    self.axes = axes
  }

  /// Returns nil if reading fails, for example after the device was unplugged.
  func read() -> Acceleration? {
    let values = axes.compactMap { axis in
      number(in: axis.path).map { ($0 + axis.offset) * axis.scale / Self.metresPerG }
    }
    guard values.count == 3 else { return nil }
    return Acceleration(x: values[0], y: values[1], z: values[2])
  }
}

private func number(in path: String) -> Double? {
  do throws(Errno) {
    let file = try OwnedDescriptor(opening: path, O_RDONLY)
    // No such file is longer than a number and a line break.
    let text = try unsafe withTemporaryMemory(of: UInt8.self, capacity: 64) {
      (bytes) throws(Errno) in
      let count = try unsafe file.read(into: UnsafeMutableRawBufferPointer(bytes))
      // `read` has filled that many.
      return unsafe String(decoding: bytes.prefix(count), as: UTF8.self)
    }
    guard let value = Double(text.prefix { !$0.isWhitespace }), value.isFinite else { return nil }
    return value
  } catch {
    return nil
  }
}
