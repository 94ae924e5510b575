// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDeclarations
import RoundelExpressions
import RoundelGeometry
import Kiosk
import KioskFile
import TestSupport
import Testing

/// A machine's overlay of a kiosk.
@Suite struct OverlayTests {
  private static let pages =
    "pages: [{page: p, controls: [{label: l, at: [100, 100], text: \"{texts.hi}\"}]}]\n"
  private static let texts = "languages: [en, de]\ntexts: {hi: {en: Hello, de: Hallo}}\n"

  private func read(_ kiosk: String, under overlay: String) -> ParsedKiosk {
    ParsedKiosk(
      Array("kiosk: k\n\(kiosk)\(Self.pages)".utf8), path: "k.yaml",
      assets: StubAssets(texts: ["k.overlay.yaml": overlay]))
  }

  private func initials(_ kiosk: ParsedKiosk) -> [String: Value] {
    (kiosk.description?.values ?? []).reduce(into: [:]) { $0[$1.name] = $1.initial }
  }

  /// An overlay, and a kiosk that contains the same values, must be equal.
  @Test func `overlay values are like values in the file`() {
    var random = SeededGenerator(seed: 21)
    for _ in 0..<200 {
      let names = (0..<6).map { "v\($0)" }
      func some() -> [String: Int] {
        names.reduce(into: [:]) { all, name in
          if Bool.random(using: &random) { all[name] = Int.random(in: 0...99, using: &random) }
        }
      }
      func yaml(_ values: [String: Int]) -> String {
        "{"
          + values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
          .joined(separator: ", ") + "}"
      }
      let (own, over) = (some(), some())
      let inParts = Bool.random(using: &random)
      let written =
        inParts
        ? "[" + own.map { "{\($0.key): \($0.value)}" }.joined(separator: ", ") + "]" : yaml(own)
      let laid = read("values: \(written)\n\(Self.texts)", under: "values: \(yaml(over))\n")
      let whole = own.merging(over) { $1 }
      #expect(laid.diagnostics == [])
      #expect(initials(laid) == whole.mapValues { .number(Double($0)) })
    }
  }

  @Test func `an overlay merges maps and replaces scalars`() throws {
    let file = "values: {cups: {value: 1, min: 1, max: 8}, on: {value: 1, max: 3}}\n\(Self.texts)"
    let kiosk = try #require(
      read(
        file, under: "values: {cups: {value: 4}, on: 9}\ntexts: {hi: {de: Moin}}\n"
      ).description)
    #expect(kiosk.values[0].initial == .number(4) && kiosk.values[0].maximum == 8)
    #expect(kiosk.values[1].initial == .number(9))
    #expect(kiosk.texts["hi"]?.keys.sorted() == ["de", "en"])
  }

  @Test func `the overlay changes the screen before anything is measured`() throws {
    let kiosk = try #require(
      ParsedKiosk(
        Array(
          """
          kiosk: k
          screen: {size: [400, 300], rotate: 90}
          pages: [{page: p, controls: [{label: l, text: x, at: ["{screen.width / 2}", "{screen.height / 4}"]}]}]
          """.utf8), path: "k.yaml",
        assets: StubAssets(texts: ["k.overlay.yaml": "screen: {size: [800, 480]}\n"])
      ).description)
    #expect(kiosk.screen.size == Size(800, 480))
    #expect((kiosk.pages[0].controls[0].control as? Label)?.center == Point(400, 120))
    #expect(kiosk.screen.rotation == .quarter)
  }

  @Test(arguments: [
    ("pages: []", "k.overlay.yaml:1:1: error: an overlay has no \"pages\""),
    ("- a", "k.overlay.yaml:1:1: error: the file has the wrong type"),
    ("vlaues: {a: 1}", "did you mean \"values\"?"),
    ("values: {a: {vaule: 1}}", "k.overlay.yaml:1:14: error"),
    ("values: {a: [", "k.overlay.yaml:1"),
  ])
  func `errors are reported in the overlay`(_ overlay: String, _ words: String) {
    let kiosk = read("values: {b: 1}\n\(Self.texts)", under: overlay + "\n")
    #expect(kiosk.description == nil)
    #expect(kiosk.diagnostics.contains { $0.description.contains(words) }, "\(kiosk.diagnostics)")
  }

  @Test func `an overlay is one of the kiosk's files`() {
    #expect(read(Self.texts, under: "values: {a: 1}\n").includedFiles == ["k.overlay.yaml"])
  }
}
