// SPDX-License-Identifier: MIT

internal import CRoundelLinux
package import RoundelControls
package import RoundelGeometry
internal import Glibc
internal import LinuxIO
internal import SystemPackage

/// A multitouch screen created through uinput. The kernel handles its touches like touches on
/// hardware.
package final class VirtualTouchscreen: Touchscreen {
  private let device: OwnedDescriptor
  private let size: PixelSize
  private var fingers: Set<Int> = []
  private var lastTrackingID: Int32 = 0

  private static let path = "/dev/uinput"
  private static let slots = 10

  /// Creates a touchscreen of `size` pixels. The kernel limits `name` to 79 bytes.
  package init(name: String, size: PixelSize) throws(TouchscreenError) {
    self.size = size
    do throws(Errno) {
      // Swift adds a zero byte to the path.
      let device = OwnedDescriptor(
        adopting: try retryingOnInterrupt { unsafe open(Self.path, O_WRONLY | O_CLOEXEC) })
      try Self.describe(device.rawValue, name: name, size: size)
      self.device = device
    } catch {
      throw Self.error(error)
    }
  }

  private static func error(_ error: Errno) -> TouchscreenError {
    switch error {
    case .noSuchFileOrDirectory, .noSuchAddressOrDevice, .operationNotSupportedByDevice:
      TouchscreenError(
        "there is no \(path): the kernel module is not loaded; run modprobe uinput")
    case .permissionDenied, .notPermitted:
      TouchscreenError(
        "no permission to open \(path): run as root, or give the group roundel access "
          + "(see /usr/share/roundel/uinput)", isPermission: true)
    default: TouchscreenError("cannot create a touchscreen with \(path): \(error)")
    }
  }

  /// The requests are documented in linux/uinput.h.
  private static func describe(_ device: CInt, name: String, size: PixelSize) throws(Errno) {
    func allow(_ request: UInt, _ value: CInt) throws(Errno) {
      try retryingOnInterrupt { ioctl(device, request, value) }
    }
    try allow(roundel_UI_SET_EVBIT, EV_KEY)
    try allow(roundel_UI_SET_EVBIT, EV_ABS)
    try allow(roundel_UI_SET_KEYBIT, BTN_TOUCH)
    // Touches on the device are touches on its picture.
    try allow(roundel_UI_SET_PROPBIT, INPUT_PROP_DIRECT)
    let axes: [(CInt, Int)] = [
      (ABS_MT_SLOT, slots - 1), (ABS_MT_TRACKING_ID, 65535),
      (ABS_MT_POSITION_X, size.width - 1), (ABS_MT_POSITION_Y, size.height - 1),
    ]
    for (axis, maximum) in axes {
      try allow(roundel_UI_SET_ABSBIT, axis)
      var setup = uinput_abs_setup()
      setup.code = UInt16(axis)
      setup.absinfo.maximum = Int32(maximum)
      // The kernel reads `setup` during the call, here and below.
      try retryingOnInterrupt { unsafe ioctl(device, roundel_UI_ABS_SETUP, &setup) }
    }
    var setup = uinput_setup()
    setup.id.bustype = UInt16(BUS_VIRTUAL)
    unsafe withUnsafeMutableBytes(of: &setup.name) { bytes in
      // The last byte stays zero.
      unsafe bytes.copyBytes(from: name.utf8.prefix(bytes.count - 1))
    }
    try retryingOnInterrupt { unsafe ioctl(device, roundel_UI_DEV_SETUP, &setup) }
    try retryingOnInterrupt { ioctl(device, roundel_UI_DEV_CREATE) }
  }

  deinit {
    _ = ioctl(device.rawValue, roundel_UI_DEV_DESTROY)
  }

  package func touch(_ touches: [Touch]) throws(TouchscreenError) {
    var events: [input_event] = []
    func add(_ type: CInt, _ code: CInt, _ value: Int32) {
      var event = input_event()
      event.type = UInt16(type)
      event.code = UInt16(code)
      event.value = value
      events.append(event)
    }
    func place(_ coordinate: Double, _ count: Int) -> Int32 {
      Int32(min(max(coordinate.rounded(.down), 0), Double(count - 1)))
    }
    let wereDown = !fingers.isEmpty
    for touch in touches where (0..<Self.slots).contains(touch.finger) {
      guard (touch.phase == .down) != fingers.contains(touch.finger) else { continue }
      add(EV_ABS, ABS_MT_SLOT, Int32(touch.finger))
      switch touch.phase {
      case .down:
        fingers.insert(touch.finger)
        lastTrackingID = (lastTrackingID + 1) % 65536
        add(EV_ABS, ABS_MT_TRACKING_ID, lastTrackingID)
      case .move: break
      case .up, .cancel:
        fingers.remove(touch.finger)
        add(EV_ABS, ABS_MT_TRACKING_ID, -1)
        continue
      }
      add(EV_ABS, ABS_MT_POSITION_X, place(touch.position.x, size.width))
      add(EV_ABS, ABS_MT_POSITION_Y, place(touch.position.y, size.height))
    }
    guard !events.isEmpty else { return }
    if wereDown == fingers.isEmpty { add(EV_KEY, BTN_TOUCH, fingers.isEmpty ? 0 : 1) }
    add(EV_SYN, SYN_REPORT, 0)
    do {
      // The kernel accepts all events of a write or none, and sets their time.
      _ = try unsafe events.withUnsafeBytes { bytes in
        try unsafe FileDescriptor(rawValue: device.rawValue).writeAll(bytes)
      }
    } catch {
      throw TouchscreenError("cannot send a touch: \(error)")
    }
  }
}
