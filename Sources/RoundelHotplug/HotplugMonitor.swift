// SPDX-License-Identifier: MIT

internal import CRoundelUdev
package import LinuxIO

/// Reports added, removed or changed devices, after udev has set their permissions.
// Safe: both handles are created in `init`, released in `deinit`, and not used elsewhere.
@safe package final class HotplugMonitor {
  private let udev: OpaquePointer
  private let monitor: OpaquePointer
  private var token: EventLoop.Token?

  /// `subsystem` and `deviceType` are the kernel's. Returns nil if udev isn't available.
  package init?(
    of subsystem: String, _ deviceType: String? = nil, on loop: EventLoop,
    _ handler: @escaping () -> Void
  ) {
    guard let udev = unsafe udev_new() else { return nil }
    guard let monitor = unsafe udev_monitor_new_from_netlink(udev, "udev") else {
      unsafe udev_unref(udev)
      return nil
    }
    unsafe self.udev = udev
    unsafe self.monitor = monitor
    unsafe udev_monitor_filter_add_match_subsystem_devtype(monitor, subsystem, deviceType)
    guard unsafe udev_monitor_enable_receiving(monitor) >= 0 else { return nil }
    token = try? loop.watch(unsafe udev_monitor_get_fd(monitor)) { [unowned self] _ in
      // Plugging in causes several events at once. One handler call is sufficient.
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
