// SPDX-License-Identifier: MIT

internal import RoundelDrawing
internal import RoundelGeometry
internal import KioskProtocol
internal import RoundelRaster

struct RemotePicture {
  private(set) var size = PixelSize(0, 0)
  /// The visible part of the design.
  private(set) var area = Rect(size: Size(0, 0))
  private var pixels: [UInt32] = []
  private var frame = 0
  /// The last parts, without gaps.
  private var parts: [(frame: Int, rect: PixelRect)] = []

  private static let maximumParts = 64
  private static let maximumPixels = 7680 * 4320

  private var whole: PixelRect { PixelRect(size: size) }

  /// Ignores parts that are outside of the picture, or aren't pictures.
  mutating func take(_ answer: FrameAnswer) {
    let new = PixelRect(size: answer.size)
    guard !new.isEmpty, new.area <= Self.maximumPixels else { return }
    area = answer.area
    if answer.size != size {
      size = answer.size
      pixels = Array(repeating: 0xff00_0000, count: new.area)
      parts = []
      frame += 1
    }
    // The parts of a frame share its pixels, but may overlap because of rounding.
    var limit = PNG.Limit(
      maximumSide: max(size.width, size.height), maximumArea: 2 * size.width * size.height)
    for part in answer.parts {
      guard (0..<size.width).contains(part.x), (0..<size.height).contains(part.y),
        let bitmap = try? PNG.decode(part.png, limit: limit)
      else { continue }
      limit.maximumArea -= bitmap.pixels.count
      let rect = PixelRect(
        x0: part.x, y0: part.y, x1: part.x + bitmap.size.width, y1: part.y + bitmap.size.height)
      guard whole.contains(rect) else { continue }
      for row in 0..<rect.height {
        let start = (rect.y0 + row) * size.width + rect.x0
        let own = row * rect.width
        pixels.replaceSubrange(
          start..<(start + rect.width), with: bitmap.pixels[own..<(own + rect.width)])
      }
      frame += 1
      parts.append((frame, rect))
      if parts.count > Self.maximumParts { parts.removeFirst() }
    }
  }

  /// Returns the changed parts since a page's last picture, or nil without a picture.
  func parts(since old: SeenPicture?) -> (parts: [[UInt8]], seen: SeenPicture)? {
    guard !whole.isEmpty else { return nil }
    let seen = SeenPicture.there(frame: frame, size)
    guard old != seen else { return ([], seen) }
    var bands = DamageBands()
    if case .there(let known, size)? = old, let first = parts.first, first.frame <= known + 1 {
      for part in parts where part.frame > known { bands.add(part.rect) }
    } else {
      bands.add(whole)
    }
    let rects = bands.damage.clipped(to: whole).rects
    return (rects.map { PictureMessage.bytes(block($0), of: size) }, seen)
  }

  private func block(_ rect: PixelRect) -> PixelBlock {
    var own: [UInt32] = []
    own.reserveCapacity(rect.area)
    for y in rect.y0..<rect.y1 {
      own += pixels[(y * size.width + rect.x0)..<(y * size.width + rect.x1)]
    }
    return PixelBlock(rect, pixels: own)
  }

  // MARK: Positions

  /// Picture pixels per design pixel.
  var scale: Double { area.width > 0 ? Double(size.width) / area.width : 1 }

  func designPoint(_ pixel: Point) -> Point? {
    guard !whole.isEmpty else { return nil }
    return Point(area.x0 + pixel.x / scale, area.y0 + pixel.y / scale)
  }

  func rect(of part: Rect) -> Rect {
    Rect(
      x0: (part.x0 - area.x0) * scale, y0: (part.y0 - area.y0) * scale,
      x1: (part.x1 - area.x0) * scale, y1: (part.y1 - area.y0) * scale)
  }
}
