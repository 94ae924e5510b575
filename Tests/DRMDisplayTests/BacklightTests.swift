// SPDX-License-Identifier: MIT

import DRMDisplay
import Glibc
import RoundelMotion
import SystemPackage
import Testing

private let start = Timestamp(seconds: 100)

/// A folder like the kernel's for a machine with backlights.
private final class Lights {
  let folder = "/tmp/roundel-backlight-\(UInt64.random(in: 0 ... .max))"

  init(_ maxima: [String: String]) throws {
    #expect(unsafe mkdir(folder, 0o700) == 0)
    for (name, maximum) in maxima { try add(name, maximum) }
  }

  func add(_ name: String, _ maximum: String) throws {
    #expect(unsafe mkdir("\(folder)/\(name)", 0o700) == 0)
    try write(maximum, to: "\(name)/max_brightness")
    try write("7", to: "\(name)/brightness")
    try write("0", to: "\(name)/bl_power")
  }

  func remove(_ file: String) throws {
    #expect(unsafe unlink("\(folder)/\(file)") == 0)
  }

  deinit {
    let path = folder
    for name in Backlight(in: path).names {
      for file in ["max_brightness", "brightness", "bl_power"] {
        unsafe unlink("\(path)/\(name)/\(file)")
      }
      unsafe rmdir("\(path)/\(name)")
    }
    unsafe rmdir(path)
  }

  func write(_ text: String, to file: String) throws {
    let file = try FileDescriptor.open(
      FilePath("\(folder)/\(file)"), .writeOnly, options: [.create, .truncate],
      permissions: [.ownerReadWrite])
    try file.closeAfter { _ = try file.writeAll("\(text)\n".utf8) }
  }

  func read(_ file: String) throws -> Int? {
    let file = try FileDescriptor.open(FilePath("\(folder)/\(file)"), .readOnly)
    return try file.closeAfter {
      let bytes = try unsafe [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
        count = try unsafe file.read(into: UnsafeMutableRawBufferPointer(buffer))
      }
      return Int(String(decoding: bytes, as: UTF8.self).split(separator: "\n").first ?? "")
    }
  }
}

@Suite struct BacklightTests {
  @Test func `all lights get the requested brightness`() throws {
    let lights = try Lights(["panel": "255", "second": "31"])
    var light = Backlight(in: lights.folder)
    #expect(light.names == ["panel", "second"])
    for (level, values) in [(1.0, (255, 31)), (0.5, (128, 16)), (0, (1, 1)), (7, (255, 31))] {
      #expect(light.hold(level, isOn: true, at: start) == nil)
      #expect(try lights.read("panel/brightness") == values.0)
      #expect(try lights.read("second/brightness") == values.1)
    }
    #expect(try lights.read("panel/bl_power") == 0)
  }

  @Test func `a light is switched off and on without changing its brightness`() throws {
    let lights = try Lights(["panel": "255"])
    var light = Backlight(in: lights.folder)
    #expect(light.hold(nil, isOn: false, at: start) == nil)
    #expect(try lights.read("panel/bl_power") == 4)
    #expect(light.hold(nil, isOn: true, at: start) == nil)
    #expect(try lights.read("panel/bl_power") == 0)
    #expect(try lights.read("panel/brightness") == 7)
  }

  @Test func `a light that a killed process left off is switched on`() throws {
    let lights = try Lights(["panel": "255"])
    try lights.write("4", to: "panel/bl_power")
    var light = Backlight(in: lights.folder)
    #expect(light.hold(nil, isOn: true, at: start) == nil)
    #expect(try lights.read("panel/bl_power") == 0)
    #expect(try lights.read("panel/brightness") == 7)
  }

  @Test func `a setting that is already in effect isn't written`() throws {
    let lights = try Lights(["panel": "255"])
    var light = Backlight(in: lights.folder)
    #expect(light.hold(0.5, isOn: true, at: start) == nil)
    try lights.write("9", to: "panel/brightness")
    #expect(light.hold(0.5, isOn: true, at: start) == nil)
    #expect(try lights.read("panel/brightness") == 9)
  }

  @Test func `a light with invalid values doesn't affect other lights`() throws {
    for nonsense in ["", "x", "0", "-5", "99999999999999999999"] {
      let lights = try Lights(["a": nonsense, "b": "100"])
      var light = Backlight(in: lights.folder)
      #expect(light.hold(0.3, isOn: true, at: start) == start)
      #expect(
        light.problems == [
          "cannot set the backlight a: \(Errno.invalidArgument); see roundel doctor"
        ])
      #expect(try lights.read("a/brightness") == 7)
      #expect(try lights.read("b/brightness") == 30)
    }
  }

  @Test func `a failing light is retried without affecting other lights`() throws {
    let lights = try Lights(["a": "100", "b": "100"])
    try lights.remove("a/bl_power")
    var light = Backlight(in: lights.folder)
    #expect(light.hold(0.5, isOn: false, at: start) == start)
    #expect(light.hold(0.5, isOn: false, at: start) == start + 1)
    #expect(light.problems.count == 1)
    #expect(try lights.read("b/bl_power") == 4)
    try lights.write("0", to: "a/bl_power")
    try lights.write("9", to: "b/brightness")
    // There are no attempts during the pause.
    #expect(light.hold(0.5, isOn: false, at: start + 0.5) == start + 1)
    #expect(try lights.read("a/bl_power") == 0)
    #expect(light.hold(0.5, isOn: false, at: start + 1) == nil)
    #expect(try lights.read("a/bl_power") == 4)
    #expect(try lights.read("b/brightness") == 9)
    #expect(light.problems == [])
  }

  @Test func `a light that appears later gets its state`() throws {
    let lights = try Lights(["a": "100"])
    var light = Backlight(in: lights.folder)
    #expect(light.hold(0.5, isOn: false, at: start) == nil)
    try lights.write("9", to: "a/brightness")
    try lights.add("b", "10")
    light.searchAgain()
    #expect(light.hold(0.5, isOn: false, at: start + 1) == nil)
    #expect(try lights.read("b/brightness") == 5)
    #expect(try lights.read("b/bl_power") == 4)
    #expect(try lights.read("a/brightness") == 9)
  }

  @Test func `a machine without lights causes no errors`() throws {
    var light = Backlight(in: "/nonexistent")
    #expect(light.names == [])
    #expect(light.hold(0.3, isOn: true, at: start) == nil)
    #expect(light.hold(nil, isOn: false, at: start) == nil)
  }
}
