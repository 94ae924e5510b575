// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
package import RoundelInput
internal import LinuxIO
internal import SystemPackage
internal import RoundelYAML

/// Settings for this machine's input devices by name, for properties not reported by the devices:
///
///     ADS7846 Touchscreen:
///       calibration: [1.08, 0.01, -0.04, -0.02, 1.11, -0.05]
///     rotary@17:
///       steps: 4
package struct DeviceSettings: Sendable {
  package struct Device: Hashable, Sendable {
    package var calibration: TouchMatrix?
    package var stepsPerDetent: Int?

    package init(calibration: TouchMatrix? = nil, stepsPerDetent: Int? = nil) {
      self.calibration = calibration
      self.stepsPerDetent = stepsPerDetent
    }
  }

  package private(set) var devices: [String: Device] = [:]
  /// The invalid entries of the file, each with its location.
  package private(set) var problems: [String] = []

  package static let path = "/etc/roundel/calibration"

  /// Empty if there isn't a file.
  package static var ofThisMachine: DeviceSettings { DeviceSettings(reading: path) }

  /// An error doesn't affect other devices' entries.
  package init(reading path: String) {
    var bytes: [UInt8] = []
    var problem: String?
    do throws(Errno) {
      bytes = try StateFile(path, maximumBytes: 1 << 16).read() ?? []
    } catch {
      problem = "cannot read \(path): \(error)"
    }
    self.init(String(decoding: bytes, as: UTF8.self), path: path)
    if let problem { problems.append(problem) }
  }

  package init(_ text: String, path: String) {
    let isEmpty = text.split(separator: "\n").allSatisfy { line in
      line.first { $0 != " " } == "#" || line.allSatisfy(\.isWhitespace)
    }
    guard !isEmpty else { return }
    var diagnostics: [String] = []
    let file = Composer.compose(
      Array(text.utf8), kind: "calibration", example: "ADS7846 Touchscreen:"
    ) { diagnostics.append("\(path):\($1.line): \($0)") }
    problems = diagnostics
    for pair in file?.pairs ?? [] {
      var device = Device()
      for setting in pair.value.pairs {
        let place = "\(path):\(setting.keyMark.line): \(pair.key)"
        switch setting.key {
        case "calibration":
          do throws(CalibrationRefusal) {
            device.calibration = try TouchMatrix(setting.value.items.map { $0.number ?? .nan })
          } catch {
            problems.append("\(place): \(error)")
          }
        case "steps":
          if let steps = setting.value.number, [1, 2, 4].contains(steps) {
            device.stepsPerDetent = Int(steps)
          } else {
            problems.append("\(place): steps must be 1, 2 or 4 per detent")
          }
        default:
          problems.append(
            "\(place): unknown setting \(setting.key) (expected calibration or steps)")
        }
      }
      devices[pair.key] = device
    }
  }

  package subscript(name: String) -> Device? {
    get { devices[name] }
    set { devices[name] = newValue }
  }

  package subscript(name: String, default standard: @autoclosure () -> Device) -> Device {
    get { devices[name] ?? standard() }
    set { devices[name] = newValue }
  }

  package var text: String {
    "# Roundel's settings of input devices, written by roundel calibrate.\n"
      + devices.sorted { $0.key < $1.key }.map { name, device in
        var lines = ["\(Self.quoted(name)):"]
        if let calibration = device.calibration { lines.append("  calibration: \(calibration)") }
        if let steps = device.stepsPerDetent { lines.append("  steps: \(steps)") }
        return lines.joined(separator: "\n") + "\n"
      }.joined()
  }

  /// Returns a name as a double-quoted YAML scalar.
  private static func quoted(_ name: String) -> String {
    "\""
      + name.unicodeScalars.map { scalar in
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case _ where scalar.value < 0x20 || scalar.value == 0x7f:
          "\\x\(scalar.value < 16 ? "0" : "")\(String(scalar.value, radix: 16))"
        default: String(Character(scalar))
        }
      }.joined() + "\""
  }
}
