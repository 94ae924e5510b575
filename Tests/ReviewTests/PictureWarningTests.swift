// SPDX-License-Identifier: MIT

import RoundelDrawing
import RoundelGeometry
import Testing

@Suite struct PictureWarningTests {
  private static func picture(_ width: Int, _ height: Int, isOpaque: Bool = true) -> ImageMask {
    ImageMask(size: PixelSize(width, height)) { isOpaque || $0 > 0 }
  }

  @Test func `a stretched image is reported, unless the file requests it`() {
    let controls = """
      {dial: d, at: [600, 240], radius: 150, labels: 12, background: {image: face.png}},
      {image: i, at: [200, 300], size: [100, 200], file: wide.png, fit: fill},
      {button: b, at: [200, 100], size: [300, 100], image: wide.png, text: Go},
      """
    let images = { face in ["wide.png": Self.picture(600, 100), "face.png": face] }
    #expect(warnings(controls: controls, images: images(Self.picture(500, 505))) == [])
    #expect(
      warnings(controls: controls, images: images(Self.picture(600, 300))) == [
        "6:8: warning: the image \"face.png\", 600x300 pixels, is stretched in \"d\" "
          + "(expected an image with the aspect ratio of 300 by 300)"
      ])
  }

  @Test func `wedges with slices of a photo are reported, partly transparent art isn't`() {
    let wheel = { (a: String, b: String) in
      """
      {pinwheel: w, at: [400, 240], radius: 200,
      wedges: [{id: a, image: \(a)}, {id: b, image: \(b)}]},
      """
    }
    let images = [
      "photo.jpg": Self.picture(400, 400), "other.jpg": Self.picture(300, 300),
      "art.png": Self.picture(400, 400, isOpaque: false),
    ]
    #expect(
      warnings(controls: wheel("photo.jpg", "other.jpg"), images: images) == [
        "7:15: warning: \"a\" shows only a slice of \"photo.jpg\", which covers the whole pinwheel, "
          + "and 1 more in it (expected a \"photo\", or an image that is transparent outside the wedge)"
      ])
    #expect(warnings(controls: wheel("photo.jpg", "photo.jpg"), images: images) == [])
    #expect(warnings(controls: wheel("art.png", "art.png"), images: images) == [])
  }

  @Test func `labels read from below are reported if they could be horizontal`() {
    let wheel = { (labels: String, words: [String]) in
      let wedges = words.map { "{id: \($0), label: \($0)}" }.joined(separator: ", ")
      return """
        {pinwheel: w, at: [400, 240], radius: 220, hole: 60, labels: \(labels), wedges: [\(wedges)]},
        """
    }
    let short = ["Tea", "Milk", "Cocoa", "Water"]
    let found = warnings(controls: wheel("radial", short))
    #expect(found.count == 1)
    #expect(
      found.first?.hasSuffix(
        "runs from bottom to top, although the labels of \"w\" would fit horizontally "
          + "(expected \"labels: auto\" or \"labels: upright\")") == true)
    #expect(warnings(controls: wheel("auto", short)) == [])
    let many = (0..<24).map { "Station\($0)" }
    #expect(
      warnings(controls: wheel("radial", many)).allSatisfy {
        !$0.contains("would fit horizontally")
      })
  }

  @Test func `text sizes are judged by the actual panel`() {
    let controls = "{label: l, at: [400, 240], text: Hello, font_size: 16},"
    #expect(warnings(controls: controls) == [])
    #expect(warnings(controls: controls, panel: PixelSize(1600, 960)) == [])
    #expect(
      warnings(controls: controls, panel: PixelSize(320, 240)) == [
        "6:34: warning: \"Hello\" is 16 pixels high, too small to be readable at a distance that shows the whole screen "
          + "on a panel of 320x240 (expected at least 20)"
      ])
    // A panel with other proportions shows the screen smaller than possible.
    #expect(!warnings(controls: controls, panel: PixelSize(360, 800)).isEmpty)
  }
}
