// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelGeometry
import Kiosk
import KioskFile
import RoundelRaster

/// A kiosk file and its use.
enum Scene: String, CaseIterable {
  case pinwheel, art, dial, ticks, face, menu, icons, slots, picker, resistor, buttons, rows
  case ring, bar, meter, color, toggle, numbers, chart
  case emojiDial, emojiMenu, emojiSlots, emojiPicker

  enum Step {
    case touch(Touch.Phase, Point)
    case tap(Point)
    /// A finger that moves in each frame, from touch-down to lift.
    case drag(frames: Int, path: (_ frame: Int) -> Point)
    /// A value that is written in each frame.
    case write(frames: Int, value: (_ frame: Int) -> Double)
    /// Waits until nothing moves.
    case rest
  }

  /// The maximum number of blocks per frame.
  var allowed: Int {
    switch self {
    // Between two samples, a copy with a turned wheel is drawn, which needs its own list of wheels.
    case .picker, .resistor, .emojiPicker: 1
    default: 0
    }
  }

  var text: String {
    """
    kiosk: \(rawValue)
    screen: {size: [1280, 800], background: "#182028", font: Inter}
    pages:
      - page: p
        background: \(isOverImage ? "{image: behind.png}" : "\"#101820\"")
        controls:
    \(controls)
    """
  }

  private var isOverImage: Bool { self == .icons || self == .buttons }

  private var controls: String {
    switch self {
    case .pinwheel:
      """
            - pinwheel: c
              at: [640, 400]
              radius: 380
              wedges:
                - for: {n: [a, b, c, d, e, f, g, h, i, j, k, l]}
                  id: $n
                  label: A rather long label of $n
      """
    case .art:
      """
            - pinwheel: c
              at: [640, 400]
              radius: 380
              gap: 8px
              wedges:
                - {id: a, image: one.png, press_image: two.png, label: Art}
                - {id: b, image: two.png}
                - {id: c, image: one.png, color: "#405060"}
                - {id: d, label: None}
      """
    case .dial: "      - {dial: c, at: [640, 400], radius: 380, labels: 60}"
    case .ticks:
      "      - {dial: c, at: [640, 400], radius: 380, labels: 60, label_offset: 60, font_size: 40}"
    case .face:
      """
            - dial: c
              at: [640, 400]
              radius: 380
              labels: [Jan, Feb, Mar, Apr, May, Jun, Jul, Aug, Sep, Oct, Nov, Dec]
              background: {image: one.png}
              label_offset: 40
              font_size: 30
      """
    case .menu:
      """
            - menu: c
              at: [640, 400]
              radius: 90
              leaf_radius: 60
              label: Open
              items:
                - id: a
                  label: Drinks
                  items: [{id: b, label: Tea}, {id: c, label: A long black coffee}, {id: d, label: Juice}]
                - for: {n: [e, f, g, h, i]}
                  id: $n
                  label: Leaf $n
      """
    case .icons:
      """
            - menu: c
              at: [640, 400]
              radius: 90
              leaf_radius: 70
              label: Open
              items:
                - id: a
                  image: one.png
                  items: [{id: b, image: two.png}, {id: c, image: one.png}, {id: d, label: Juice}]
                - for: {n: [e, f, g, h, i]}
                  id: $n
                  image: two.png
      """
    case .slots:
      """
            - slots: c
              at: [640, 400]
              size: [1200, 700]
              duration: 2
              reels:
                - for: {n: [a, b, c, d, e]}
                  id: $n
                  items: [Alpha, Bravo, Charlie, Delta, Echo, Foxtrot, Golf, Hotel]
      """
    case .picker:
      """
            - picker: c
              at: [640, 400]
              size: [900, 500]
              wheels:
                - {id: a, items: [Alpha, Bravo, Charlie, Delta, Echo, Foxtrot, Golf, Hotel]}
                - {id: b, items: [One, Two, Three], wrap: false}
      """
    case .rows:
      """
            - list: c
              at: [640, 400]
              size: [600, 600]
              row_height: 60
              items:
                - for: {n: [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t]}
                  id: $n
                  label: A row of $n
                  detail: 12:05
                  image: two.png
      """
    case .resistor: "      - {resistor: c, at: [640, 400], size: [1100, 700], bands: 6}"
    case .buttons:
      """
            - button: c
              at: [640, 300]
              size: [400, 160]
              text: A button with a text of two lines
              blink: {count: 2}
            - {label: l, at: [640, 600], text: "A label that says a thing or two"}
            - {image: i, at: [1100, 600], size: [200, 200], file: two.png}
      """
    case .ring:
      """
            - ring: c
              at: [640, 400]
              radius: 380
              step: 1
              bands: [{to: 60, color: green}, {to: 100, color: red}]
              ticks: {every: 5, label_every: 20}
              text: half
      """
    case .bar:
      """
            - bar: c
              at: [640, 400]
              size: [1200, 200]
              low: 20
              high: 80
              min_gap: 10
              marker: 50
              ticks: {every: 5, label_every: 20}
              text: half
      """
    case .meter:
      """
            - bar: c
              at: [640, 400]
              size: [200, 760]
              interactive: false
              segments: 40
              peak: 0.5
              bands: [{to: 60, color: green}, {to: 100, color: red}]
      """
    case .color: "      - {color: c, at: [640, 400], radius: 380}"
    case .toggle: "      - {toggle: c, at: [640, 400], size: [400, 120], label: A light}"
    case .chart:
      "      - {chart: c, at: [640, 400], size: [1240, 700], seconds: 10, min: 0, max: 9}"
    case .numbers:
      """
            - dial: c
              at: [640, 400]
              radius: 380
              max: 60
              unit: " km"
              upright: true
              label_every: 5
      """
    case .emojiDial:
      """
            - dial: c
              at: [640, 400]
              radius: 380
              labels: [🍵, ☕ one, 🥛, 🍊 Juice, 💧, 🇩🇪, 🇫🇷, 👍🏽]
              font_size: 30
      """
    case .emojiMenu:
      """
            - menu: c
              at: [640, 400]
              radius: 90
              leaf_radius: 60
              label: 🍽️ Open
              items:
                - id: a
                  label: 🍵
                  items: [{id: b, label: 🍊 Juice}, {id: c, label: A long ☕}, {id: d, label: 🥛}]
                - for: {n: [e, f, g, h, i]}
                  id: $n
                  label: 💧 $n
      """
    case .emojiSlots:
      """
            - slots: c
              at: [640, 400]
              size: [1200, 700]
              duration: 2
              reels:
                - for: {n: [a, b, c, d, e]}
                  id: $n
                  items: [🍒, 🍋, 🔔 Bell, 7, 🍀]
      """
    case .emojiPicker:
      """
            - picker: c
              at: [640, 400]
              size: [900, 500]
              wheels:
                - {id: a, items: [🍵 Tea, ☕ Coffee, 🥛 Milk, 🍊 Juice, 💧 Water, 🇩🇪, 🇫🇷, 👍🏽]}
                - {id: b, items: [🍒, Two, 🍋], wrap: false}
      """
    }
  }

