// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDrawing
package import RoundelGeometry
internal import RoundelJSON
internal import Kiosk
internal import LinuxIO
internal import QRCodes
package import RoundelRuntime
internal import SystemFonts

/// A page for the public instead of the kiosk and, behind a press of five seconds, a page with the
/// errors and the machine's addresses.
package struct FaultPage: Equatable {
  private let path: String
  private let reasons: [String]
  /// The unrotated size.
  private let canvas: PixelSize
  /// The languages of the last working copy.
  package let languages: [String]
  private let hostName = MachineAddress.hostName
  private let addresses = MachineAddress.addresses

  private static let maximumReasons = 6
  private static let maximumReasonLength = 400
  private static let maximumAddresses = 4

  /// The canvas before the panel's size is known.
  package static let usualCanvas = PixelSize(1280, 800)

  package init(
    _ path: String, _ reasons: [String], on canvas: PixelSize, languages: [String] = []
  ) {
    self.languages = languages
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

  /// Six letters for a call to a technician, equal for the same file and errors.
  package var code: String {
    // FNV-1a, because a hash of Swift differs between processes.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in ([path] + reasons).joined(separator: "\n").utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    // Without letters that look like others.
    let letters = Array("ABCDEFGHJKLMNPRSTUVWXYZ")
    return String((0..<6).map { letters[Int(hash >> (UInt64($0) * 10) % UInt64(letters.count))] })
  }

  private static let outOfOrder = [
    "en": "Out of order", "de": "Außer Betrieb", "fr": "Hors service", "es": "Fuera de servicio",
    "it": "Fuori servizio", "nl": "Buiten gebruik", "pt": "Fora de serviço", "pl": "Nieczynne",
    "cs": "Mimo provoz", "tr": "Hizmet dışı", "uk": "Не працює", "ru": "Не работает",
    "ar": "خارج الخدمة", "he": "לא בשימוש", "ja": "調整中", "zh": "暂停服务", "ko": "고장",
    "th": "งดให้บริการ", "hi": "बंद है",
  ]

  /// The sentences for the public, at most four, the first in large letters.
  private var notices: [String] {
    var notices: [String] = []
    for language in languages + ["en"] {
      let base = language.split(separator: "-").first.map(String.init) ?? language
      if let text = Self.outOfOrder[base], !notices.contains(text) { notices.append(text) }
    }
    return Array(notices.prefix(4))
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
        publicPage(places.size),
        Page(
          name: "fault", homeAfter: 120,
          controls: [
            label(
              "title", in: places.title, "This kiosk cannot be shown", 0xf0b35a,
              fontSize: places.titleSize),
            label("file", in: places.file, path, 0x9fb0c3),
            label("reasons", in: places.reasons, shownReasons, 0xffffff),
            label("help", in: places.help, help, 0x9fb0c3),
          ]),
      ])
  }

  private func publicPage(_ size: Size) -> Page {
    let side = min(size.width, size.height)
    let notices = notices
    let large = min(side * 0.14, size.width * 0.11)
    var controls: [PlacedControl] = []
    func add(_ id: String, _ text: String, at y: Double, _ em: Double, _ color: UInt32) {
      controls.append(
        PlacedControl(
          id: id, kind: "label",
          control: Label(
            center: Point(size.width / 2, y), text: text, fontSize: em, color: .hex(color),
            alignment: .center, size: Size(size.width * 0.9, em * 1.6))))
    }
    let step = large * 1.1
    var y = size.height * 0.42 - step * Double(notices.count - 1) / 2
    for (index, text) in notices.enumerated() {
      add("notice\(index)", text, at: y, index == 0 ? large : large * 0.6, 0xf0f2f5)
      y += step
    }
    let code = side * 0.16
    let middle = size.height - code * 0.9
    add("code", self.code, at: middle, side * 0.045, 0x9fb0c3)
    if let picture = try? QRCode(
      center: Point(size.width - code * 0.9, middle), size: Size(code, code),
      text: "\(self.code) ssh \(hostName)", color: .hex(0x10151c), background: .hex(0x9fb0c3))
    {
      controls.append(PlacedControl(id: "qr", kind: "qr", control: picture))
    }
    var page = Page(
      name: "public", controls: controls,
      actions: ["held": [Action(.go(page: "fault"))]])
    page.hold = 5
    return page
  }

  private var shownReasons: String {
    reasons.prefix(Self.maximumReasons).map { String($0.prefix(Self.maximumReasonLength)) }
      .joined(separator: "\n")
  }

  private var help: String {
    let places = [hostName] + addresses.prefix(Self.maximumAddresses)
    return """
      To fix it, log in over the network: ssh \(places.joined(separator: ", or "))
      The kiosk returns as soon as its file is fixed. The code of this error is \(code).
      """
  }
}
