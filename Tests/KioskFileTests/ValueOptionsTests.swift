// SPDX-License-Identifier: MIT

import Testing

@testable import KioskFile

@Suite struct ValueOptionsTests {
  private func diagnosticsOf(_ value: String, _ actions: String = "") -> [String] {
    diagnostics(
      """
      kiosk: k
      values: {mode: \(value)}
      pages:
        - page: p
          controls: [{button: b, at: [640, 400], size: [200, 100], text: Go\(actions)}]
      """)
  }

  @Test func `a text value may have options, and a number a unit`() {
    #expect(diagnosticsOf("{value: eco, options: [eco, boost]}").isEmpty)
    #expect(diagnosticsOf("{value: 93, unit: °C}").isEmpty)
  }

  @Test(arguments: [
    ("{value: turbo, options: [eco, boost]}", "not one of the options"),
    ("{value: 1, options: [eco, boost]}", "options of a number"),
    ("{value: eco, options: [eco, eco]}", "duplicate option"),
    ("{value: eco, options: []}", "empty list"),
    ("{value: eco, unit: °C}", "unit"),
  ])
  func `unsuitable options and units are errors`(_ value: String, _ words: String) {
    let found = diagnosticsOf(value)
    #expect(found.count == 1)
    #expect(found.first?.contains(words) == true)
  }

  @Test func `setting a text outside the options is an error`() {
    let value = "{value: eco, options: [eco, boost]}"
    #expect(diagnosticsOf(value, ", on: {selected: [{set: {mode: boost}}]}").isEmpty)
    #expect(diagnosticsOf(value, ", on: {selected: [{set: {mode: turbo}}]}").count == 1)
  }
}