  private static let center = Point(640, 400)

  var steps: [Step] {
    switch self {
    case .pinwheel, .art:
      [.tap(Point(800, 420)), .rest, .tap(Point(500, 300)), .rest]
    case .dial, .ticks, .face, .emojiDial, .numbers:
      [
        .drag(frames: 120) { Self.center + Angle.degrees(2.4 * Double($0)).unit * 300 }, .rest,
      ]
    case .menu, .icons, .emojiMenu:
      // Opens the menu and the ring of its first leaf, returns through the hub, and closes it.
      [
        .tap(Self.center), .rest, .tap(Point(640, 235)), .rest, .tap(Point(20, 20)), .rest,
      ]
    case .slots, .emojiSlots: [.tap(Self.center), .rest]
    case .picker, .emojiPicker:
      [
        .drag(frames: 60) { Point(400, 400 + 9.7 * Double($0 < 30 ? $0 : 60 - $0)) }, .rest,
        .drag(frames: 20) { Point(400, 300 + 15 * Double($0)) }, .rest,
        .drag(frames: 20) { Point(900, 300 + 15 * Double($0)) }, .rest, .tap(Point(400, 500)),
        .rest,
      ]
    case .rows:
      [
        .drag(frames: 20) { Point(600, 600 - 9 * Double($0)) }, .rest, .tap(Point(600, 300)), .rest,
        .drag(frames: 20) { Point(600, 200 + 14 * Double($0)) }, .rest,
      ]
    case .resistor:
      [.drag(frames: 20) { Point(300, 450 + 12 * Double($0)) }, .rest]
    case .ring:
      [
        .drag(frames: 80) { Self.center + Angle.degrees(-120 + 2.4 * Double($0)).unit * 350 },
        .rest,
        .tap(Self.center + Angle.degrees(-100).unit * 350), .rest,
      ]
    case .bar:
      [
        .drag(frames: 80) { Point(250 + 8 * Double($0), 340) }, .rest,
        .drag(frames: 80) { Point(900 - 8 * Double($0), 340) }, .rest, .tap(Point(200, 340)),
        .rest,
      ]
    case .meter: [.write(frames: 120) { 50 + 50 * Angle.degrees(3.1 * Double($0)).unit.y }, .rest]
    case .color:
      [
        .drag(frames: 120) { Self.center + Angle.degrees(2.4 * Double($0)).unit * 300 }, .rest,
        .tap(Self.center + Angle.degrees(-100).unit * 250), .rest,
      ]
    case .toggle: [.tap(Self.center), .rest]
    case .chart: [.write(frames: 120) { 4.5 + 4 * Angle.degrees(3.1 * Double($0)).unit.y }]
    case .buttons: [.tap(Point(640, 300)), .rest]
    }
  }
}

/// Images of plain areas.
struct StubImages: AssetLoader {
  static let images: [String: ImageFile] = [
    "one.png": image(PixelSize(500, 500)), "two.png": image(PixelSize(300, 300)),
    "behind.png": image(PixelSize(1280, 800)),
  ]

  private static func image(_ size: PixelSize) -> ImageFile {
    let pixels = (0..<size.width * size.height).map { place -> UInt32 in
      let red = place % size.width / 20 * 7
      let blue = place / size.width / 20 * 5
      return 0xff00_0000 | UInt32(red) << 16 | UInt32(blue)
    }
    return ImageFile(Bitmap(size: size, pixels: pixels))
  }

  func loadImage(at path: String) throws(AssetError) {
    guard Self.images[path] != nil else { throw AssetError("there is no such image") }
  }
  func loadFont(_ face: FaceName) throws(AssetError) {}
  func findProgram(_ name: String, for kiosk: String) throws(AssetError) {}
  func loadText(at path: String, inside folder: String) throws(AssetError) -> [UInt8] {
    throw AssetError("there are no files")
  }
}
