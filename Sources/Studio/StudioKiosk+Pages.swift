// SPDX-License-Identifier: MIT

internal import Declarations
internal import Drawing
internal import Geometry
internal import JSON
internal import Kiosk
internal import Raster
internal import Runtime

// The pages of the kiosk in small.

extension StudioKiosk {
  /// Pixels of the longer side of a page's small picture.
  private static let thumbnail = 200.0
  private static let maximumThumbnails = 64

  /// Pictures of all pages, and where they lead.
  var pagesMessage: JSONValue {
    guard let stage else { return ["type": "pages", "pages": [], "links": []] }
    let design = stage.content.description.screen.size
    let scale = Self.thumbnail / max(design.width, design.height)
    let size = PixelSize(
      max(Int((design.width * scale).rounded()), 1), max(Int((design.height * scale).rounded()), 1))
    let painter = Painter(
      size: size, viewport: stage.viewport(on: size), fonts: stage.content.fonts,
      images: stage.content.images)
    let pages = stage.engine.pages.enumerated().map { index, page -> JSONValue in
      guard index < Self.maximumThumbnails else { return ["name": .string(page.name)] }
      painter.show(stage.engine.displayList(of: index))
      let png = PNG.encode(painter.canvas())
      return ["name": .string(page.name), "picture": .string(PictureAddress.of(png: png))]
    }
    let links = stage.content.description.pageLinks.map { link -> JSONValue in
      [
        "from": link.from.map { .string($0) } ?? .null, "to": .string(link.to),
        "cause": .string(link.cause),
      ]
    }
    return [
      "type": "pages", "pages": .array(pages), "links": .array(links),
      "width": .number(Double(size.width)), "height": .number(Double(size.height)),
    ]
  }
}
