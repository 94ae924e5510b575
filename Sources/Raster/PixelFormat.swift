// SPDX-License-Identifier: MIT

/// How a panel's memory holds a pixel: as a little-endian word.
package struct PixelFormat: Hashable, Sendable, CustomStringConvertible {
  /// As `drm_fourcc.h` has it without its prefix, such as `XRGB8888`; of others, where the colours are.
  package let description: String
  /// The letters of its number in `drm_fourcc.h`, such as `XR24`; empty where it has none.
  package let code: String
  package let channels: ChannelLayout

  package var bytesPerPixel: Int { channels.bytesPerPixel }

  /// One of `named`, from its letters and their bits, the highest first.
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
    else { preconditionFailure("a format of the table that is none: \(letters)") }
    self.channels = channels
  }

  /// The format of a layout: one with a name where there is one, whatever its alpha. The bits that are no
  /// colour are set where the layout says that they are alpha.
  package init(_ channels: ChannelLayout) {
    let twin = Self.named.first {
      $0.channels.hasSameColors(as: channels)
        && ($0.channels.opaque == channels.opaque || $0.channels.isPictures)
    }
    description = twin?.description ?? channels.description
    code = twin?.code ?? ""
    self.channels = twin?.channels ?? channels
  }

  /// The formats of `drm_fourcc.h` that can be written. The formats of a family differ in the order of their
  /// letters; bits that are not a colour are set, whether they are alpha or mean nothing.
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

  /// The format of that name; nil where there is none.
  package init?(named name: String) {
    guard let format = Self.named.first(where: { $0.description == name }) else { return nil }
    self = format
  }

  /// The picture's own pixels: 0xFFRRGGBB.
  package static let xrgb8888 = PixelFormat("XRGB", [8, 8, 8, 8], "XR24")
  package static let rgb565 = PixelFormat("RGB", [5, 6, 5], "RG16")

  /// The bits of its colours.
  package var depth: Int {
    channels.red.length + channels.green.length + channels.blue.length
  }

  /// Whether it has alpha, which a display controller may blend with.
  package var hasAlpha: Bool { description.contains("A") }
}

/// Where red, green and blue are in the word of a pixel.
package struct ChannelLayout: Hashable, Sendable, CustomStringConvertible {
  /// So many bits from the word's lowest on.
  package struct Channel: Hashable, Sendable {
    package var offset: Int
    package var length: Int

    package init(offset: Int, length: Int) {
      self.offset = offset
      self.length = length
    }

    /// The bits of the word, as a number; 0 for a channel of no bits.
    fileprivate var mask: UInt32 {
      length == 0 ? 0 : (UInt32.max >> UInt32(32 - length)) << UInt32(offset)
    }
  }

  package let bytesPerPixel: Int
  package let red: Channel
  package let green: Channel
  package let blue: Channel
  /// The bits of alpha, all of which are set.
  package let opaque: UInt32

  /// Nil where the word has not 16, 24 or 32 bits, a colour has none or more than 16, or one channel
  /// lies outside of the word or upon another. An alpha of no length is none.
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

  /// Whether a pixel is one of a picture, 0xFFRRGGBB, or differs from it in nothing that is seen.
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
