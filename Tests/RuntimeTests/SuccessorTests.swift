// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelGeometry
import Kiosk
import RoundelRaster
import RoundelRuntime
import Testing
import RoundelText

/// Replaces a kiosk with another version on the same stage.
@Suite struct SuccessorTests {
  private static let size = PixelSize(400, 300)

  private func kiosk(_ color: UInt32, _ size: Size = Size(400, 300)) -> Description {
    var description = Description(
      name: "k",
      pages: [
        Page(
          name: "p",
          controls: [
            PlacedControl(
              id: "a",
              control: Button(
                center: Point(60, 60), size: Size(80, 80), text: "", color: .hex(color))),
            PlacedControl(
              id: "b",
              control: Button(
                center: Point(300, 200), size: Size(80, 80), text: "", color: .hex(0x20a040))),
          ])
      ])
    description.screen.size = size
    return description
  }

  private func pixels(_ description: Description, _ fonts: FontLibrary) -> [UInt32] {
    let stage = Stage(Content(description, fonts: fonts), seed: 0)
    return stage.picture(Self.size).canvas().bitmap().pixels
  }

  @Test func `with the same fonts and images only the differences are repainted`() {
    let fonts = FontLibrary()
    let stage = Stage(Content(kiosk(0xc03020), fonts: fonts), seed: 0)
    let first = stage.picture(Self.size).frame
    stage.replace(with: Content(kiosk(0x2030c0), fonts: fonts))
    let picture = stage.picture(Self.size)
    #expect(picture.canvas().bitmap().pixels == pixels(kiosk(0x2030c0), fonts))
    let damage = picture.damage(since: first).bounds
    #expect(!damage.isEmpty && PixelRect(x0: 18, y0: 18, x1: 102, y1: 102).contains(damage))
  }

  @Test func `with other fonts or another size, everything is repainted`() {
    let fonts = FontLibrary()
    for (description, others) in [
      (kiosk(0x2030c0), FontLibrary()), (kiosk(0x2030c0, Size(800, 600)), fonts),
    ] {
      let stage = Stage(Content(kiosk(0xc03020), fonts: fonts), seed: 0)
      let first = stage.picture(Self.size).frame
      stage.replace(with: Content(description, fonts: others))
      let picture = stage.picture(Self.size)
      #expect(picture.canvas().bitmap().pixels == pixels(description, others))
      #expect(picture.damage(since: first).bounds == PixelRect(size: Self.size))
    }
  }
}
