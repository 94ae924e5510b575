// SPDX-License-Identifier: MIT

import RoundelControls
import Testing

@Suite struct KeyDeclarationTests {
  private func found(_ head: String, _ page: String) -> [String] {
    diagnostics(
      """
      kiosk: k
      \(head)
      pages:
        - page: p
          \(page)
          controls:
            - {button: b, at: [60, 60], size: [80, 80]}
            - {dial: d, at: [300, 300], radius: 90, labels: 9}
      """)
  }

  @Test(arguments: [
    ("keys: {f1: [{go: p}]}", "unknown key \"f1\"", "did you mean \"F1\"?"),
    ("keys: {enter: [{go: p}]}", "unknown key \"enter\"", "did you mean \"Return\"?"),
    ("keys: {XF86AudioMut: [{go: p}]}", "unknown key", "did you mean \"XF86AudioMute\"?"),
    ("keys: {Prior: [{go: p}], Page_Up: [{go: p}]}", "duplicate key \"Page_Up\"", "first on line "),
    ("keys: {F1: [{set: {b.text: '{event.text}'}}]}", "", "key"),
  ])
  func `an error in keys suggests the nearest key`(
    _ keys: String, _ what: String, _ hint: String
  ) {
    for found in [found(keys, ""), found("", keys)] {
      #expect(found.count == 1, "\(found)")
      #expect(
        found.first?.contains(what) == true && found.first?.contains(hint) == true, "\(found)")
    }
  }

  @Test func `a key has one name for each symbol and each character`() {
    for name in [
      "F1", "1", "a", "Adiaeresis", "Cyrillic_ef", "U0444", "Page_Up", "space", "XF86Back",
    ] {
      #expect(found("keys: {'\(name)': [{go: p}]}", "") == [])
    }
    #expect(Keysym(named: "U0444") == Keysym(named: "Cyrillic_ef"))
    #expect(Keysym(named: "Ubeef")?.name == "UBEEF" && Keysym(named: "U41") == nil)
    #expect(Keysym(0x1000041) == Keysym(named: "A") && Keysym(0x41).name == "A")
    #expect(Keysym(named: "KP_1")?.character == "1" && Keysym(named: "F1")?.character == nil)
    #expect(Keysym(0x7fff_ffff).name == "U7EFFFFFF" && Keysym(0x7fff_ffff).character == nil)
    #expect(Keysym(0xabc_def).name == "0xabcdef" && Keysym(0xabc_def).character == nil)
  }

  @Test(arguments: [
    ("focus: x", "the page has no control \"x\" (expected b or d)"),
    ("encoder: x", "the page has no control \"x\" (expected d)"),
    ("encoder: b", "an encoder can't turn \"b\" (expected d)"),
  ])
  func `focus and encoder name a control of the page`(_ key: String, _ what: String) {
    let found = found("", key)
    #expect(found.count == 1 && found.first?.contains(what) == true, "\(found)")
  }
}
