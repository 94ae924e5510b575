// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelGeometry
import Kiosk
import RoundelMotion
import RoundelRaster
import RoundelRuntime
import Testing
import RoundelText

/// Text on images has a colour that is legible on the part of the image behind it.
@Suite struct ImageGroundTests {
  /// White above, black below.
  private static let halves = Bitmap(
    size: PixelSize(40, 40), pixels: (0..<1600).map { $0 < 800 ? 0xffff_ffff : 0xff00_0000 })
  /// A bright centre with a dark rim.
  private static let face = Bitmap(
    size: PixelSize(64, 64),
    pixels: (0..<4096).map { index in
      let (x, y) = (index % 64 - 32, index / 64 - 32)
      return x * x + y * y < 400 ? 0xffff_ffff : 0xff10_1010
    })
  private static let clear = Bitmap(
    size: PixelSize(3, 1), pixels: [0, 0, 0])

  /// The text colours on a page, by text.
  private func inks(
    _ controls: [any Control], background: Page.Background? = nil, theme: Theme,
    touching point: Point? = nil
  ) -> [String: Color] {
    let description = Description(
      name: "test", screen: Screen(size: Size(400, 400)), theme: theme,
      pages: [
        Page(
          name: "main", background: background,
          controls: controls.enumerated().map { PlacedControl(id: "c\($0)", control: $1) })
      ])
    let images = [
      "halves": ImageFile(Self.halves), "clear": ImageFile(Self.clear),
      "face": ImageFile(Self.face),
    ]
    let content = Content(description, fonts: FontLibrary(), images: images)
    var engine = Engine(content.description, seed: 1)
    if let point { engine.handle(Touch(finger: 0, phase: .down, position: point), at: .zero) }
    var inks: [String: Color] = [:]
    for tile in engine.displayList.tiles {
      guard case .text(let run) = tile.shape, case .color(let color) = tile.fill else { continue }
      inks[run.text] = color
    }
    return inks
  }

  private func wheel(press: String? = nil) -> Pinwheel {
    Pinwheel(
      center: Point(200, 200), radius: 180,
      wedges: ["north", "east", "south", "west"].map {
        Pinwheel.Wedge(id: $0, label: $0, image: "halves", pressImage: press)
      })
  }

  @Test(arguments: [Theme.dark, .light])
  func `a wedge's label is dark on a bright image and white on a dark one`(theme: Theme) {
    let inks = inks([wheel()], theme: theme)
    #expect(inks["north"]?.contrast(with: .white) ?? 0 > 10)
    #expect(inks["south"]?.contrast(with: .black) ?? 0 > 10)
  }

  @Test func `a label is legible on the image of a held wedge`() {
    let held = Point(200, 290)
    let inks = inks([wheel(press: "clear")], theme: .light, touching: held)
    #expect(inks["south"]?.contrast(with: Theme.light.background) ?? 0 >= 3)
  }

  @Test(arguments: [Theme.dark, .light])
  func `labels on a dial's image are legible on its rim`(theme: Theme) {
    let dial = Dial(
      center: Point(200, 200), radius: 190, labels: Dial.numbers(12), background: .image("face"))
    let ink = inks([dial], theme: theme)["6"] ?? .clear
    let background = Color(hex: 0x101010)
    #expect(ink.over(background).contrast(with: background) >= 4.5)
  }

  @Test(arguments: [Theme.dark, .light])
  func `a label without a colour is legible on its part of the wallpaper`(theme: Theme) {
    let labels: [any Control] = [
      Label(center: Point(200, 60), text: "above"), Label(center: Point(200, 340), text: "below"),
      Label(center: Point(200, 300), text: "muted", color: .muted),
    ]
    let inks = inks(labels, background: .image("halves"), theme: theme)
    #expect(inks["above"]?.contrast(with: .white) ?? 0 > 10)
    #expect(inks["below"]?.contrast(with: .black) ?? 0 > 10)
    #expect(inks["muted"] == theme.muted)
  }

  @Test func `a transparent image doesn't change text colours`() {
    let plain = inks([Label(center: Point(200, 60), text: "a")], theme: .light)
    let wallpaper = inks(
      [Label(center: Point(200, 60), text: "a")], background: .image("clear"), theme: .light)
    #expect(plain == wallpaper)
  }

  @Test(arguments: [PixelSize(1, 1), PixelSize(3, 200), PixelSize(4096, 1), PixelSize(16, 16)])
  func `an image of any size has a tone`(size: PixelSize) {
    let bitmap = Bitmap(
      size: size, pixels: Array(repeating: 0x8040_2000, count: size.width * size.height))
    let frame = Rect(size: Size(10, 10))
    let mean = bitmap.tone.mean(of: frame, in: frame, over: .black)
    #expect(mean == Color(red: 64, green: 32, blue: 0))
    // Positions outside the frame, or invalid ones, count as its edge.
    let far = [Point(-1e300, 1e300), Point(.nan, .infinity)]
    #expect(bitmap.tone.mean(in: frame, over: .black, at: 2) { far[$0] } == mean)
  }
}
