// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDrawing
package import RoundelGeometry
internal import RoundelJSON
internal import Kiosk
internal import LinuxIO
package import RoundelRuntime
internal import SystemFonts

/// A page with the errors and the machine's addresses, shown if the kiosk can't be shown.
package struct FaultPage: Equatable {
  private let path: String
  /// The problems, one per line.
  private let reasons: [String]
  /// The unrotated size.
  private let canvas: PixelSize
  private let hostName = MachineAddress.hostName
  private let addresses = MachineAddress.addresses

  private static let maximumReasons = 6
  private static let maximumReasonLength = 400
  private static let maximumAddresses = 4

  /// The canvas before the panel's size is known.
  package static let usualCanvas = PixelSize(1280, 800)

  package init(_ path: String, _ reasons: [String], on canvas: PixelSize) {
    self.path = path
    self.reasons = reasons
    self.canvas = canvas
  }

  package var content: Content {
    let description = description
    let fonts = FontLoader()
    // Without the configured font, use any font that has the characters.
    for face in description.screen.font.faces { try? fonts.load(face) }
    fonts.loadFallback()
    return Content(description, fonts: fonts.library)
  }

  /// The layout in design pixels: a column of text between margins.
  private struct Places {
    static let fontSize = 26.0
    /// The minimum in pixels of the canvas, and as a fraction of its shorter side.
    private static let (minimumPixels, share) = (16.0, 26.0 / 800)

    let size: Size
    let titleSize: Double
    let title, file, reasons, help: Rect

    init(_ canvas: PixelSize) {
      let (width, height) = (Double(max(1, canvas.width)), Double(max(1, canvas.height)))
      let text = max(Self.minimumPixels, min(width, height) * Self.share)
      let size = Size(width * Self.fontSize / text, height * Self.fontSize / text)
      let side = min(80, size.width * 0.06)
      let inner = size.width - 2 * side
      // Narrow panels get more lines, low ones less space between lines.
      let lines = inner < 1000 ? 2.0 : 1
      let line = min(40, size.height * 0.05)
      func rect(from top: Double, to bottom: Double) -> Rect {
        Rect(x0: side, y0: top, x1: size.width - side, y1: bottom)
      }
      let top = min(68, size.height * 0.05)
      let bottom = size.height - top + 20
      titleSize = min(48, inner / 14, line * 1.5)
      title = rect(from: top, to: top + line * 1.8)
      file = rect(from: title.y1, to: title.y1 + line * lines)
      help = rect(from: bottom - line * (2 + 2 * lines), to: bottom)
      reasons = rect(from: file.y1 + line / 2, to: help.y0 - line / 2)
      self.size = size
    }
  }

  private var description: Description {
    let places = Places(canvas)
    func label(
      _ id: String, in place: Rect, _ text: String, _ color: UInt32,
      fontSize: Double = Places.fontSize
    ) -> PlacedControl {
      PlacedControl(
        id: id, kind: "label",
        control: Label(
          center: place.center, text: text.printableLines, fontSize: fontSize,
          color: .hex(color), alignment: .left, size: Size(place.width, place.height)))
    }
    return Description(
      name: "roundel",
      screen: Screen(size: places.size, background: .hex(0x10151c), rotation: nil),
      pages: [
        Page(
          name: "fault",
          controls: [
            label(
              "title", in: places.title, "This kiosk cannot be shown", 0xf0b35a,
              fontSize: places.titleSize),
            label("file", in: places.file, path, 0x9fb0c3),
            label("reasons", in: places.reasons, shownReasons, 0xffffff),
            label("help", in: places.help, help, 0x9fb0c3),
          ])
      ])
  }

  private var shownReasons: String {
    reasons.prefix(Self.maximumReasons).map { String($0.prefix(Self.maximumReasonLength)) }
      .joined(separator: "\n")
  }

  private var help: String {
    let places = [hostName] + addresses.prefix(Self.maximumAddresses)
    return """
      To fix it, log in over the network: ssh \(places.joined(separator: ", or "))
      The kiosk returns as soon as its file is fixed.
      """
  }
}
