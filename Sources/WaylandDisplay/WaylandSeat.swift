// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelGeometry
internal import RoundelInput
internal import LinuxIO
internal import RoundelMotion

final class WaylandSeat {
  let global: UInt32
  private(set) var name = ""
  private let proxy: WaylandProxy
  private var touch: WaylandProxy?
  private var pointer: WaylandProxy?
  private var keyboard: WaylandProxy?
  private var keys = KeyTracker()
  private var held = HeldKeys()
  private var keymap: Keymap?
  /// Positions are relative to these sides.
  var surfaceSize = PixelSize(1, 1)
  /// Receives touch and pointer input. The device is the number of the global, negated for the
  /// pointer.
  var onInput: (InputEvent, Timestamp) -> Void = { _, _ in }
  var onKey: (KeyInput, Timestamp) -> Void = { _, _ in }
  /// Called when the pointer enters the surface and needs a cursor.
  var onEnter: (_ pointer: WaylandProxy, _ serial: UInt32) -> Void = { _, _ in }

  init(_ global: UInt32, _ proxy: WaylandProxy) {
    self.global = global
    self.proxy = proxy
    proxy.onEvent = { [weak self] in self?.handle($0) }
  }

  deinit {
    release(&touch)
    release(&pointer)
    release(&keyboard)
    proxy.destroy(by: proxy.version >= 5 ? "release" : nil)
  }

  var hasTouch: Bool { touch != nil }

  var description: String {
    let kinds = [
      touch.map { _ in "touch" }, pointer.map { _ in "pointer" }, keyboard.map { _ in "keyboard" },
    ].compactMap { $0 }
    return (name.isEmpty ? "seat \(global)" : name)
      + (kinds.isEmpty ? "" : " (\(kinds.joined(separator: ", ")))")
  }

  /// Ends all touches after the seat or the surface was removed.
  func cancel() {
    releaseKeys()
    let now = MonotonicClock.now
    onInput(.removed(device: device), now)
    onInput(.removed(device: pointerDevice), now)
  }

  private var device: Int { Int(global) }
  private var pointerDevice: Int { -Int(global) }
  /// The keyboard has no touches.
  private var keyboardDevice: Int { Int(global) << 32 }

  private func release(_ proxy: inout WaylandProxy?) {
    guard let old = proxy else { return }
    old.destroy(by: old.version >= 3 ? "release" : nil)
    proxy = nil
  }

  private func handle(_ event: WaylandEvent) {
    switch event.name {
    case "name": name = event.string(0)
    case "capabilities":
      // A mask of `enum wl_seat_capability`.
      let kinds = event.uint(0)
      if kinds & 2 == 0 { releaseKeys() }
      set(&pointer, kinds & 1 != 0, "get_pointer", .pointer, pointerDevice) { [weak self] in
        self?.handlePointer($0)
      }
      set(&keyboard, kinds & 2 != 0, "get_keyboard", .keyboard, keyboardDevice) { [weak self] in
        self?.handleKey($0)
      }
      set(&touch, kinds & 4 != 0, "get_touch", .touch, device) { [weak self] in
        self?.handleTouch($0)
      }
    default: break
    }
  }

  private func set(
    _ proxy: inout WaylandProxy?, _ isThere: Bool, _ request: String,
    _ interface: WaylandInterface, _ device: Int, _ handler: @escaping (WaylandEvent) -> Void
  ) {
    if !isThere, proxy != nil {
      release(&proxy)
      onInput(.removed(device: device), MonotonicClock.now)
    } else if isThere, proxy == nil {
      proxy = self.proxy.create(request, interface, .newObject)
      proxy?.onEvent = handler
    }
  }

  private func place(_ x: Double, _ y: Double) -> Point {
    Point(x / Double(surfaceSize.width), y / Double(surfaceSize.height))
  }

