// SPDX-License-Identifier: MIT

import RoundelGeometry
import RoundelRaster
import RoundelSuites
import Testing

@Suite struct PictureTests {
  private let size = PixelSize(10, 8)

  private func picture(_ change: (inout [UInt32]) -> Void = { _ in }) -> Bitmap {
    var pixels = [UInt32](repeating: 0xff10_2030, count: 80)
    change(&pixels)
    return Bitmap(size: size, pixels: pixels)
  }

  @Test func `equal pictures have no differences`() {
    let comparison = PictureComparison(picture(), with: picture(), tolerance: Tolerance())
    #expect(comparison.isWithin)
    #expect(comparison.count == 0)
  }

  @Test func `a difference is counted, measured and framed`() {
    let other = picture {
      $0[23] = 0xff10_2038
      $0[45] = 0xff00_2030
    }
    let comparison = PictureComparison(other, with: picture(), tolerance: Tolerance())
    #expect(!comparison.isWithin)
    #expect(comparison.worst == 16)
    #expect(comparison.bounds == PixelRect(x0: 3, y0: 2, x1: 6, y1: 5))
    #expect(comparison.summary == "2 pixels differ, by up to 16, from 3,2 to 5,4")
    let image = comparison.image(of: other)
    #expect(image.pixels[23] == 0xffff_00ff)
    #expect(image.pixels[45] == 0xffff_00ff)
    #expect(image.pixels[34] == 0xff04_080c)
  }

  @Test(arguments: [
    (0, 0, false), (7, 1, false), (15, 0, false), (8, 0, false), (8, 1, true), (16, 0, true),
    (0, 2, true),
  ])
  func `a tolerance limits the difference of pixels, and the number of exceptions`(
    _ difference: Int, _ pixels: Int, _ isWithin: Bool
  ) {
    let other = picture {
      $0[0] = 0xff10_2038
      $0[79] = 0xff00_2030
    }
    let comparison = PictureComparison(
      other, with: picture(), tolerance: Tolerance(difference: difference, pixels: pixels))
    #expect(comparison.isWithin == isWithin)
  }

  private let look = "  - test: t\n    steps: [{expect: {picture: look, region: left}}]\n"

  @Test func `a picture without a golden fails until the golden is written on request`() throws {
    let goldens = MemoryGoldens()
    let path = "goldens/look@400x300.png"
    #expect(
      try results(look, goldens: goldens).first?.failure?.message
        == "there is no golden \(path) (--update writes it)")
    #expect(goldens.files.isEmpty)
    #expect(
      try results(look, goldens: goldens, updates: true).first?.failure?.message == "wrote \(path)")
    #expect(try PNG.decode(try #require(goldens.files[path])).size == PixelSize(100, 100))
    #expect(try results(look, goldens: goldens).first?.failure == nil)
    // A matching golden isn't written again.
    #expect(try results(look, goldens: goldens, updates: true).first?.failure == nil)
  }

  @Test func `a picture that differs from its golden is stored next to it`() throws {
    let goldens = MemoryGoldens()
    _ = try results(look, goldens: goldens, updates: true)
    let pressed = look.replacing("[{", with: "[{press: left}, {")
    let result = try #require(try results(pressed, goldens: goldens).first)
    let message = try #require(result.failure?.message)
    #expect(message.hasPrefix("different from goldens/look@400x300.png: "))
    #expect(message.contains("pixels differ, by up to "))
    #expect(
      result.artifacts.map(\.name) == [
        "look.shot.png", "look.golden.png", "look.difference.png", "recording.jsonl",
        "events.jsonl",
      ])
  }

  @Test func `on a canvas of another size the comparison is skipped with a note`() throws {
    let goldens = MemoryGoldens()
    _ = try results(look, goldens: goldens, updates: true)
    let result = try #require(try results(look, head: "size: [200, 150]\n", goldens: goldens).first)
    #expect(result.failure == nil)
    #expect(
      result.notes == [
        "the picture look was not compared: it was saved for 400x300, not for 200x150"
      ])
  }

  @Test func `a golden of another size, or an invalid one, fails`() throws {
    let goldens = MemoryGoldens()
    let path = "goldens/look@400x300.png"
    goldens.files[path] = PNG.encode(Canvas(size: PixelSize(5, 5)))
    #expect(
      try results(look, goldens: goldens).first?.failure?.message
        == "the picture has 100x100 pixels, its golden \(path) 5x5")
    goldens.files[path] = [1, 2, 3]
    #expect(
      try results(look, goldens: goldens).first?.failure?.message
        == "cannot read the golden \(path): not a PNG file")
    #expect(
      try results(look, goldens: goldens, updates: true).first?.failure?.message == "wrote \(path)")
  }

  @Test func `a picture is taken when everything is still, or immediately`() throws {
    let goldens = MemoryGoldens()
    func look(_ isStill: Bool) -> String {
      "  - test: t\n    steps: [{go: second}, {tap: wheel/a}, {expect: {picture: p, still: \(isStill)}}]\n"
    }
    _ = try results(look(true), goldens: goldens, updates: true)
    #expect(try results(look(true), goldens: goldens).first?.failure == nil)
    #expect(try results(look(false), goldens: goldens).first?.failure != nil)
  }
}
