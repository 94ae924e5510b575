// SPDX-License-Identifier: MIT

/// The layout of a pixel in a panel's memory, as a little-endian word.
package struct PixelFormat: Hashable, Sendable, CustomStringConvertible {
  /// The name in `drm_fourcc.h` without its prefix, such as `XRGB8888`. For other formats, the
  /// positions of the colours.
  package let description: String
  /// The code in `drm_fourcc.h`, such as `XR24`, or an empty string.
  package let code: String
  package let channels: ChannelLayout

  package var bytesPerPixel: Int { channels.bytesPerPixel }

  /// - Parameter letters: The highest bits first.
  private init(_ letters: String, _ lengths: [Int], _ code: String) {
    description = letters + lengths.map(String.init).joined()
    self.code = code
    var fields: [Character: ChannelLayout.Channel] = [:]
    var offset = lengths.reduce(0, +)
    let bits = offset
    for (letter, length) in zip(letters, lengths) {
      offset -= length
      fields[letter] = ChannelLayout.Channel(offset: offset, length: length)
    }
    let none = ChannelLayout.Channel(offset: 0, length: 0)
    guard
      let channels = ChannelLayout(
        bitsPerPixel: bits, red: fields["R"] ?? none, green: fields["G"] ?? none,
        blue: fields["B"] ?? none, alpha: fields["A"] ?? fields["X"] ?? none)
    else { preconditionFailure("an invalid format in the table: \(letters)") }
    self.channels = channels
  }

  /// The format of a layout: the named format with the same colours and alpha, if any. Bits outside
  /// the colours are set if the layout declares them as alpha.
  package init(_ channels: ChannelLayout) {
    let twin = Self.named.first {
      $0.channels.hasSameColors(as: channels)
        && ($0.channels.opaque == channels.opaque || $0.channels.isPictures)
    }
    description = twin?.description ?? channels.description
    code = twin?.code ?? ""
    self.channels = twin?.channels ?? channels
  }

  /// The supported formats of `drm_fourcc.h`. Bits outside the colours are set, whether they are
  /// alpha or unused.
  package static let named: [PixelFormat] = [
    family(["XRGB": "XR", "ARGB": "AR", "XBGR": "XB", "ABGR": "AB"], [8, 8, 8, 8], "24"),
    family(["RGBX": "RX", "RGBA": "RA", "BGRX": "BX", "BGRA": "BA"], [8, 8, 8, 8], "24"),
    family(["RGB": "RG", "BGR": "BG"], [8, 8, 8], "24"),
    family(["RGB": "RG", "BGR": "BG"], [5, 6, 5], "16"),
    family(["XRGB": "XR", "ARGB": "AR", "XBGR": "XB", "ABGR": "AB"], [1, 5, 5, 5], "15"),
    family(["RGBX": "RX", "RGBA": "RA", "BGRX": "BX", "BGRA": "BA"], [5, 5, 5, 1], "15"),
    family(["XRGB": "XR", "ARGB": "AR", "XBGR": "XB", "ABGR": "AB"], [4, 4, 4, 4], "12"),
    family(["RGBX": "RX", "RGBA": "RA", "BGRX": "BX", "BGRA": "BA"], [4, 4, 4, 4], "12"),
    family(["XRGB": "XR", "ARGB": "AR", "XBGR": "XB", "ABGR": "AB"], [2, 10, 10, 10], "30"),
    family(["RGBX": "RX", "RGBA": "RA", "BGRX": "BX", "BGRA": "BA"], [10, 10, 10, 2], "30"),
  ].flatMap(\.self)

  private static func family(
    _ codes: KeyValuePairs<String, String>, _ lengths: [Int], _ depth: String
  ) -> [PixelFormat] {
    codes.map { PixelFormat($0.key, lengths, $0.value + depth) }
  }

  package init?(named name: String) {
    guard let format = Self.named.first(where: { $0.description == name }) else { return nil }
    self = format
  }

  /// The format of the picture's own pixels: 0xFFRRGGBB.
  package static let xrgb8888 = PixelFormat("XRGB", [8, 8, 8, 8], "XR24")
  package static let rgb565 = PixelFormat("RGB", [5, 6, 5], "RG16")

  /// Bits of its colours.
  package var depth: Int {
    channels.red.length + channels.green.length + channels.blue.length
  }

  /// A display controller may blend with alpha.
  package var hasAlpha: Bool { description.contains("A") }
}

package struct ChannelLayout: Hashable, Sendable, CustomStringConvertible {
  /// The offset counts from the word's lowest bit.
  package struct Channel: Hashable, Sendable {
    package var offset: Int
    package var length: Int

    package init(offset: Int, length: Int) {
      self.offset = offset
      self.length = length
    }

    fileprivate var mask: UInt32 {
      length == 0 ? 0 : (UInt32.max >> UInt32(32 - length)) << UInt32(offset)
    }
  }

  package let bytesPerPixel: Int
  package let red: Channel
  package let green: Channel
  package let blue: Channel
  /// The bits of alpha.
  package let opaque: UInt32

  /// Returns nil unless the word has 16, 24 or 32 bits, each colour 1 … 16, and channels are inside
  /// the word without overlap. Alpha may have length 0.
  package init?(
    bitsPerPixel: Int, red: Channel, green: Channel, blue: Channel,
    alpha: Channel = Channel(offset: 0, length: 0)
  ) {
    guard [16, 24, 32].contains(bitsPerPixel) else { return nil }
    var taken: UInt32 = 0
    for (channel, isColour) in [(red, true), (green, true), (blue, true), (alpha, false)] {
      let lengths = isColour ? 1...16 : 0...16
      guard lengths.contains(channel.length), (0...bitsPerPixel).contains(channel.offset),
        channel.offset + channel.length <= bitsPerPixel, taken & channel.mask == 0
      else { return nil }
      taken |= channel.mask
    }
    bytesPerPixel = bitsPerPixel / 8
    self.red = red
    self.green = green
    self.blue = blue
    opaque = alpha.mask
  }

  fileprivate func hasSameColors(as other: ChannelLayout) -> Bool {
    bytesPerPixel == other.bytesPerPixel && red == other.red && green == other.green
      && blue == other.blue
  }

  /// Whether pixels equal the picture's, 0xFFRRGGBB, in all visible bits.
  var isPictures: Bool {
    bytesPerPixel == 4 && red == Channel(offset: 16, length: 8)
      && green == Channel(offset: 8, length: 8) && blue == Channel(offset: 0, length: 8)
  }

  package var description: String {
    let bits = bytesPerPixel * 8
    return "\(bits) bits, red \(red), green \(green), blue \(blue)"
  }
}

extension ChannelLayout.Channel: CustomStringConvertible {
  package var description: String { "\(offset)+\(length)" }
}
