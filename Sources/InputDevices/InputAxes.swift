// SPDX-License-Identifier: MIT

internal import CRoundelEvdev
internal import Glibc
internal import LinuxIO

/// An input device's axes and properties for a fault report.
package struct InputAxes: Hashable, Sendable {
  package var path: String
  package var name: String
  /// Each with its minimum, maximum and units per millimetre.
  package var axes: [String]
  package var properties: [String]

  package static func all(in folder: String = "/dev/input") -> [InputAxes] {
    DeviceSearch<Int>.paths(in: folder).compactMap { InputAxes($0) }
  }

  private init?(_ path: String) {
    guard let opened = try? OwnedDescriptor(opening: path, O_RDONLY | O_NONBLOCK),
      let device = EventDevice(on: opened.rawValue)
    else { return nil }
    self.path = path
    name = device.name
    axes = device.axes
    properties = [
      (INPUT_PROP_DIRECT, "direct"), (INPUT_PROP_POINTER, "pointer"),
      (INPUT_PROP_SEMI_MT, "semi-mt"), (INPUT_PROP_ACCELEROMETER, "accelerometer"),
    ].filter { device.has(property: $0.0) }.map(\.1)
    if device.has(EV_KEY, BTN_TOUCH) { properties.append("BTN_TOUCH") }
    if device.has(EV_KEY, BTN_TOOL_PEN) { properties.append("BTN_TOOL_PEN") }
  }

  package var lines: [String] {
    ["\(path): \(name)\(properties.isEmpty ? "" : " (\(properties.joined(separator: ", ")))")"]
      + axes.map { "  \($0)" }
  }
}
