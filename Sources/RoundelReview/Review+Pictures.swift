// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelGeometry
internal import Kiosk
internal import KioskFile

extension Review {
  /// The maximum invisible distortion as a ratio.
  private static let maximumStretch = 1.05

  mutating func review(_ image: String, over frame: Rect, of entry: PlacedControl) {
    // A `Picture` is stretched only if the file requests it.
    guard let size = images[image]?.size, entry.control is Picture == false, !frame.isEmpty,
      size.width > 0, size.height > 0
    else { return }
    let stretch = frame.width / frame.height / (Double(size.width) / Double(size.height))
    guard max(stretch, 1 / stretch) > Self.maximumStretch else { return }
    record(
      .isStretched, of: image, in: entry.id,
      ParsedKiosk.Warning(
        "the image \(image.fileName.quoted), \(size) pixels, is stretched in \(entry.id.quoted)",
        expected: "an image with the aspect ratio of \(frame.width.brief) by \(frame.height.brief)",
        at: .control(entry)))
  }

  /// Finds wedges that show a slice of a whole picture.
  mutating func reviewPictures(of pinwheel: Pinwheel, _ entry: PlacedControl) {
    // If all wedges have the same image, the wheel shows it whole.
    guard Set(pinwheel.wedges.map(\.image)).count > 1 else { return }
    for wedge in pinwheel.wedges {
      guard let image = wedge.image, images[image]?.isOpaque == true else { continue }
      record(
        .isSliced, of: wedge.id, in: entry.id,
        ParsedKiosk.Warning(
          """
          \(wedge.id.quoted) shows only a slice of \(image.fileName.quoted), which covers the whole pinwheel
          """,
          expected: "a \"photo\", or an image that is transparent outside the wedge",
          at: .item(wedge.id, of: entry)))
    }
  }

  /// Finds steep labels although all would fit horizontally.
  mutating func reviewLabels(of pinwheel: Pinwheel, _ entry: PlacedControl) {
    guard let steep = pinwheel.steepLabel, pinwheel.hasRoomForLevelLabels else { return }
    record(
      .isSteep, of: steep, in: entry.id,
      ParsedKiosk.Warning(
        "\(steep.quoted) runs from bottom to top, although the labels of \(entry.id.quoted) would fit horizontally",
        expected: "\"labels: auto\" or \"labels: upright\"", at: .key("labels", of: entry)))
  }
}

extension String {
  fileprivate var fileName: String {
    lastIndex(of: "/").map { String(self[index(after: $0)...]) } ?? self
  }
}
