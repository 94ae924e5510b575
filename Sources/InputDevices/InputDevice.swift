// SPDX-License-Identifier: MIT

internal import CRoundelLibinput
package import RoundelGeometry
package import RoundelInput
internal import Glibc
internal import LinuxIO
internal import SystemPackage

package struct InputDevice: Hashable, Sendable {
  /// A capability of a device. Many devices have several.
  package enum Kind: String, CaseIterable, Sendable {
    case touch, pointer, keyboard, stylus, other
  }

  package var name: String
  package var path: String
  package var kinds: Set<Kind>
  /// Some touchscreens report every finger as a pen.
  package var isTouchscreen: Bool { !kinds.isDisjoint(with: [.touch, .stylus]) }
  /// The size of its surface in millimetres, or nil if unknown.
  package var millimetres: Size?
  /// The number of fingers it tracks, or nil if unknown or not a touchscreen.
  package var fingers: Int?
  /// The matrix that libinput applies to its positions.
  package var calibration: TouchMatrix?

  package init(
    name: String, path: String, kinds: Set<Kind>, millimetres: Size? = nil, fingers: Int? = nil
  ) {
    self.name = name
    self.path = path
    self.kinds = kinds
    self.millimetres = millimetres
    self.fingers = fingers
  }

  init(_ device: OpaquePointer) {
    // libinput keeps its strings as long as the device. They are copied immediately.
    name = unsafe String(cString: libinput_device_get_name(device))
    path = unsafe "/dev/input/" + String(cString: libinput_device_get_sysname(device))
    let table: [(libinput_device_capability, Kind)] = [
      (LIBINPUT_DEVICE_CAP_TOUCH, .touch), (LIBINPUT_DEVICE_CAP_POINTER, .pointer),
      (LIBINPUT_DEVICE_CAP_KEYBOARD, .keyboard), (LIBINPUT_DEVICE_CAP_TABLET_TOOL, .stylus),
    ]
    kinds = Set(
      table.filter { unsafe libinput_device_has_capability(device, $0.0) != 0 }.map(\.1))
    if kinds.isEmpty { kinds = [.other] }
    var width = 0.0
    var height = 0.0
    // Writes into the two locals.
    if unsafe libinput_device_get_size(device, &width, &height) == 0, width > 0, height > 0 {
      millimetres = Size(width, height)
    }
    guard kinds.contains(.touch) else { return }
    let count = unsafe libinput_device_touch_get_touch_count(device)
    fingers = count > 0 ? Int(count) : nil
  }
}

package struct InputProblem: Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    case permission, failed
  }

  package var path: String
  package var kind: Kind
  /// The problem, and the remedy.
  package var description: String

  init(opening path: String, _ error: Errno) {
    self.path = path
    if error == .permissionDenied || error == .notPermitted {
      kind = .permission
      description = "no permission to open \(path): \(DeviceAccess.advice(for: path))"
    } else {
      kind = .failed
      description = "cannot open \(path): \(error)"
    }
  }
}
