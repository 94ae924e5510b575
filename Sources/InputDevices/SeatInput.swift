// SPDX-License-Identifier: MIT

internal import CRoundelLibinput
internal import CRoundelUdev
package import RoundelControls
package import RoundelGeometry
internal import Glibc
package import RoundelInput
package import LinuxIO
package import RoundelMotion
internal import SystemPackage

/// The touchscreens, pointers and keyboards of this machine's seat, also those plugged in later.
///
/// Keyboards are used exclusively, so that text typed at a panel reaches no console. `Encoders`
/// handles encoders. `problems` contains devices that can't be opened.
// Safe: `context`, `interface` and `listener` are created in `init`, freed in `deinit` and not used
// elsewhere. libinput calls back only during calls made here, while `self` is alive.
@safe package final class SeatInput {
  /// The mapping from panel positions to the canvas. The owner keeps it up to date.
  package var mapping: PanelMapping {
    get { fingers.mapping }
    set { fingers.mapping = newValue }
  }

  /// In the order of their arrival.
  package var devices: [InputDevice] { known.map(\.device) }
  package private(set) var problems: [InputProblem] = []
  /// Receives libinput's messages, one line at a time.
  package var onMessage: ((String) -> Void)?
  /// Receives keys and mouse wheel rotations: towards the user counts as right.
  package var onKey: (KeyInput, Timestamp) -> Void = { _, _ in }
  /// Without a touchscreen, receives a moved pointer's position on the unrotated canvas, and nil
  /// after a touch.
  package var onPointer: (Point?) -> Void = { _ in }

  /// Replaces the handler. Changes cancel current touches.
  package var taker: ((InputEvent, Touchscreen) -> Void)? {
    didSet {
      let now = MonotonicClock.now
      for device in known {
        for touch in fingers.handle(.removed(device: device.number)) { handler(touch, now) }
      }
    }
  }

  private let loop: EventLoop
  private let handler: (CanvasTouch, Timestamp) -> Void
  private var fingers: FingerTracker
  private let takesKeys: Bool
  /// The devices of `Scanners`, which aren't keyboards. A change reopens all devices.
  package var scanners: [Scanner] {
    didSet {
      guard scanners != oldValue, !isSuspended else { return }
      isSuspended = true
      isSuspended = false
    }
  }
  private var keys = Keyboards(.ofThisMachine)
  /// The rotation of wheels since the last detent, in 1/120 detents.
  private var wheel = 0.0
  private var token: EventLoop.Token?
  /// The devices by address, which isn't reused before the removal is reported. A group's devices
  /// are parts of the same hardware.
  private var known:
    [(address: UInt, number: Int, group: UInt, descriptor: CInt?, device: InputDevice)] = []
  private var lastNumber = 0
  private var descriptors: [String: CInt] = [:]
  private var reportedProblems: Set<String> = []

  private let context: OpaquePointer
  /// libinput keeps a pointer to the table, so it must not be on the stack.
  private let interface: UnsafeMutablePointer<libinput_interface>
  /// Identifies this object in libinput's callbacks.
  private let listener: UnsafeMutablePointer<roundel_listener>

  /// - Parameters:
  ///   - takesKeys: Whether keyboards are used. Otherwise they are left alone.
  ///   - scanners: The devices that aren't keyboards.
  ///   - seat: The udev name of the seat.
  ///   - handler: Receives touches with the device's timestamp on the monotonic clock.
  package init(
    mapping: PanelMapping, takesKeys: Bool = false, except scanners: [Scanner] = [],
    seat: String = "seat0", on loop: EventLoop,
    _ handler: @escaping (CanvasTouch, Timestamp) -> Void
  ) throws(InputError) {
    guard let udev = unsafe udev_new() else { throw InputError("cannot connect to udev") }
    // libinput retains its own reference.
    defer { unsafe udev_unref(udev) }
    let interface = UnsafeMutablePointer<libinput_interface>.allocate(capacity: 1)
    unsafe interface.initialize(
      to: libinput_interface(
        open_restricted: { path, flags, data in
          guard let path = unsafe path else { return -EINVAL }
          // The context's user data, as set below.
          return unsafe SeatInput.from(data)?.open(String(cString: path), flags) ?? -ENODEV
        },
        close_restricted: { descriptor, data in
          unsafe SeatInput.from(data)?.forget(descriptor)
          close(descriptor)
        }))
    guard let context = unsafe libinput_udev_create_context(interface, nil, udev) else {
      unsafe interface.deallocate()
      throw InputError("cannot set up libinput")
    }
    let listener = UnsafeMutablePointer<roundel_listener>.allocate(capacity: 1)
    unsafe self.context = context
    unsafe self.interface = interface
    unsafe self.listener = listener
    self.loop = loop
    self.handler = handler
    self.takesKeys = takesKeys
    self.scanners = scanners
    fingers = FingerTracker(mapping: mapping)

    unsafe listener.initialize(
      to: roundel_listener(
        owner: Unmanaged.passUnretained(self).toOpaque(),
        tell: { listener, line in
          guard let line = unsafe line else { return }
          unsafe SeatInput.from(listener)?.log(String(cString: line))
        }))
    unsafe libinput_set_user_data(context, listener)
    unsafe libinput_log_set_priority(context, LIBINPUT_LOG_PRIORITY_INFO)
    unsafe roundel_tell_messages(context)
    guard unsafe libinput_udev_assign_seat(context, seat) == 0 else {
      throw InputError("cannot list the input devices of \(seat); udev may not be running")
    }
    do throws(Errno) {
      token = try loop.watch(unsafe libinput_get_fd(context), isDeferrable: true) {
        [unowned self] _ in dispatch()
      }
    } catch {
      throw InputError("cannot wait for input: \(error)")
    }
    // The existing devices are reported immediately.
    dispatch()
  }

  deinit {
    token = nil
    unsafe libinput_unref(context)
    unsafe interface.deallocate()
    unsafe listener.deallocate()
  }

  private static func from(_ listener: UnsafeMutableRawPointer?) -> SeatInput? {
    // Set in `init`. libinput isn't called with this context after `deinit`.
    guard let owner = unsafe listener?.load(as: roundel_listener.self).owner else { return nil }
    return unsafe Unmanaged<SeatInput>.fromOpaque(owner).takeUnretainedValue()
  }

  private func open(_ path: String, _ flags: CInt) -> CInt {
    problems.removeAll { $0.path == path }
    do throws(Errno) {
      let device = try OwnedDescriptor(opening: path, flags)
      if takesKeys, let events = EventDevice(on: device.rawValue) {
        if events.isEncoder { return -ENODEV }
        if events.isKeyboard, scanners.contains(where: { $0.matches(events.name) }) {
          return -ENODEV
        }
        if events.isKeyboard { events.takeEvents() }
      }
      let descriptor = device.release()
      descriptors[path] = descriptor
      return descriptor
    } catch {
      problems.append(InputProblem(opening: path, error))
      return -error.rawValue
    }
  }

  private func forget(_ descriptor: CInt) {
    if let path = descriptors.first(where: { $0.value == descriptor })?.key {
      descriptors[path] = nil
    }
  }

  /// Whether a device was unplugged, which is reported after the kernel lifts its fingers.
  private func isGone(_ descriptor: CInt) -> Bool {
    guard descriptors.values.contains(descriptor) else { return true }
    var state = pollfd(fd: descriptor, events: 0, revents: 0)
    // Reads and writes the one entry.
    return unsafe poll(&state, 1, 0) == 1 && state.revents & Int16(POLLHUP) != 0
  }

  private func log(_ text: String) {
    onMessage?(text.last == "\n" ? String(text.dropLast()) : text)
  }

  private func dispatch() {
    // Fails only if memory is exhausted. Unread events are reported again.
    unsafe libinput_dispatch(context)
    while let event = unsafe libinput_get_event(context) {
      unsafe handle(event)
      unsafe libinput_event_destroy(event)
    }
  }

  private func handle(_ event: OpaquePointer) {
    // The event and its device live until the event is destroyed.
    guard let device = unsafe libinput_event_get_device(event) else { return }
    switch unsafe libinput_event_get_type(event) {
    case LIBINPUT_EVENT_DEVICE_ADDED: unsafe add(device)
    case LIBINPUT_EVENT_DEVICE_REMOVED: unsafe remove(device)
    case LIBINPUT_EVENT_KEYBOARD_KEY: unsafe handleKey(event, of: device)
    case LIBINPUT_EVENT_POINTER_SCROLL_WHEEL: unsafe handleWheel(event)
    default:
      let address = UInt(bitPattern: device)
      guard
        let (_, number, group, descriptor, known) = known.first(where: { $0.address == address }),
        case (var meaning, let instant)? = unsafe translate(event, from: number)
      else { return }
      // If the device was unplugged, don't activate the control under the finger.
      if case .up(_, let slot) = meaning, let descriptor, isGone(descriptor) {
        meaning = .cancel(device: number, slot: slot)
      }
      if let taker, known.isTouchscreen {
        taker(meaning, Touchscreen(name: known.name, matrix: known.calibration ?? .identity))
        return
      }
      let twins = self.known.filter { $0.group == group && $0.number != number }.map(\.number)
      for touch in fingers.handle(meaning, twins: Set(twins)) { handler(touch, instant) }
      switch meaning {
      case .point, .push:
        if !self.known.contains(where: { $0.device.isTouchscreen }) {
          onPointer(fingers.pointer)
        }
      case .down: onPointer(nil)
      default: break
      }
    }
  }

  private func handleKey(_ event: OpaquePointer, of device: OpaquePointer) {
    let address = UInt(bitPattern: device)
    // The event type is a key's.
    guard takesKeys,
      let (_, number, _, descriptor, _) = known.first(where: { $0.address == address }),
      let event = unsafe libinput_event_get_keyboard_event(event)
    else { return }
    let isDown = unsafe libinput_event_keyboard_get_key_state(event) == LIBINPUT_KEY_STATE_PRESSED
    let code = Int(unsafe libinput_event_keyboard_get_key(event))
    // If the keyboard was unplugged, don't activate the control that a key holds.
    let cancelled =
      !isDown && descriptor.map(isGone) == true
      ? keys.cancel(device: number, code: code) : nil
    guard let input = cancelled ?? keys.handle(device: number, code: code, isDown: isDown) else {
      return
    }
    let time = unsafe libinput_event_keyboard_get_time_usec(event)
    onKey(input, Timestamp(microseconds: Int64(time)))
  }

  private func handleWheel(_ event: OpaquePointer) {
    // The event type is a pointer's.
    guard takesKeys, let event = unsafe libinput_event_get_pointer_event(event),
      unsafe libinput_event_pointer_has_axis(event, LIBINPUT_POINTER_AXIS_SCROLL_VERTICAL) != 0
    else { return }
    let parts = unsafe libinput_event_pointer_get_scroll_value_v120(
      event, LIBINPUT_POINTER_AXIS_SCROLL_VERTICAL)
    let time = Timestamp(
      microseconds: Int64(unsafe libinput_event_pointer_get_time_usec(event)))
    guard parts.isFinite else { return }
    // A change of direction starts another detent.
    wheel = min(max((wheel * parts < 0 ? 0 : wheel) + parts, -1e4), 1e4)
    let detents = Int(wheel / 120)
    wheel -= Double(detents) * 120
    for input in KeyInput.turns(detents) { onKey(input, time) }
  }

  /// Whether another program uses the devices. Suspending cancels current touches.
  package var isSuspended = false {
    didSet {
      guard isSuspended != oldValue else { return }
      if isSuspended {
        // Must happen before libinput lifts the fingers and keys, which would activate their
        // controls.
        let now = MonotonicClock.now
        for device in known {
          for touch in fingers.handle(.removed(device: device.number)) { handler(touch, now) }
          for key in keys.remove(device: device.number) { onKey(key, now) }
        }
        unsafe libinput_suspend(context)
      } else if unsafe libinput_resume(context) != 0 {
        onMessage?("cannot reopen the input devices")
      }
      dispatch()
    }
  }

  private func isKeyboard(_ device: OpaquePointer) -> Bool {
    takesKeys
      && KeyTracker.ownCodes.contains {
        unsafe libinput_device_keyboard_has_key(device, UInt32($0)) == 1
      }
  }

  private func add(_ device: OpaquePointer) {
    var description = unsafe InputDevice(device)
    let settings = DeviceSettings.ofThisMachine
    for problem in settings.problems where !reportedProblems.contains(problem) {
      reportedProblems.insert(problem)
      onMessage?(problem)
    }
    if description.isTouchscreen {
      if let calibration = settings[description.name]?.calibration {
        unsafe calibrate(device, calibration)
      }
      description.calibration = unsafe Self.calibration(of: device)
    }
    lastNumber += 1
    let group = unsafe UInt(bitPattern: libinput_device_get_device_group(device))
    let path = unsafe "/dev/input/" + String(cString: libinput_device_get_sysname(device))
    known.append((UInt(bitPattern: device), lastNumber, group, descriptors[path], description))
    if !description.isTouchscreen, !description.kinds.contains(.pointer),
      unsafe !isKeyboard(device)
    {
      // The keys of a power button would only cause unnecessary wake-ups.
      unsafe libinput_device_config_send_events_set_mode(
        device, UInt32(LIBINPUT_CONFIG_SEND_EVENTS_DISABLED.rawValue))
    }
    // On a touchpad, a tap is the closest equivalent of a touch. Other devices ignore this.
    unsafe libinput_device_config_tap_set_enabled(device, LIBINPUT_CONFIG_TAP_ENABLED)
  }

  package func calibrate(_ name: String, by matrix: TouchMatrix) {
    for index in known.indices where known[index].device.name == name {
      // A device lives until its removal is reported, which removes it from the list.
      guard let device = unsafe OpaquePointer(bitPattern: known[index].address) else { continue }
      unsafe calibrate(device, matrix)
      known[index].device.calibration = unsafe Self.calibration(of: device)
    }
  }

  private func calibrate(_ device: OpaquePointer, _ matrix: TouchMatrix) {
    var numbers = matrix.coefficients.map(Float.init)
    // Reads six numbers, which a matrix has.
    if unsafe libinput_device_config_calibration_set_matrix(device, &numbers)
      != LIBINPUT_CONFIG_STATUS_SUCCESS
    {
      unsafe onMessage?("\(InputDevice(device).name) cannot be calibrated")
    }
  }

  private static func calibration(of device: OpaquePointer) -> TouchMatrix? {
    var numbers = [Float](repeating: 0, count: 6)
    // Writes six numbers.
    guard unsafe libinput_device_config_calibration_get_matrix(device, &numbers) == 1 else {
      return nil
    }
    return try? TouchMatrix(numbers.map(Double.init))
  }

  private func remove(_ device: OpaquePointer) {
    let address = UInt(bitPattern: device)
    guard let index = known.firstIndex(where: { $0.address == address }) else { return }
    let number = known.remove(at: index).number
    let now = MonotonicClock.now
    for key in keys.remove(device: number) { onKey(key, now) }
    for touch in fingers.handle(.removed(device: number)) { handler(touch, now) }
  }
}

