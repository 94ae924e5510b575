// SPDX-License-Identifier: MIT

package import RoundelControls
internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelGeometry

extension QRCode {
  package static let keys = ControlKeys<QRCode>(
    "qr", "A QR code.",
    home: .reading("text")
  ) { keys, at in
    let size = keys.required("size", .size(32...100_000), "The width and height of the card.")
    keys.required(
      "text", .text, "The encoded text, such as an address. An empty text shows nothing.",
      at: \QRCode.text)
    keys.optional(
      "color", .color, default: "#10151c",
      "The colour of the modules, which must be darker than the background.",
      at: \QRCode.color)
    keys.optional(
      "background", .color, default: "#ffffff", "The colour of the card.", at: \QRCode.background)
    keys.optional(
      "quiet_zone", .integer(0...QRCode.maximumQuietZone), default: 4,
      "The number of empty modules around the code. Readers expect 4.", at: \QRCode.quietZone)
    keys.rule { (code: QRCode) throws(Conflict) in
      do throws(QRCode.TooLong) {
        try code.check()
      } catch {
        throw Conflict(
          "\"text\" is too long for a QR code: \(error.bytes) bytes", at: "text",
          expected: error.isLimitedBySize
            ? "at most \(error.maximumBytes) bytes in this size, or a larger \"size\""
            : "at most \(error.maximumBytes) bytes")
      }
    }
    return { fields in QRCode(center: fields[at], size: fields[size]) }
  }
}
