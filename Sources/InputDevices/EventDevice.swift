// SPDX-License-Identifier: MIT

internal import CRoundelEvdev
internal import Glibc
internal import RoundelInput

/// The events and capabilities of an open input device. C: `struct libevdev`. Only one thread may
/// use it at a time.
// Safe: the pointer is valid from `init` to `deinit`, and is only passed to libevdev.
@safe final class EventDevice: @unchecked Sendable {
  private let device: OpaquePointer

  /// Returns nil if the descriptor isn't an input device's. It must outlive the object.
  init?(on descriptor: CInt) {
    var device: OpaquePointer?
    // Writes the pointer that `deinit` frees.
    guard unsafe libevdev_new_from_fd(descriptor, &device) == 0, let device = unsafe device else {
      return nil
    }
    unsafe self.device = device
  }

  deinit {
    unsafe libevdev_free(device)
  }

  var name: String { unsafe String(cString: libevdev_get_name(device)) }

  func has(_ type: CInt, _ code: CInt) -> Bool {
    unsafe libevdev_has_event_code(device, UInt32(type), UInt32(code)) != 0
  }

  func has(property: CInt) -> Bool {
    unsafe libevdev_has_property(device, UInt32(property)) != 0
  }

  func value(ofAxis axis: CInt) -> Int {
    Int(unsafe libevdev_get_event_value(device, UInt32(EV_ABS), UInt32(axis)))
  }

  func isOn(_ number: CInt) -> Bool {
    unsafe libevdev_get_event_value(device, UInt32(EV_SW), UInt32(number)) != 0
  }

  /// Returns units per g or per millimetre, or 0 if the axis has no resolution.
  func resolution(ofAxis axis: CInt) -> Int {
    Int(unsafe libevdev_get_abs_resolution(device, UInt32(axis)))
  }

  /// The absolute axes with their ranges and resolutions.
  var axes: [String] {
    (0..<CInt(ABS_CNT)).filter { has(EV_ABS, $0) }.compactMap { axis in
      // Valid for the device's lifetime, like the name.
      guard let range = unsafe libevdev_get_abs_info(device, UInt32(axis)) else { return nil }
      let name =
        unsafe libevdev_event_code_get_name(UInt32(EV_ABS), UInt32(axis)).map {
          unsafe String(cString: $0)
        } ?? "axis \(axis)"
      let info = unsafe range.pointee
      return "\(name) \(info.minimum) … \(info.maximum), \(info.resolution) per mm"
    }
  }

  /// Takes the events exclusively until the descriptor is closed, unless another program has them.
  func takeEvents() { unsafe libevdev_grab(device, LIBEVDEV_GRAB) }

  /// Per call of `read`, so that a flood of events delays the loop by less than a frame.
  private static let maximumEvents = 1024

  /// If the kernel dropped events, libevdev replaces them with events that lead to the current
  /// state. Returns false after the device is removed.
  func read(_ body: (input_event) -> Void) -> Bool {
    var event = input_event()
    var flag = LIBEVDEV_READ_FLAG_NORMAL
    for _ in 0..<Self.maximumEvents {
      // Fills the local.
      let status = unsafe libevdev_next_event(device, flag.rawValue, &event)
      if status == -EAGAIN, flag == LIBEVDEV_READ_FLAG_SYNC {
        flag = LIBEVDEV_READ_FLAG_NORMAL
      } else if status < 0 {
        return status == -EAGAIN
      } else {
        if status == CInt(LIBEVDEV_READ_STATUS_SYNC.rawValue) { flag = LIBEVDEV_READ_FLAG_SYNC }
        body(event)
      }
    }
    return true
  }

  var isEncoder: Bool { Self.isEncoder { has($0, $1) } }

  /// Whether a device rotates, instead of moving in a plane like a mouse. The encoder driver uses
  /// the axis in the board's description: an absolute one, ABS_X by default, or a relative one.
  static func isEncoder(_ has: (_ type: CInt, _ axis: CInt) -> Bool) -> Bool {
    if scaleAxis(has) != nil { return true }
    return !(has(EV_REL, REL_X) && has(EV_REL, REL_Y))
      && EncoderReports.axes.contains { has(EV_REL, $0) }
  }

  /// Returns the absolute axis of a device without other axes, and without pen, touch or game
  /// buttons.
  private static func scaleAxis(_ has: (_ type: CInt, _ axis: CInt) -> Bool) -> CInt? {
    let axes = (0..<CInt(ABS_CNT)).filter { has(EV_ABS, $0) }
    let others = [BTN_TOUCH, BTN_TOOL_PEN, BTN_TOOL_FINGER, BTN_JOYSTICK, BTN_GAMEPAD, BTN_LEFT]
    // ABS_X … ABS_WHEEL, which excludes axes such as volume and distance.
    guard axes.count == 1, axes[0] <= CInt(ABS_WHEEL),
      !(0..<CInt(REL_CNT)).contains(where: { has(EV_REL, $0) }),
      !others.contains(where: { has(EV_KEY, $0) })
    else { return nil }
    return axes[0]
  }

  var encoderScale: EncoderReports.Scale? {
    guard let axis = Self.scaleAxis({ has($0, $1) }),
      let range = unsafe libevdev_get_abs_info(device, UInt32(axis))
    else { return nil }
    // Valid for the device's lifetime.
    return unsafe EncoderReports.Scale(
      axis: axis, minimum: Int(range.pointee.minimum), maximum: Int(range.pointee.maximum),
      value: Int(range.pointee.value))
  }

  var isKeyboard: Bool { KeyTracker.ownCodes.contains { has(EV_KEY, CInt($0)) } }
}
