// SPDX-License-Identifier: MIT

internal import CDRM
internal import LinuxIO
internal import Presentation
internal import SystemPackage

/// Reports when a card or cable is plugged in or out, after udev has set the device's permissions.
// Safe: both handles are made in `init` and given up in `deinit`, and used nowhere else.
@safe final class HotplugMonitor {
  private let udev: OpaquePointer
  private let monitor: OpaquePointer
  private var token: EventLoop.Token?

  /// nil where this machine has no such events to listen to.
  init?(on loop: EventLoop, _ handler: @escaping () -> Void) {
    guard let udev = unsafe udev_new() else { return nil }
    guard let monitor = unsafe udev_monitor_new_from_netlink(udev, "udev") else {
      unsafe udev_unref(udev)
      return nil
    }
    unsafe self.udev = udev
    unsafe self.monitor = monitor
    unsafe udev_monitor_filter_add_match_subsystem_devtype(monitor, "drm", "drm_minor")
    guard unsafe udev_monitor_enable_receiving(monitor) >= 0 else { return nil }
    token = try? loop.watch(unsafe udev_monitor_get_fd(monitor)) { [unowned self] _ in
      // A cable sets off several events at once; one look at the cards answers them all.
      while let device = unsafe udev_monitor_receive_device(self.monitor) {
        unsafe udev_device_unref(device)
      }
      handler()
    }
  }

  deinit {
    token = nil
    unsafe udev_monitor_unref(monitor)
    unsafe udev_unref(udev)
  }
}
