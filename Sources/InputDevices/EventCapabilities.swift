// SPDX-License-Identifier: MIT

internal import CLinux
internal import Glibc

/// The keys and axes of an input device, as the kernel says.
struct EventCapabilities {
  var keys = CapabilityBits(count: Int(KEY_CNT))
  var relativeAxes = CapabilityBits(count: 64)

  init() {}

  /// Those of an open device; none where it is no input device.
  init(of device: CInt) {
    // Both write at most the size in their number: that of KEY_CNT bits, and of 64.
    _ = unsafe ioctl(device, roundel_EVIOCGBIT_KEY, &keys.words)
    _ = unsafe ioctl(device, roundel_EVIOCGBIT_REL, &relativeAxes.words)
  }

  /// Whether it is a rotary encoder or a knob: it turns, and does not move in a plane as a mouse does.
  /// The driver of encoders reports any axis that the board's description names, REL_X by default.
  var isEncoder: Bool {
    let moves = relativeAxes.contains(Int(REL_X)) && relativeAxes.contains(Int(REL_Y))
    return !moves && EncoderReports.axes.contains { relativeAxes.contains($0) }
  }

  /// Whether it has keys that a console would take.
  var isKeyboard: Bool { KeyTracker.ownCodes.contains { keys.contains($0) } }
}
