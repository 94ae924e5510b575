// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDeclarations
import RoundelGeometry
import Kiosk
import Testing

@testable import KioskFile

private func kiosk(_ controls: String) -> String {
  "kiosk: k\nscreen: {size: [800, 480]}\nvalues: {n: 3}\npages: [{page: home, controls: [\n\(controls)\n]}]"
}

@Suite struct ConstantTests {
  @Test func `geometry is computed once from constants`() throws {
    let text = kiosk(
      """
      {for: [a, b], as: id, button: $id, at: ["{160 + 240 * $index}", "{screen.height - 80}"],
        size: ["{screen.width / 8}", 60]},
      {pinwheel: p, at: [400, 200], radius: "{min(screen.width, screen.height) / 4}",
        hole: "{screen.height / 16}", wedges: [{id: x}]}
      """)
    let reading = read(text)
    #expect(reading.diagnostics.filter { $0.severity == .error }.map(\.description) == [])
    let controls = try #require(reading.description).pages[0].controls
    #expect(
      controls.map(\.control.extent) == [
        Rect(center: Point(160, 400), size: Size(100, 60)),
        Rect(center: Point(400, 400), size: Size(100, 60)),
        Rect(center: Point(400, 200), size: Size(240, 240)),
      ])
    #expect((controls[2].control as? Pinwheel)?.hole == 30)
    #expect(controls.allSatisfy { $0.bindings.isEmpty })
  }

  @Test(arguments: [
    (
      "at: [\"{n * 2}\", 2], size: [99, 99]",
      "5:18: error: item 1 of \"at\" reads \"n\", which is not a constant"
    ),
    (
      "at: [1, \"{now:%H}\"], size: [99, 99]",
      "5:21: error: item 2 of \"at\" reads \"now\", which is not a constant"
    ),
    (
      "at: [1, 2], size: [\"{1 / 0}\", 99]",
      "5:32: error: item 1 of \"size\" cannot be computed: division by zero"
    ),
    ("at: [1, 2], size: [\"{0 - 5}\", 99]", "5:32: error: item 1 of \"size\" is out of range: -5"),
    ("at: [1, 2], size: [\"{1 +}\", 99]", "5:32: error: "),
    ("at: [1, 2], size: [\"{true}\", 99]", "5:32: error: item 1 of \"size\" has the wrong type"),
  ])
  func `a geometry template that isn't constant is an error at its location`(
    _ keys: String, _ diagnostic: String
  ) throws {
    let found = diagnostics(kiosk("{button: b, \(keys)}"))
    #expect(found.count == 1, "\(found)")
    #expect(try #require(found.first).hasPrefix(diagnostic), "\(found)")
  }
}