  private func handleTouch(_ event: WaylandEvent) {
    switch event.name {
    case "down":
      let place = place(event.fixed(4), event.fixed(5))
      onInput(.down(device: device, slot: event.int(3), at: place), time(event.uint(1)))
    case "motion":
      let place = place(event.fixed(2), event.fixed(3))
      onInput(.move(device: device, slot: event.int(1), to: place), time(event.uint(0)))
    case "up": onInput(.up(device: device, slot: event.int(2)), time(event.uint(1)))
    case "cancel": onInput(.removed(device: device), MonotonicClock.now)
    default: break
    }
  }

  private func handleKey(_ event: WaylandEvent) {
    switch event.name {
    case "keymap":
      // 1 is XKB's text format in `enum wl_keyboard_keymap_format`.
      keymap = event.uint(0) == 1 ? Keymap(event.bytes(1)) : nil
      releaseKeys()
    case "modifiers":
      keymap?.setModifiers(
        held: event.uint(1), latched: event.uint(2), locked: event.uint(3), group: event.uint(4))
    case "key":
      // 1 is a pressed key. 2, a repeated key, exists only in later versions.
      let (code, isDown) = (Int(event.uint(2)), event.uint(3) == 1)
      let meaning = meaning(of: code, isDown: isDown)
      if let input = held.handle(meaning, device: 0, code: code, isDown: isDown) {
        onKey(input, time(event.uint(1)))
      }
    // Held keys will be released elsewhere.
    case "leave":
      releaseKeys()
      keymap?.setModifiers(held: 0, latched: 0, locked: 0, group: 0)
    default: break
    }
  }

  /// Ends the presses of held keys without releasing them.
  private func releaseKeys() {
    keys.remove(device: 0)
    let now = MonotonicClock.now
    for input in held.remove(device: 0) { onKey(input, now) }
  }

  private func meaning(of code: Int, isDown: Bool) -> KeyInput? {
    // Keymaps omit rare keys, such as a remote control's OK. For these, the Linux key code is used.
    guard let keymap, let symbol = keymap.symbol(of: code) else {
      guard case .key(let key, let phase)? = keys.handle(device: 0, code: code, isDown: isDown)
      else { return nil }
      return .key(.symbol(key.symbol), phase)
    }
    return isDown && !keymap.isShortcut && !symbol.isModifier ? .key(.symbol(symbol), .tap) : nil
  }

  private func handlePointer(_ event: WaylandEvent) {
    switch event.name {
    case "enter":
      if let pointer { onEnter(pointer, event.uint(0)) }
      let place = place(event.fixed(2), event.fixed(3))
      onInput(.point(device: pointerDevice, at: place), MonotonicClock.now)
    case "motion":
      let place = place(event.fixed(1), event.fixed(2))
      onInput(.point(device: pointerDevice, at: place), time(event.uint(0)))
    case "button":
      // 0x110 is BTN_LEFT in linux/input-event-codes.h.
      guard event.uint(2) == 0x110 else { return }
      onInput(
        .button(device: pointerDevice, isDown: event.uint(3) == 1), time(event.uint(1)))
    case "axis_discrete":
      // 0 is the vertical axis in `enum wl_pointer_axis`. The event has no time.
      guard event.uint(0) == 0 else { return }
      for input in KeyInput.turns(event.int(1)) { onKey(input, MonotonicClock.now) }
    // While the button is held, the pointer stays, unless the compositor takes it away.
    case "leave": onInput(.removed(device: pointerDevice), MonotonicClock.now)
    default: break
    }
  }

  /// The protocol's origin is undefined, but compositors use the monotonic clock. A time outside
  /// the last second must be from another clock.
  private func time(_ milliseconds: UInt32) -> Timestamp {
    let now = MonotonicClock.now
    let age = UInt32(truncatingIfNeeded: now.microseconds / 1000) &- milliseconds
    guard age < 1000 else { return now }
    return Timestamp(microseconds: now.microseconds / 1000 * 1000 - Int64(age) * 1000)
  }
}
