// SPDX-License-Identifier: MIT

internal import CRoundelEvdev
internal import Glibc
package import LinuxIO
package import SystemPackage

/// Reports whether a headset is plugged in, according to the kernel's switches (Linux,
/// Documentation/input/event-codes.rst: SW_HEADPHONE_INSERT).
///
/// Causes no wake-ups between changes.
package final class HeadsetJacks {
  private final class Jack: Sendable {
    let path: String
    let descriptor: OwnedDescriptor
    let device: EventDevice

    init?(_ path: String) {
      guard let opened = try? OwnedDescriptor(opening: path, O_RDONLY | O_NONBLOCK),
        let device = EventDevice(on: opened.rawValue), device.has(EV_SW, SW_HEADPHONE_INSERT)
      else { return nil }
      self.path = path
      self.device = device
      descriptor = opened
    }

    /// Returns whether a headset is plugged in, or nil after the device is removed.
    func read() -> Bool? {
      device.read { _ in } ? device.isOn(SW_HEADPHONE_INSERT) : nil
    }
  }

  private let loop: EventLoop
  private let onChange: (_ isIn: Bool) -> Void
  private var jacks: [(jack: Jack, isIn: Bool, token: EventLoop.Token)] = []
  private var search: DeviceSearch<Jack>?
  private var isIn = false

  /// - Parameter onChange: Called whenever a headset is plugged in, or the last one is unplugged.
  package init(
    in folder: String = "/dev/input", on loop: EventLoop, onChange: @escaping (_ isIn: Bool) -> Void
  ) throws(Errno) {
    self.loop = loop
    self.onChange = onChange
    search = try DeviceSearch(in: folder, on: loop) { [unowned self] in
      Set(jacks.map(\.jack.path))
    } open: { path in
      Jack(path)
    } found: { [unowned self] found in
      for jack in found { add(jack) }
      notify()
    }
  }

  private func add(_ jack: Jack) {
    guard
      let token = try? loop.watch(
        jack.descriptor.rawValue,
        { [unowned self, unowned jack] _ in
          follow(jack)
        })
    else { return }
    jacks.append((jack, jack.device.isOn(SW_HEADPHONE_INSERT), token))
  }

  private func follow(_ jack: Jack) {
    guard let place = jacks.firstIndex(where: { $0.jack === jack }) else { return }
    if let isIn = jack.read() { jacks[place].isIn = isIn } else { jacks.remove(at: place) }
    notify()
  }

  private func notify() {
    let isIn = jacks.contains(where: \.isIn)
    guard isIn != self.isIn else { return }
    self.isIn = isIn
    onChange(isIn)
  }
}
