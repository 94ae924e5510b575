// SPDX-License-Identifier: MIT

import RoundelDrawing
import RoundelGeometry
import Glibc

/// The scenes that all peers paint, on a plane with a height of 800 pixels about its centre.
struct Scenes {
  static let font = Font("DejaVu Sans")
  static let background = Color(hex: 0x101418)
  static let face = Color(hex: 0x26303a)

  static let center = Point(640, 400)
  private static let colors: [UInt32] = [
    0xe53935, 0xfb8c00, 0xfdd835, 0x7cb342, 0x43a047, 0x00897b, 0x00acc1, 0x1e88e5, 0x3949ab,
    0x5e35b1, 0x8e24aa, 0xd81b60,
  ]
  private static let names = [
    "Kitchen", "Bedroom", "Garage", "Lights", "Heating", "Shutters", "Garden", "Music", "Security",
    "Cinema", "Holiday", "Settings",
  ]

  /// Maps the plane to a canvas: centred, filling the height.
  static func viewport(_ size: PixelSize) -> Viewport {
    let scale = Double(size.height) / 800
    return Viewport(
      scale: scale,
      offset: Vector(
        Double(size.width) / 2 - center.x * scale, Double(size.height) / 2 - center.y * scale))
  }

  /// Twelve wedges on a background.
  static func wedges() -> DisplayList {
    var list = DisplayList(background: background)
    list.add(
      DisplayItem(
        colors.indices.map { index in
          let start = 30 * Double(index) + 0.75
          return Tile(
            .sector(
              Sector(
                center: center, innerRadius: 90, outerRadius: 380, start: .degrees(start),
                end: .degrees(start + 28.5))),
            Color(hex: colors[index]))
        }))
    return list
  }

  /// Changes every colour by one step, so that every pixel is repainted.
  static func recolor(_ list: inout DisplayList, _ frame: Int) {
    list.background = background.stepped(frame)
    var items = list.items
    for index in colors.indices {
      items[0].tiles[index].fill = .color(Color(hex: colors[index]).stepped(frame))
    }
    list.items = items
  }

  /// The same wedges with one lit.
  static func lighting(_ wedge: Int, of list: DisplayList) -> DisplayList {
    var list = list
    list.items[0].tiles[wedge].fill = .color(Color(hex: 0xffb300))
    return list
  }

  /// The wedges and their labels.
  static func full() -> DisplayList {
    var list = wedges()
    for (index, name) in names.enumerated() {
      let middle = Angle.degrees(30 * Double(index) + 15)
      list.add(
        .text(
          TextRun(
            name, font: font, size: 22, at: center + middle.unit * 235,
            angle: middle - .degrees(90))), .white)
    }
    return list
  }

  static func dialTurn(_ frame: Int) -> Angle {
    .degrees(0.37123 * Double(frame)) + .radians(0.0123)
  }

  /// A disc with sixty numbers at an angle that never repeats.
  static func dial(_ frame: Int, isMoving: Bool = true) -> DisplayList {
    var list = DisplayList(background: background)
    list.add(.disc(center: center, radius: 380), face.stepped(frame))
    let turn = dialTurn(frame)
    for number in 0..<60 {
      let angle = turn + .degrees(6 * Double(number))
      list.add(
        .text(
          TextRun(
            number < 10 ? "0\(number)" : "\(number)", font: font, size: 22,
            at: center + angle.unit * 340, angle: angle, isMoving: isMoving)), .white)
    }
    return list
  }

  /// 60 labels of two or three words that no other frame contains.
  static func labels(_ frame: Int) -> DisplayList {
    var list = DisplayList(background: background)
    for index in 0..<60 {
      let anchor = Point(Double(70 + index % 10 * 126), Double(60 + index / 10 * 130))
      let text = "\(names[index % names.count]) number \(frame * 60 + index)"
      list.add(
        .text(TextRun(text, font: font, size: 22, at: anchor, box: Size(120, 80), lines: 2)),
        .white)
    }
    return list
  }
}

extension Scenes {
  /// A column of 300 × 480 with moving rows, each pixel the mean of 33 in its column.
  static func column(_ frame: Int) -> DisplayList {
    let rows = (0..<12).map { number in
      Strip.Row(
        background: face,
        Tile(.text(TextRun("\(number * 5)", font: font, size: 40, at: Point(150, 30))), .white))
    }
    let window = Rect(center: center, size: Size(300, 480))
    var list = DisplayList(background: background)
    list.add(
      DisplayItem(
        .rect(window),
        .strip(
          Strip(
            frame: window, rowHeight: 60, rows: rows, offset: -Double(frame * 7 % 240), blur: 33))))
    return list
  }
}

extension Scenes {
  /// Rotating ticks, growing leaves, and a veil that moves down a column.
  static func shapes(_ frame: Int) -> DisplayList {
    var list = DisplayList(background: background)
    list.add(
      DisplayItem(
        (0..<60).map { tick in
          let direction = Angle.degrees(6 * Double(tick) + 0.37123 * Double(frame)).unit
          let side = Vector(-direction.y, direction.x) * 1.25
          let (top, bottom) = (center + direction * 370, center + direction * 355)
          return Tile(
            .polygon([top - side, top + side, bottom + side, bottom - side]), .color(.white))
        }))
    for leaf in 0..<6 {
      let direction = Angle.degrees(60 * Double(leaf)).unit
      let distance = 0.5 + 0.5 * sin(0.05 * Double(frame))
      let place = center + direction * (220 * distance)
      list.add(.disc(center: place, radius: 20 + 50 * distance), face.faded(to: distance))
      list.add(
        .sector(
          Sector(center: place, innerRadius: 15 + 50 * distance, outerRadius: 18 + 50 * distance)),
        .white)
    }
    let window = Rect(center: Point(100, 400), size: Size(120, 480))
    list.add(
      DisplayItem(
        .rect(window), .color(face),
        clip: Rect(
          x0: window.x0, y0: 200 + Double(frame), x1: window.x1, y1: 280 + Double(frame))))
    return list
  }
}

extension Color {
  /// The colour changed by one step in every second frame.
  fileprivate func stepped(_ frame: Int) -> Color {
    var color = self
    color.blue ^= UInt8(frame & 1)
    return color
  }
}
