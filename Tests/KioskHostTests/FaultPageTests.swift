// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelExpressions
import RoundelGeometry
import Kiosk
import KioskHost
import LinuxIO
import RoundelMotion
import RoundelRuntime
import Testing

@Suite struct FaultPageTests {
  private func labels(_ page: FaultPage) -> [String: Label] {
    page.content.description.pages[1].controls.reduce(into: [:]) { labels, entry in
      labels[entry.id] = entry.control as? Label
    }
  }

  @Test(arguments: [(1280, 800), (800, 480), (480, 800), (320, 240), (3840, 2160)])
  func `the fault page fills any panel with legible text`(width: Int, height: Int) throws {
    let page = FaultPage("wall.yaml", ["wrong"], on: PixelSize(width, height))
    let size = page.content.description.screen.size
    #expect(abs(size.width * Double(height) - size.height * Double(width)) < 1e-6 * size.width)
    let labels = labels(page)
    #expect(Set(labels.keys) == ["title", "file", "reasons", "help"])
    for label in labels.values where label.text != labels["title"]?.text {
      let pixels = try #require(label.fontSize) * Double(width) / size.width
      #expect(abs(pixels - max(16, Double(min(width, height)) * 26 / 800)) < 1e-6)
    }
    for label in labels.values {
      #expect(
        (0...size.width).contains(label.center.x) && (0...size.height).contains(label.center.y))
    }
  }

  @Test func `the fault page shows the file, the reasons and how to reach the machine`() {
    let labels = labels(FaultPage("wall.yaml", ["one", "two"], on: FaultPage.usualCanvas))
    #expect(labels["file"]?.text == "wall.yaml")
    #expect(labels["reasons"]?.text == "one\ntwo")
    #expect(labels["help"]?.text.contains("ssh \(MachineAddress.hostName)") == true)
  }

  @Test func `text from a file is shown literally`() {
    let text = "\"{cups}\" is no number: \u{1b}[2J #: -"
    let page = FaultPage("{a}.yaml", [text], on: FaultPage.usualCanvas)
    let engine = Engine(page.content.description, seed: 0)
    #expect(
      engine.value(of: "text", of: "reasons")
        == .text(#""{cups}" is no number: \u{1b}[2J #: -"#))
    #expect(engine.value(of: "text", of: "file") == .text("{a}.yaml"))
  }

  @Test func `long or many reasons are truncated`() {
    let reasons = Array(repeating: String(repeating: "x", count: 1_000), count: 20)
    let shown = labels(FaultPage("wall.yaml", reasons, on: FaultPage.usualCanvas))["reasons"]?.text
    #expect(shown?.split(separator: "\n").map(\.count) == Array(repeating: 400, count: 6))
  }

  @Test func `fault pages with the same text are equal`() {
    func page(_ reason: String, _ size: PixelSize = PixelSize(800, 480)) -> FaultPage {
      FaultPage("wall.yaml", [reason], on: size)
    }
    #expect(page("a") == page("a"))
    #expect(page("a") != page("b") && page("a") != page("a", PixelSize(480, 800)))
    #expect(page("a").code == page("a", PixelSize(480, 800)).code && page("a").code.count == 6)
    #expect(page("a").code != page("b").code)
  }

  @Test func `the public sees a sentence in its languages, and neither file nor address`() throws {
    let page = FaultPage(
      "wall.yaml", ["wrong"], on: FaultPage.usualCanvas, languages: ["de", "ar-EG"])
    let description = page.content.description
    let texts = description.pages[0].controls.compactMap { ($0.control as? Label)?.text }
    #expect(texts == ["Außer Betrieb", "خارج الخدمة", "Out of order", page.code])
    #expect(description.pages[0].name == "public")
    var engine = Engine(description, seed: 0)
    let touch = Touch(finger: 0, phase: .down, position: Point(300, 100))
    engine.handle(touch, at: .zero)
    engine.advance(to: Instant(seconds: 4.9))
    #expect(engine.pages[engine.shownPage].name == "public")
    engine.advance(to: Instant(seconds: 5))
    #expect(engine.pages[engine.shownPage].name == "fault")
  }
}
