// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDeclarations
import RoundelGeometry
import Kiosk
import Testing

@testable import KioskFile

private func kiosk(_ screen: String) -> String {
  """
  kiosk: k
  screen: {\(screen)}
  pages:
    - for:
        - {if: screen.width > screen.height, at: [400, 100]}
        - {if: screen.width <= screen.height, at: [100, 400]}
      page: home
      controls: [{button: b, at: $at, size: [100, 60]}]
  """
}

private let three = "size: [[800, 480], [480, 800], [480, 480]], shape: round"

private func read(_ text: String, on canvas: PixelSize?) -> ParsedKiosk {
  ParsedKiosk(Array(text.utf8), path: "k.yaml", assets: StubAssets(), canvas: canvas)
}

@Suite struct SizeTests {
  @Test(arguments: [
    (nil, Size(800, 480)), (PixelSize(800, 480), Size(800, 480)),
    (PixelSize(1920, 1080), Size(800, 480)), (PixelSize(1080, 1920), Size(480, 800)),
    (PixelSize(720, 720), Size(480, 480)), (PixelSize(320, 240), Size(800, 480)),
    (PixelSize(300, 240), Size(480, 480)),
    (PixelSize(1, 7680), Size(480, 800)),
  ])
  func `a kiosk uses the size that covers most of the canvas`(canvas: PixelSize?, size: Size) throws
  {
    let description = try #require(read(kiosk(three), on: canvas).description)
    #expect(description.screen.size == size)
    let place = description.pages[0].controls[0].control.extent?.center
    #expect(place == (size.width > size.height ? Point(400, 100) : Point(100, 400)))
    #expect(description.screen.isRound == (size.width == size.height))
  }

  @Test func `choosing a size for a canvas always has the same result`() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      let canvas = PixelSize(.random(in: 1...7680, using: &random), .random(in: 1...4320))
      let screen = try #require(read(kiosk(three), on: canvas).description).screen
      #expect(screen.size(on: canvas) == screen.size, "\(canvas)")
      // No other size covers more.
      func share(_ size: Size) -> Double {
        let scale = min(Double(canvas.width) / size.width, Double(canvas.height) / size.height)
        return size.width * size.height * scale * scale
      }
      let most = screen.sizes.map(share).max() ?? 0
      #expect(share(screen.size) >= most * (1 - 1e-9), "\(canvas)")
    }
  }

  @Test func `if sizes cover equal parts of a canvas, the first is used`() throws {
    for (sizes, first) in [
      ("[[800, 400], [400, 800]]", Size(800, 400)), ("[[400, 800], [800, 400]]", Size(400, 800)),
    ] {
      let reading = read(kiosk("size: \(sizes)"), on: PixelSize(500, 500))
      #expect(try #require(reading.description).screen.size == first)
    }
  }

  @Test func `a single size is used for every canvas, and may be round on any shape`() throws {
    let text = kiosk("size: [800, 480], shape: round")
    let screen = try #require(read(text, on: PixelSize(480, 800)).description).screen
    #expect(screen.size == Size(800, 480))
    #expect(screen.isRound)
    #expect(screen.size(on: PixelSize(480, 800)) == screen.size)
  }

  @Test func `an overlay replaces all sizes with one for its panel`() throws {
    var shelf = StubAssets()
    shelf.texts["k.overlay.yaml"] = "screen: {size: [640, 480]}\n"
    let reading = ParsedKiosk(
      Array(kiosk(three).utf8), path: "k.yaml", assets: shelf, canvas: PixelSize(480, 800))
    #expect(try #require(reading.description).screen.size == Size(640, 480))
  }

  @Test(arguments: [
    (
      "size: [[800, 480], [480, 800], [1600, 960]]",
      "2:41: error: another size has the same shape, so this size would never be used "
        + "(expected sizes of different shapes)"
    ),
    (
      "size: [[800, 480], 7]",
      "2:29: error: item 2 of \"size\" has the wrong type: 7 (expected a size "
    ),
    ("size: [[800, 480], [480]]", "2:29: error: item 2 of \"size\" has 1 items (expected a size "),
    ("size: [[800, 480], [4, 800]]", "2:30: error: item 1 is out of range: 4 (expected "),
    ("size: []", "2:16: error: \"size\" has 0 items (expected a size "),
  ])
  func `invalid sizes are reported`(screen: String, diagnostic: String) {
    #expect(
      diagnostics(kiosk(screen)).contains { $0.hasPrefix(diagnostic) },
      "\(diagnostics(kiosk(screen)))")
  }
}
