// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelGeometry
internal import RoundelJSON
internal import Kiosk
internal import RoundelRaster
internal import RoundelRuntime

extension StudioKiosk {
  /// The longer side in pixels.
  private static let thumbnail = 200.0
  private static let maximumThumbnails = 64

  var pagesAnswer: PagesAnswer {
    guard let stage else { return PagesAnswer() }
    let design = stage.content.description.screen.size
    let scale = Self.thumbnail / max(design.width, design.height)
    let size = PixelSize(
      max(Int((design.width * scale).rounded()), 1), max(Int((design.height * scale).rounded()), 1))
    let painter = Painter(
      size: size, viewport: stage.viewport(on: size), fonts: stage.content.fonts,
      images: stage.content.images)
    let pages = stage.engine.declaredPages.enumerated().map { index, page in
      guard index < Self.maximumThumbnails else { return PagesAnswer.Page(name: page.name) }
      painter.show(stage.engine.displayList(of: index))
      let png = PNG.encode(painter.canvas())
      return PagesAnswer.Page(name: page.name, picture: PictureAddress.of(png: png))
    }
    return PagesAnswer(
      pages: pages, links: stage.content.description.pageLinks, width: size.width,
      height: size.height)
  }
}
