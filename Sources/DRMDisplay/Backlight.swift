// SPDX-License-Identifier: MIT

internal import Glibc
internal import LinuxIO
package import SystemPackage

/// The lights behind the machine's panels. Source: Documentation/ABI/stable/sysfs-class-backlight in the
/// kernel's tree.
package struct Backlight {
  private let folder: String
  /// The brightness that was set last.
  private var level: Double?
  private var isOn: Bool?

  /// The lights in `folder`. Each has a folder of its own there.
  package init(in folder: String = "/sys/class/backlight") {
    self.folder = folder
  }

  /// The names of the lights, in order; none where the machine has no such panel, or no driver for it.
  package var names: [String] { Folder.names(in: folder).sorted() }

  /// Whether this process may set a light.
  package func isWritable(_ name: String) -> Bool {
    Files.isWritable("\(folder)/\(name)/brightness")
  }

  /// Turns all lights on or off, and sets how bright they are, 0 … 1. Where that is nil they stay as
  /// bright as they are. Does nothing if the last call had the same arguments.
  ///
  /// A process that was killed while the panel slept has left its light off, so the first call looks.
  package mutating func set(_ level: Double?, isOn: Bool) throws(Errno) {
    let (isDimmed, isSwitched) = (level != self.level, isOn != self.isOn)
    (self.level, self.isOn) = (level, isOn)
    guard isDimmed || isSwitched else { return }
    var failure: Errno?
    for name in names {
      do throws(Errno) {
        if isDimmed, let level {
          let maximum = try read("\(name)/max_brightness")
          guard maximum > 0 else { throw Errno.invalidArgument }
          // Some drivers take 0 for off.
          let value = max(1, Int((min(max(level, 0), 1) * Double(maximum)).rounded()))
          try write(value, to: "\(name)/brightness")
        }
        // FB_BLANK_UNBLANK and FB_BLANK_POWERDOWN.
        let power = isOn ? 0 : 4
        if isSwitched, try read("\(name)/bl_power") != power {
          try write(power, to: "\(name)/bl_power")
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  private func read(_ file: String) throws(Errno) -> Int {
    let bytes = try OwnedDescriptor(opening: "\(folder)/\(file)", O_RDONLY).receive(upTo: 32)
    let text = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first ?? ""
    guard let number = Int(text), number >= 0, number <= 1 << 30 else { throw .invalidArgument }
    return number
  }

  private func write(_ value: Int, to file: String) throws(Errno) {
    let descriptor = try OwnedDescriptor(opening: "\(folder)/\(file)", O_WRONLY | O_TRUNC)
    let bytes = Array("\(value)\n".utf8)
    // The array lives until the call returns. A driver takes a number whole or not at all.
    _ = try retryingOnInterrupt {
      unsafe bytes.withUnsafeBytes {
        unsafe Glibc.write(descriptor.rawValue, $0.baseAddress, $0.count)
      }
    }
  }
}
