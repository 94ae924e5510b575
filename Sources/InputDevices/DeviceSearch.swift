// SPDX-License-Identifier: MIT

internal import RoundelHotplug
internal import LinuxIO
internal import RoundelMotion
internal import SystemPackage

/// Finds devices of one kind, at startup and whenever one is plugged in.
///
/// A separate thread opens them: until a device's driver responds, which may be a program (uinput),
/// the kernel blocks all processes that open it, for up to half a minute.
///
/// Causes no wake-ups unless devices change.
final class DeviceSearch<Device: Sendable> {
  /// More devices than any board has.
  private static var devices: Range<Int> { 0..<64 }

  private let folder: String
  private let known: () -> Set<String>
  private let open: @Sendable (String) -> Device?
  private let found: ([Device]) -> Void
  private let loop: EventLoop
  private let worker: Worker
  private var monitor: HotplugMonitor?
  private var isOutdated = false
  private var nextScan: EventLoop.Token?

  /// Excludes the paths in `known`. On the search's thread, `open` returns nil for devices of other
  /// kinds. `found` gets the rest on `loop`.
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
    monitor = HotplugMonitor(of: "input", on: loop) { [unowned self] in scheduleScan() }
    scan()
  }

  static func paths(in folder: String) -> [String] { devices.map { "\(folder)/event\($0)" } }

  /// Waits for a second without changes, because libinput must first open a new device on the
  /// loop's thread.
  private func scheduleScan() {
    nextScan = loop.schedule(at: MonotonicClock.now + 1) { [unowned self] in scan() }
  }

  private func scan() {
    isOutdated = worker.load > 0
    guard !isOutdated else { return }
    let known = known()
    worker.run { [folder, open] in
      Self.paths(in: folder).filter { !known.contains($0) }.compactMap(open)
    } whenDone: { [unowned self] devices in
      found(devices)
      if isOutdated { scan() }
    }
  }
}