package struct InputError: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) {
    self.description = description
  }
}

private func translate(
  _ event: OpaquePointer, from device: Int
) -> (InputEvent, Timestamp)? {
  func touched(_ event: OpaquePointer) -> (slot: Int, instant: Timestamp) {
    (
      Int(unsafe libinput_event_touch_get_slot(event)),
      Timestamp(microseconds: Int64(unsafe libinput_event_touch_get_time_usec(event)))
    )
  }
  func place(_ event: OpaquePointer) -> Point {
    unsafe Point(
      libinput_event_touch_get_x_transformed(event, 1),
      libinput_event_touch_get_y_transformed(event, 1))
  }
  // Each getter below belongs to the event type that it is called for.
  let type = unsafe libinput_event_get_type(event)
  switch type {
  case LIBINPUT_EVENT_TOUCH_DOWN, LIBINPUT_EVENT_TOUCH_MOTION, LIBINPUT_EVENT_TOUCH_UP,
    LIBINPUT_EVENT_TOUCH_CANCEL:
    guard let event = unsafe libinput_event_get_touch_event(event) else { return nil }
    let (slot, instant) = unsafe touched(event)
    let meaning: InputEvent =
      switch type {
      case LIBINPUT_EVENT_TOUCH_DOWN: unsafe .down(device: device, slot: slot, at: place(event))
      case LIBINPUT_EVENT_TOUCH_MOTION: unsafe .move(device: device, slot: slot, to: place(event))
      case LIBINPUT_EVENT_TOUCH_UP: .up(device: device, slot: slot)
      default: .cancel(device: device, slot: slot)
      }
    return (meaning, instant)
  case LIBINPUT_EVENT_POINTER_MOTION, LIBINPUT_EVENT_POINTER_MOTION_ABSOLUTE,
    LIBINPUT_EVENT_POINTER_BUTTON:
    guard let event = unsafe libinput_event_get_pointer_event(event) else { return nil }
    let instant = unsafe Timestamp(
      microseconds: Int64(libinput_event_pointer_get_time_usec(event)))
    switch type {
    case LIBINPUT_EVENT_POINTER_MOTION:
      let offset = unsafe Vector(
        libinput_event_pointer_get_dx(event), libinput_event_pointer_get_dy(event))
      return (.push(device: device, by: offset), instant)
    case LIBINPUT_EVENT_POINTER_MOTION_ABSOLUTE:
      let place = unsafe Point(
        libinput_event_pointer_get_absolute_x_transformed(event, 1),
        libinput_event_pointer_get_absolute_y_transformed(event, 1))
      return (.point(device: device, at: place), instant)
    default:
      // 0x110 is BTN_LEFT in linux/input-event-codes.h, a pointer's primary button.
      guard unsafe libinput_event_pointer_get_button(event) == 0x110 else { return nil }
      let state = unsafe libinput_event_pointer_get_button_state(event)
      return (.button(device: device, isDown: state == LIBINPUT_BUTTON_STATE_PRESSED), instant)
    }
  case LIBINPUT_EVENT_TABLET_TOOL_TIP, LIBINPUT_EVENT_TABLET_TOOL_AXIS:
    guard let event = unsafe libinput_event_get_tablet_tool_event(event) else { return nil }
    let instant = unsafe Timestamp(
      microseconds: Int64(libinput_event_tablet_tool_get_time_usec(event)))
    let place = unsafe Point(
      libinput_event_tablet_tool_get_x_transformed(event, 1),
      libinput_event_tablet_tool_get_y_transformed(event, 1))
    // A pen has no slot. While it hovers, its moves are ignored like moves of an unknown touch.
    guard type == LIBINPUT_EVENT_TABLET_TOOL_TIP else {
      return (.move(device: device, slot: -1, to: place), instant)
    }
    let state = unsafe libinput_event_tablet_tool_get_tip_state(event)
    return state == LIBINPUT_TABLET_TOOL_TIP_DOWN
      ? (.down(device: device, slot: -1, at: place), instant)
      : (.up(device: device, slot: -1), instant)
  default: return nil
  }
}
