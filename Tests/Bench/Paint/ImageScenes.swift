// SPDX-License-Identifier: MIT

import RoundelDrawing
import RoundelGeometry
import Glibc
import RoundelRaster
import TestSupport

/// The scenes with images.
extension Scenes {
  /// The images by name. `peer.h` creates the same images by number.
  static let images: [String: ImageFile] = {
    var images = ["face": image(0, PixelSize(800, 800)), "page": image(1, PixelSize(1280, 800))]
    for wedge in 0..<4 {
      images["rest\(wedge)"] = image(2 + wedge, PixelSize(640, 640))
      images["pressed\(wedge)"] = image(6 + wedge, PixelSize(640, 640))
    }
    for icon in 0..<icons { images["icon\(icon)"] = image(10 + icon, PixelSize(128, 128)) }
    return images
  }()

  private static let icons = 8

  /// Smooth gradients of red and green, and a blue disc.
  private static func image(_ number: Int, _ size: PixelSize) -> ImageFile {
    func slope(_ place: Int) -> UInt32 {
      let step = place % 512
      return UInt32(step < 256 ? step : 511 - step)
    }
    let pixels = (0..<size.width * size.height).map { place -> UInt32 in
      let (u, v) = (
        place % size.width * 512 / size.width, place / size.width * 512 / size.height
      )
      let reach = (u - 256) * (u - 256) + (v - 256) * (v - 256)
      let blue: UInt32 = reach < 20_000 + 8_000 * (number % 5) ? 230 : 70
      return 0xff00_0000 | slope(u + 60 * number) << 16 | slope(v + 110 * number) << 8 | blue
    }
    return ImageFile(Bitmap(size: size, pixels: pixels))
  }

  /// A rotating disc with an image, and twelve numbers if it has labels.
  static func face(_ frame: Int, hasLabels: Bool = true) -> DisplayList {
    var list = DisplayList(background: background)
    let turn = dialTurn(frame)
    let square = Rect(center: center, size: Size(760, 760))
    list.add(
      DisplayItem(
        .disc(center: center, radius: 380),
        .image("face", frame: square, turn: turn, isMoving: true)))
    for number in 0..<(hasLabels ? 12 : 0) {
      let angle = turn + .degrees(30 * Double(number))
      list.add(
        .text(
          TextRun(
            number < 10 ? "0\(number)" : "\(number)", font: font, size: 22,
            at: center + angle.unit * 340, angle: angle, isMoving: true)), .white)
    }
    return list
  }

  private static func quarter(_ wedge: Int) -> Shape {
    let start = 90 * Double(wedge) + 0.75
    return .sector(
      Sector(
        center: center, innerRadius: 90, outerRadius: 380, start: .degrees(start),
        end: .degrees(start + 88.5)))
  }

  /// Four wedges with images. One may show another image, or have a veil.
  static func art(pressed: Int? = nil, veiled: Int? = nil) -> DisplayList {
    let square = Rect(center: center, size: Size(760, 760))
    var list = DisplayList(background: background)
    list.add(
      DisplayItem(
        (0..<4).map { wedge in
          Tile(
            quarter(wedge),
            .image(wedge == pressed ? "pressed\(wedge)" : "rest\(wedge)", frame: square))
        }))
    if let veiled { list.add(quarter(veiled), Color.white.faded(to: 0.6)) }
    return list
  }

  /// Eight icons on discs with a different size in each frame, over a page with an image.
  static func iconPage(_ frame: Int) -> DisplayList {
    var list = DisplayList(background: background)
    let page = Rect(size: Size(1280, 800))
    list.add(DisplayItem(.rect(page), .image("page", frame: page)))
    let radius = 70 + 30 * sin(0.05 * Double(frame))
    for icon in 0..<icons {
      let middle = center + Angle.degrees(45 * Double(icon)).unit * 270
      let square = Rect(center: middle, size: Size(1.3 * radius, 1.3 * radius))
      list.add(.disc(center: middle, radius: radius), face)
      list.add(
        DisplayItem(.rect(square), .image("icon\(icon)", frame: square, isMoving: true)))
    }
    return list
  }

  /// Five reels with an image per row, unblurred, each at a different speed.
  static func reels(_ frame: Int) -> DisplayList {
    let (width, height) = (224.0, 175.0)
    let icon = Rect(center: Point(width / 2, height / 2), size: Size(140, 140))
    let rows = (0..<6).map { number in
      Strip.Row(
        background: face, Tile(.rect(icon), .image("icon\(number)", frame: icon)))
    }
    var list = DisplayList(background: background)
    list.add(
      DisplayItem(
        (0..<5).map { reel in
          let shift = frame * (5 + 2 * reel) % (6 * 175)
          let first = shift / 175
          let window = Rect(
            origin: Point(40 + 244 * Double(reel), 50), size: Size(width, 4 * height))
          return Tile(
            .rect(window),
            .strip(
              Strip(
                frame: window, rowHeight: height,
                rows: (first..<first + 5).map { rows[($0 + reel) % 6] },
                offset: -Double(shift % 175))))
        }))
    return list
  }
}
