// SPDX-License-Identifier: MIT

import RoundelControls
import Testing

@testable import RoundelInput

/// Codes in linux/input-event-codes.h.
private enum Code {
  static let (one, y, z, a, leftBrace, tab, shift, control, f1) = (
    2, 21, 44, 30, 26, 15, 42, 29, 59
  )
  static let (numberPad1, right, ok, capsLock, alternate) = (79, 106, 0x160, 58, 56)
}

@Suite struct KeyboardsTests {
  private func names(_ layout: String?, _ codes: Int...) -> [String?] {
    var keyboards = Keyboards(layout.map { LayoutNames(layout: $0) })
    return codes.map { code in
      defer { _ = keyboards.handle(device: 1, code: code, isDown: false) }
      return name(keyboards.handle(device: 1, code: code, isDown: true))
    }
  }

  private func name(_ input: KeyInput?) -> String? {
    if case .key(let key, _)? = input { key.name } else { nil }
  }

  @Test func `the layout decides about characters`() {
    #expect(
      names("us", Code.one, Code.y, Code.a, Code.leftBrace) == ["1", "y", "a", "bracketleft"])
    #expect(names("de", Code.one, Code.y, Code.z, Code.leftBrace) == ["1", "z", "y", "udiaeresis"])
    #expect(names("fr", Code.one, Code.a) == ["ampersand", "q"])
    #expect(names("ru", Code.a) == ["Cyrillic_ef"])
    #expect(names("de", Code.numberPad1, Code.right, Code.f1) == ["KP_1", "Right", "F1"])
  }

  @Test func `without a layout, arrows and Enter work, and letters don't`() {
    for layout in [nil, "nonsense"] {
      #expect(names(layout, Code.a, Code.right, Code.tab) == [nil, "Right", "Tab"])
    }
    #expect(names("us", Code.ok).compactMap(\.self).count == 1)
  }

  @Test func `Shift and Caps Lock change the characters of their keyboard`() {
    var keyboards = Keyboards(LayoutNames(layout: "us"))
    func down(_ code: Int, _ device: Int = 1) -> String? {
      name(keyboards.handle(device: device, code: code, isDown: true))
    }
    func up(_ code: Int, _ device: Int = 1) {
      _ = keyboards.handle(device: device, code: code, isDown: false)
    }
    #expect(down(Code.shift) == nil && down(Code.a) == "A" && down(Code.tab) == "ISO_Left_Tab")
    #expect(down(Code.a, 2) == "a")
    // An unplugged keyboard holds no keys.
    _ = keyboards.remove(device: 1)
    #expect(down(Code.a) == "a")
    #expect(down(Code.capsLock) == nil)
    up(Code.capsLock)
    #expect(down(Code.a) == "A")
  }

  @Test func `a release has the meaning of its press`() {
    var keyboards = Keyboards(LayoutNames(layout: "us"))
    func handle(_ code: Int, _ isDown: Bool) -> KeyInput? {
      keyboards.handle(device: 1, code: code, isDown: isDown)
    }
    let capital = KeyPress.symbol(Keysym(0x41))
    _ = handle(Code.shift, true)
    #expect(handle(Code.a, true) == .key(capital, .down))
    _ = handle(Code.shift, false)
    #expect(handle(Code.a, false) == .key(capital, .up))
    #expect(handle(Code.a, false) == nil)
  }

  @Test func `an unplugged keyboard cancels only its own keys`() {
    var keyboards = Keyboards(LayoutNames(layout: "us"))
    for (device, code) in [(1, Code.a), (1, Code.right), (2, Code.a)] {
      _ = keyboards.handle(device: device, code: code, isDown: true)
    }
    let a = KeyPress.symbol(Keysym(0x61))
    #expect(
      keyboards.remove(device: 1) == [
        .key(a, .cancel), .key(.symbol(Keystroke.right.symbol), .cancel),
      ])
    #expect(keyboards.handle(device: 1, code: Code.a, isDown: false) == nil)
    #expect(keyboards.cancel(device: 2, code: Code.a) == .key(a, .cancel))
    #expect(keyboards.handle(device: 2, code: Code.a, isDown: false) == nil)
  }

  @Test func `with Control, keys don't type`() {
    var keyboards = Keyboards(LayoutNames(layout: "us"))
    _ = keyboards.handle(device: 1, code: Code.control, isDown: true)
    #expect(keyboards.handle(device: 1, code: Code.a, isDown: true) == nil)
    #expect(keyboards.handle(device: 1, code: 46, isDown: true) == .interrupt)
    _ = keyboards.handle(device: 1, code: Code.alternate, isDown: true)
    #expect(keyboards.handle(device: 1, code: Code.f1, isDown: true) == .terminal(1))
  }

  @Test func `the machine's layout is the environment's, otherwise the file's`() {
    let file =
      "# comment\nXKBMODEL=\"pc105\"\nXKBLAYOUT=\"de,us\"\nXKBVARIANT=\"neo\"\nBACKSPACE=\"guess\"\n"
    let names = LayoutNames(environment: { _ in nil }, file: file)
    #expect(names.layout == "de,us" && names.model == "pc105" && names.variant == "neo")
    let own = LayoutNames(environment: { ["XKB_DEFAULT_LAYOUT": "fr"][$0] }, file: file)
    #expect(own == LayoutNames(layout: "fr"))
    #expect(LayoutNames(environment: { _ in nil }, file: "XKBLAYOUT\n=\n\u{0}") == LayoutNames())
  }
}
