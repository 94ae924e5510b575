// SPDX-License-Identifier: MIT

internal import CRoundelEvdev
internal import Glibc
internal import LinuxIO
internal import SystemPackage

/// An input device with haptic feedback: a vibration motor under the panel, or a game pad (Linux,
/// Documentation/input/ff.rst).
package final class HapticDevice: Sendable {
  package let path: String
  package let name: String
  private let descriptor: OwnedDescriptor

  package static func all(in folder: String = "/dev/input") -> [HapticDevice] {
    DeviceSearch<HapticDevice>.paths(in: folder).compactMap(HapticDevice.init)
  }

  init?(path: String) {
    // A device with periodic effects also reports this one, which the kernel emulates.
    guard let opened = try? OwnedDescriptor(opening: path, O_RDWR | O_NONBLOCK),
      let device = EventDevice(on: opened.rawValue), device.has(EV_FF, FF_RUMBLE)
    else { return nil }
    name = device.name
    self.path = path
    descriptor = opened
  }

  /// The file of an unplugged device has no name any more.
  var isPresent: Bool {
    var information = stat()
    // Fills the local.
    return unsafe fstat(descriptor.rawValue, &information) == 0 && information.st_nlink > 0
  }

  /// Returns the effect's number. A program's device (uinput) may respond slowly.
  func uploadTick() throws(Errno) -> UInt16 {
    var effect = unsafe ff_effect()
    unsafe effect.type = UInt16(FF_RUMBLE)
    // The kernel chooses the number.
    unsafe effect.id = -1
    unsafe effect.replay.length = Tick.milliseconds
    // The union's member for this type. The weak motor is faster.
    unsafe effect.u.rumble = ff_rumble_effect(
      strong_magnitude: Tick.strongMagnitude, weak_magnitude: Tick.weakMagnitude)
    // Reads the effect and writes its number into it before returning.
    try retryingOnInterrupt { unsafe ioctl(descriptor.rawValue, roundel_EVIOCSFF, &effect) }
    return UInt16(bitPattern: unsafe effect.id)
  }

  /// Never blocks.
  func play(_ effect: UInt16) throws(Errno) {
    var event = input_event()
    event.type = UInt16(EV_FF)
    event.code = effect
    event.value = 1
    // The kernel copies the event, whose size is passed.
    try retryingOnInterrupt {
      unsafe write(descriptor.rawValue, &event, MemoryLayout<input_event>.size)
    }
  }
}
