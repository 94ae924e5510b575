// SPDX-License-Identifier: MIT

internal import Glibc
internal import LinuxIO
package import RoundelMotion
internal import SystemPackage

/// The machine's backlights. Source: Documentation/ABI/stable/sysfs-class-backlight in the kernel's
/// tree.
package struct Backlight {
  private let folder: String
  private var lights: [Light] = []
  private var wanted: Wanted?
  private var nextTry: Timestamp?

  private struct Wanted: Equatable {
    var level: Double?
    var isOn: Bool
  }

  private struct Light {
    var name: String
    var level = HeldState<Double, Errno>()
    var power = HeldState<Bool, Errno>()

    var failure: Errno? { level.failure ?? power.failure }
  }

  /// - Parameter folder: The folder with a directory for each backlight.
  package init(in folder: String = "/sys/class/backlight") {
    self.folder = folder
  }

  /// Sorted. Empty if there aren't any backlights with a driver.
  package var names: [String] { Folder.names(in: folder).sorted() }

  package func isWritable(_ name: String) -> Bool {
    Files.isWritable("\(folder)/\(name)/brightness")
  }

  /// Keeps all backlights on or off, at `level` (0 … 1) or unchanged if nil. Returns the time of
  /// the next attempt after a failure.
  ///
  /// A process killed while the panel slept leaves its backlight off, so the first call checks.
  package mutating func hold(_ level: Double?, isOn: Bool, at now: Timestamp) -> Timestamp? {
    let wanted = Wanted(level: level, isOn: isOn)
    guard wanted != self.wanted || nextTry.map({ $0 <= now }) ?? false else { return nextTry }
    self.wanted = wanted
    lights = names.map { name in lights.first { $0.name == name } ?? Light(name: name) }
    nextTry = lights.indices.compactMap { set(&lights[$0], to: wanted, at: now) }.min()
    return nextTry
  }

  /// Makes the next call of `hold` look for new backlights.
  package mutating func searchAgain() { wanted = nil }

  package var problems: [String] {
    lights.compactMap { light in
      light.failure.map {
        "cannot set the backlight \(light.name): \($0); see roundel doctor"
      }
    }
  }

  /// Returns the time of the next attempt after a failure.
  private func set(_ light: inout Light, to wanted: Wanted, at now: Timestamp) -> Timestamp? {
    let name = light.name
    var tries: [Timestamp?] = []
    if let level = wanted.level {
      tries.append(
        light.level.hold(level, at: now) { level throws(Errno) in
          let maximum = try read("\(name)/max_brightness")
          guard maximum > 0 else { throw Errno.invalidArgument }
          // Some drivers interpret 0 as off.
          let value = max(1, Int((min(max(level, 0), 1) * Double(maximum)).rounded()))
          try write(value, to: "\(name)/brightness")
        })
    } else {
      light.level = HeldState()
    }
    tries.append(
      light.power.hold(wanted.isOn, at: now) { isOn throws(Errno) in
        // FB_BLANK_UNBLANK and FB_BLANK_POWERDOWN.
        let power = isOn ? 0 : 4
        if try read("\(name)/bl_power") != power { try write(power, to: "\(name)/bl_power") }
      })
    return tries.compactMap(\.self).min()
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
    // The array lives until the call returns. A driver accepts the whole number or nothing.
    _ = try retryingOnInterrupt {
      unsafe bytes.withUnsafeBytes {
        unsafe Glibc.write(descriptor.rawValue, $0.baseAddress, $0.count)
      }
    }
  }
}
