// SPDX-License-Identifier: MIT

import Geometry
import JSON
import KioskFile
import LinuxIO
import Runtime

/// The page that a panel shows when there is no kiosk to show: what is wrong, and how to reach the
/// machine.
struct FaultPage: Equatable {
  /// The kiosk file.
  private let path: String
  /// What is wrong.
  private let reasons: [String]
  /// The upright canvas that it fills.
  private let canvas: PixelSize
  private let hostName = MachineAddress.hostName
  private let addresses = MachineAddress.addresses

  private static let maximumReasons = 6
  private static let maximumReasonLength = 400
  private static let maximumAddresses = 4

  /// What is taken for the panel's size before that is known.
  static let usualCanvas = PixelSize(1280, 800)

  init(_ path: String, _ reasons: [String], on canvas: PixelSize) {
    self.path = path
    self.reasons = reasons
    self.canvas = canvas
  }

  var content: Content {
    get throws(Failure) {
      let assets = Assets()
      let parsed = ParsedKiosk(Array(text.utf8), path: path, assets: assets, limit: .ofKioskFile)
      guard let description = parsed.description else {
        throw Failure(.badFile, "the page that says what is wrong cannot be shown")
      }
      assets.addFallback()
      return Content(description, fonts: assets.fonts, images: assets.images)
    }
  }

  /// Where its texts are, in design pixels: one below the other, between margins.
  private struct Places {
    /// The size of texts but for the title's.
    static let fontSize = 26.0
    /// What a text measures at least, in pixels of the canvas, and as a share of its shorter side.
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
      // A narrow panel has more lines, and a low one less room between them.
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

  private var text: String {
    let places = Places(canvas)
    func label(_ id: String, _ place: Rect, _ fontSize: Double, _ text: String, _ color: String)
      -> String
    {
      """
            - label: \(id)
              at: [\(place.center.x), \(place.center.y)]
              size: [\(place.width), \(place.height)]
              text: \(quoted(text))
              align: left
              font_size: \(fontSize)
              color: "\(color)"

      """
    }
    return """
      kiosk: roundel
      screen: {size: [\(places.size.width), \(places.size.height)], background: "#10151c", rotate: auto}
      pages:
        - page: fault
          controls:

      """
        + label(
          "title", places.title, places.titleSize, "This kiosk cannot be shown", "#f0b35a")
        + label("file", places.file, Places.fontSize, path, "#9fb0c3")
        + label("reasons", places.reasons, Places.fontSize, shownReasons, "#ffffff")
        + label("help", places.help, Places.fontSize, help, "#9fb0c3")
  }

  private var shownReasons: String {
    reasons.prefix(Self.maximumReasons).map { String($0.prefix(Self.maximumReasonLength)) }
      .joined(separator: "\n")
  }

  private var help: String {
    let places = [hostName] + addresses.prefix(Self.maximumAddresses)
    return """
      To mend it, log in over the network: ssh \(places.joined(separator: ", or "))
      The kiosk comes back by itself as soon as its file is mended.
      """
  }

  /// As a text of a kiosk file that holds no templates.
  private func quoted(_ text: String) -> String {
    let literal = text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0).printable }.joined(separator: "\n")
      .reduce(into: "") { $0 += $1 == "{" || $1 == "}" ? "\($1)\($1)" : "\($1)" }
    return JSONValue.string(literal).text
  }
}
