// SPDX-License-Identifier: MIT

internal import Hotplug
internal import LinuxIO
internal import Motion
internal import SystemPackage

/// Finds devices of a kind among the kernel's input devices, now and whenever one is plugged in.
///
/// A thread of its own opens them. The driver of a device may be a program (uinput), and until it answers a
/// request, the kernel blocks everyone else who opens the device, for up to half a minute.
///
/// Between changes of the devices it costs no wake-up.
final class DeviceSearch<Device: Sendable> {
  /// More devices than a board has.
  private static var devices: Range<Int> { 0..<64 }

  private let folder: String
  private let known: () -> Set<String>
  private let open: @Sendable (String) -> Device?
  private let found: ([Device]) -> Void
  private let loop: EventLoop
  private let worker: Worker
  private var monitor: HotplugMonitor?
  /// Whether devices have come or gone since the present look began.
  private var isOutdated = false
  private var nextLook: EventLoop.Token?

  /// Looks in `folder` from now on, leaving out the paths in `known`. On the search's thread `open` tries
  /// each path, and returns nil for a device of another kind. `found` gets the others, from `loop`.
  init(
    in folder: String, on loop: EventLoop, except known: @escaping () -> Set<String>,
    open: @escaping @Sendable (String) -> Device?, found: @escaping ([Device]) -> Void
  ) throws(Errno) {
    self.folder = folder
    self.loop = loop
    self.known = known
    self.open = open
    self.found = found
    worker = try Worker(on: loop)
    monitor = HotplugMonitor(of: "input", on: loop) { [unowned self] in lookSoon() }
    look()
  }

  /// The paths of all devices that there may be in `folder`.
  static func paths(in folder: String) -> [String] { devices.map { "\(folder)/event\($0)" } }

  /// Looks when the devices have not changed for a second. libinput learns of a new one at the same time
  /// and opens it on the loop's thread, which must happen first: see above.
  private func lookSoon() {
    nextLook = loop.schedule(at: MonotonicClock.now + 1) { [unowned self] in look() }
  }

  private func look() {
    isOutdated = worker.load > 0
    guard !isOutdated else { return }
    let known = known()
    worker.run { [folder, open] in
      Self.paths(in: folder).filter { !known.contains($0) }.compactMap(open)
    } whenDone: { [unowned self] devices in
      found(devices)
      if isOutdated { look() }
    }
  }
}
