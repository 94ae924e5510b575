// SPDX-License-Identifier: MIT

import RoundelDrawing
import Kiosk
import Testing
import RoundelDeclarations

@testable import KioskFile

@Suite struct FontKeysTests {
  private func reading(screen: String = "", _ controls: String...) -> ParsedKiosk {
    read(
      "kiosk: k\nscreen: {\(screen)}\npages: [{page: a, controls: [\(controls.joined(separator: ", "))]}]",
      path: "dir/k.yaml")
  }

  private let label = "{label: l, at: [1, 2], text: t}"

  @Test func `a screen and a control have a font or a list of fonts`() throws {
    let reading = reading(
      screen: "font: [Inter, a.ttf]", label,
      "{button: b, at: [9, 9], size: [9, 9], text: t, font: [Noto Sans, DejaVu Sans]}")
    let description = try #require(reading.description)
    #expect(description.screen.font == Font(["Inter", "dir/a.ttf"]))
    #expect(
      description.pages[0].controls.map(\.font.families) == [[], ["Noto Sans", "DejaVu Sans"]])
    #expect(
      reading.fonts.map(\.family) == ["Inter", "dir/a.ttf", "Noto Sans", "DejaVu Sans"])
  }

  @Test(arguments: [
    ("bold: true", [400, 700]), ("weight: 250", [400, 250]),
    ("bold: true, weight: 900", [400, 900]),
    ("bold: false", [400]),
  ])
  func `a control has its own weight`(_ key: String, _ weights: [Int]) {
    let reading = reading(screen: "font: Inter", "{label: l, at: [1, 2], text: t, \(key)}")
    #expect(reading.fonts == weights.map { FaceName("Inter", weight: $0) })
  }

  @Test func `the labels of a dial are bold by default`() {
    let dial = "dial: d, at: [200, 200], radius: 150, labels: 12"
    #expect(reading("{\(dial)}").fonts.map(\.weight) == [400, 700])
    #expect(reading("{\(dial), weight: 400}").fonts.map(\.weight) == [400])
    #expect(reading("{\(dial), bold: false}").fonts.map(\.weight) == [400])
  }

  @Test func `a missing family is an error only if there is no other`() {
    #expect(
      reading(screen: "font: [Wingdings, Inter]", label).diagnostics.map(\.severity) == [.warning])
    let diagnostics = reading(screen: "font: [Wingdings, lost.ttf]", label).diagnostics
    #expect(diagnostics.map(\.severity) == [.error, .error])
    #expect(diagnostics.first?.message.contains("font \"Wingdings\": not found") == true)
  }

  @Test(arguments: [
    "font: []", "weight: 0", "weight: 1001", "weight: 1.5", "bold: 1", "font: [1, []]",
  ])
  func `an invalid font is an error`(_ key: String) {
    #expect(reading("{label: l, at: [1, 2], text: t, \(key)}").description == nil)
  }
}
