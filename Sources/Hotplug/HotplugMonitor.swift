// SPDX-License-Identifier: MIT

internal import CUdev
package import LinuxIO

/// Reports when devices of a kind come, go or change, after udev has set their permissions.
// Safe: both handles are made in `init` and given up in `deinit`, and used nowhere else.
@safe package final class HotplugMonitor {
  private let udev: OpaquePointer
  private let monitor: OpaquePointer
  private var token: EventLoop.Token?

  /// Listens to the events of `subsystem`, and of `deviceType` alone where one is given, as the kernel
  /// names them. nil where this machine has no such events to listen to.
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
      // Plugging in causes several events together; one look at the devices handles them all.
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
