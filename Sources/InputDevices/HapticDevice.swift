// SPDX-License-Identifier: MIT

internal import CLinux
internal import Glibc
internal import LinuxIO
internal import SystemPackage

/// The capabilities of a device by `EVIOCGBIT`: one bit for each code, in machine words.
struct CapabilityBits {
  var words: [UInt]

  /// Room for `count` codes, of which none is set.
  init(count: Int) {
    words = [UInt](repeating: 0, count: (count + UInt.bitWidth - 1) / UInt.bitWidth)
  }

  func contains(_ code: Int) -> Bool {
    let (word, bit) = code.quotientAndRemainder(dividingBy: UInt.bitWidth)
    return words.indices.contains(word) && words[word] & 1 << UInt(bit) != 0
  }
}

/// An input device that can be felt: a vibration motor under the panel, a game pad (Linux,
/// Documentation/input/ff.rst).
package final class HapticDevice: Sendable {
  /// Its device file.
  package let path: String
  /// The kernel's name for people.
  package let name: String
  private let descriptor: OwnedDescriptor

  /// The haptic devices in `folder` that may be opened.
  package static func all(in folder: String = "/dev/input") -> [HapticDevice] {
    DeviceSearch<HapticDevice>.paths(in: folder).compactMap(HapticDevice.init)
  }

  init?(path: String) {
    guard let opened = try? OwnedDescriptor(opening: path, O_RDWR | O_NONBLOCK) else { return nil }
    var bits = CapabilityBits(count: Int(FF_CNT))
    // Writes at most the size in its number, that of FF_CNT bits. A device with periodic effects also
    // reports this one, which the kernel emulates.
    guard unsafe ioctl(opened.rawValue, roundel_EVIOCGBIT_FF, &bits.words) >= 0,
      bits.contains(Int(FF_RUMBLE))
    else { return nil }
    var letters = [CChar](repeating: 0, count: 256)
    // Writes no more than the size in its number, 256; a device without a name is an error.
    _ = unsafe ioctl(opened.rawValue, roundel_EVIOCGNAME, &letters)
    name = String(
      decoding: letters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    self.path = path
    descriptor = opened
  }

  /// Whether it has not been unplugged: its file has a name still.
  var isPresent: Bool {
    var information = stat()
    // Fills the local.
    return unsafe fstat(descriptor.rawValue, &information) == 0 && information.st_nlink > 0
  }

  /// Gives the device the effect of a tick and answers its number. A device made by a program
  /// (uinput) may take long to answer.
  func uploadTick() throws(Errno) -> UInt16 {
    var effect = unsafe ff_effect()
    unsafe effect.type = UInt16(FF_RUMBLE)
    // The kernel chooses the number.
    unsafe effect.id = -1
    unsafe effect.replay.length = Tick.milliseconds
    // The member of the union that belongs to the type. The weak motor is the quicker one.
    unsafe effect.u.rumble = ff_rumble_effect(
      strong_magnitude: Tick.strongMagnitude, weak_magnitude: Tick.weakMagnitude)
    // Reads the effect and writes its number into it before it returns.
    try retryingOnInterrupt { unsafe ioctl(descriptor.rawValue, roundel_EVIOCSFF, &effect) }
    return UInt16(bitPattern: unsafe effect.id)
  }

  /// Plays an uploaded effect from its beginning. Never waits.
  func play(_ effect: UInt16) throws(Errno) {
    var event = input_event()
    event.type = UInt16(EV_FF)
    event.code = effect
    event.value = 1
    // The kernel copies the event, whose size is given.
    try retryingOnInterrupt {
      unsafe write(descriptor.rawValue, &event, MemoryLayout<input_event>.size)
    }
  }
}
