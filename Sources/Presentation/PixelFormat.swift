// SPDX-License-Identifier: MIT

/// How a panel's memory holds a pixel: as a little-endian word, described from the highest bits on.
package enum PixelFormat: Hashable, Sendable {
  // Names and layouts of `drm_fourcc.h`.
  case xrgb8888
  /// As `xrgb8888`, for planes that take nothing else; alpha is always 255.
  case argb8888
  /// Ordered dithering hides the steps.
  case rgb565
  /// Any other layout of red, green and blue.
  case channels(ChannelLayout)

  /// Those that have a name, the best first.
  package static let named: [PixelFormat] = [.xrgb8888, .argb8888, .rgb565]

  package var bytesPerPixel: Int {
    switch self {
    case .xrgb8888, .argb8888: 4
    case .rgb565: 2
    case .channels(let layout): layout.bytesPerPixel
    }
  }
}

/// Where red, green and blue are in the word of a pixel.
package struct ChannelLayout: Hashable, Sendable {
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
  let red: Channel
  let green: Channel
  let blue: Channel
  /// The bits of alpha, all of which are set.
  let opaque: UInt32

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

  /// The format of this layout: one with a name where there is one.
  package var format: PixelFormat {
    func lies(_ channel: Channel, _ offset: Int, _ length: Int) -> Bool {
      channel.offset == offset && channel.length == length
    }
    if bytesPerPixel == 4, lies(red, 16, 8), lies(green, 8, 8), lies(blue, 0, 8) {
      return .argb8888
    }
    if bytesPerPixel == 2, lies(red, 11, 5), lies(green, 5, 6), lies(blue, 0, 5) {
      return .rgb565
    }
    return .channels(self)
  }
}
