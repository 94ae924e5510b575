// SPDX-License-Identifier: MIT

import Foundation
import LinuxIO
import RoundelMotion
import Testing

@testable import InputDevices

/// A folder like the kernel's for Industrial I/O devices.
private final class Devices {
  let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  func write(_ files: [String: String], to device: String) throws {
    let place = folder.appending(path: device)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    for (name, text) in files {
      try text.write(to: place.appending(path: name), atomically: true, encoding: .utf8)
    }
  }

  /// The files of an accelerometer with 1024 units per g, at rest.
  static let atRest = [
    "in_accel_x_raw": "0\n", "in_accel_y_raw": "0\n", "in_accel_z_raw": "1024\n",
    "in_accel_scale": "0.009576806\n",
  ]
}

@Suite struct AccelerometerTests {
  @Test func `raw values are converted to g, with one scale or one per axis`() throws {
    let devices = Devices()
    try devices.write(Devices.atRest, to: "iio:device3")
    let sensor = try #require(IndustrialAccelerometer.first(in: devices.folder.path))
    let rest = try #require(sensor.read())
    #expect(rest.x == 0 && rest.y == 0 && abs(rest.z - 1) < 1e-6)

    try devices.write(
      ["in_accel_x_scale": "9.80665", "in_accel_x_offset": "-2", "in_accel_x_raw": "5"],
      to: "iio:device3")
    let other = try #require(IndustrialAccelerometer.first(in: devices.folder.path)?.read())
    #expect(abs(other.x - 3) < 1e-9)
    #expect(abs(other.z - 1) < 1e-6)
  }

  @Test func `other devices are skipped`() throws {
    let devices = Devices()
    try devices.write(["in_voltage0_raw": "12", "in_accel_scale": "1"], to: "iio:device0")
    try devices.write(
      [
        "in_accel_x_raw": "1", "in_accel_y_raw": "oops", "in_accel_z_raw": "",
        "in_accel_scale": "1",
      ],
      to: "iio:device1")
    #expect(IndustrialAccelerometer.first(in: devices.folder.path) == nil)
    try devices.write(Devices.atRest, to: "iio:device2")
    #expect(IndustrialAccelerometer.first(in: devices.folder.path) != nil)
    let loop = try EventLoop()
    #expect(
      Accelerometer(
        on: loop, industrialDevices: "/nowhere", inputDevices: "/nowhere", onShake: { _ in })
        == nil)
  }

  @Test func `a removed device stops reporting, and its owner stops listening`() throws {
    let devices = Devices()
    try devices.write(Devices.atRest, to: "iio:device0")
    let loop = try EventLoop()
    let accelerometer = try #require(
      Accelerometer(
        detector: ShakeDetector(interval: 0.001), on: loop,
        industrialDevices: devices.folder.path, inputDevices: "/nowhere", onShake: { _ in }))
    try accelerometer.listen(true)
    #expect(accelerometer.isListening)
    try FileManager.default.removeItem(at: devices.folder)
    try loop.turn(until: MonotonicClock.now + 1)
    #expect(!accelerometer.isListening)
  }

  @Test func `a shake is reported from the loop, only while listening`() throws {
    let devices = Devices()
    try devices.write(Devices.atRest, to: "iio:device0")
    let loop = try EventLoop()
    var shakes = 0
    let accelerometer = try #require(
      Accelerometer(
        detector: ShakeDetector(interval: 0.001), on: loop,
        industrialDevices: devices.folder.path, inputDevices: "/nowhere",
        onShake: { _ in shakes += 1 }))
    try accelerometer.listen(true)
    try loop.turn(until: MonotonicClock.now + 1)
    #expect(shakes == 0)
    try devices.write(["in_accel_y_raw": "-3000"], to: "iio:device0")
    try loop.turn(until: MonotonicClock.now + 1)
    #expect(shakes == 1)
    try accelerometer.listen(false)
    let before = loop.wakeUps
    try loop.turn(until: MonotonicClock.now + 0.02)
    #expect(loop.wakeUps == before + 1)
    #expect(shakes == 1)
  }
}
