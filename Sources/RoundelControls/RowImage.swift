// SPDX-License-Identifier: MIT

internal import RoundelDrawing
internal import RoundelGeometry

extension ImageFit {
  static let rowSummary =
    "The scaling of the image: complete and centred, cropped to cover the row with round corners, or stretched to the row."
}

extension Tile {
  /// A completely shown image may be a symbol, so it has space around it.
  static func rowImage(_ image: String, _ fit: ImageFit, in row: Rect, isMoving: Bool) -> Tile {
    guard fit != .contain else {
      let box = Rect(center: row.center, size: Size(row.width * 0.88, row.height * 0.86))
      return Tile(.rect(box), .image(image, frame: box, fit: fit, isMoving: isMoving))
    }
    let gap = min(row.width, row.height) * 0.04
    let box = row.inset(by: gap)
    let corner = min(box.width, box.height) * 0.12
    return Tile(
      .roundedRect(RoundedRect(box, radius: corner)),
      .image(image, frame: box, fit: fit, isMoving: isMoving))
  }
}
