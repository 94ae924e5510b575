// SPDX-License-Identifier: MIT

import AllocationCount
import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import Glibc
import Kiosk
import KioskFile
import RoundelMotion
import RoundelRaster
import SystemFonts
import TestSupport
import RoundelText

/// `scale-bench` prints the cost of a frame with few and many items, while a finger drags at 60 Hz.
/// Times are in microseconds of processor time, the least of the means of nine rounds.
///
/// The columns: the time for the display list, the hit test, the comparison with an equal list, and
/// the whole frame; the number of items and of painted pixels; and the memory blocks allocated by
/// list and painting, which must be 0, and by a list with a predicted finger.
///
/// `scale-bench keys` prints only the costs of changed keys, `scale-bench lists` only the costs of
/// changed lists, and `scale-bench expressions` only the costs of expressions.
@main
struct ScaleBench {
  static func main() throws {
    if CommandLine.arguments.dropFirst() == ["keys"] { return KeyCosts.print() }
    if CommandLine.arguments.dropFirst() == ["lists"] { return ListCosts.print() }
    if CommandLine.arguments.dropFirst() == ["expressions"] { return ExpressionCosts.print() }
    let fonts = FontLibrary()
    let name = FaceName("DejaVu Sans")
    let file = try SystemFonts().file(for: name.family)
    let bytes = try FontFile.read(file.path)
    for name in [name, FaceName(name.family, weight: 700)] {
      try fonts.add(name, bytes: bytes, faceIndex: file.faceIndex)
    }
    print(
      "what             count     panel   list µs  hit µs  diff µs  frame µs    items    pixels"
        + "  blocks  resampled")
    var allocates = false
    for kind in Kind.allCases {
      for count in kind.counts {
        for panel in [PixelSize(1280, 800), PixelSize(3840, 2160)] {
          let measure = Measure(kind, count, panel, fonts)
          print(measure.row)
          // The finger passes a leaf in each frame, and the hub shows its label, which is new.
          allocates = allocates || kind != .menu && measure.blocks > 0
        }
      }
    }
    KeyCosts.print()
    ListCosts.print()
    ExpressionCosts.print()
    exit(allocates ? 1 : 0)
  }
}

/// The measured kiosks.
enum Kind: String, CaseIterable {
  case wedges, wheel, rows, menu, page
  /// A ring with this radius.
  case ring
  /// A chart with this width and a hundred values per second.
  case chart
  /// A page of 20 dials and 4 labels, without bindings and with 61 of them.
  case plain, bound

  var counts: [Int] {
    switch self {
    case .wedges: [12, 60, 360]
    case .wheel: [10, 100, 1000, 10_000]
    case .rows: [10, 100, 1000, 100_000]
    case .menu: [5, 50, 500]
    case .page: [1, 6, 24]
    case .ring: [90, 380]
    case .chart: [300]
    case .plain, .bound: [24]
    }
  }

  /// A typical page of a kiosk file.
  private func page(_ isBound: Bool) -> Description? {
    var lines: [String] = []
    for index in 0..<20 {
      let id = index == 0 ? "used" : "d\(index)"
      let place = "[\(110 + 212 * (index % 6)), \(100 + 200 * (index / 6))]"
      var line = "dial: \(id), at: \(place), radius: 90, labels: 12, label_offset: 24"
      line += ", font_size: 16"
      if isBound {
        line += ", color: \"{v1 > \(index) ? '#224466' : '#cc8844'}\", enabled: \"{v2 < 100}\""
        if index < 16 { line += ", text_color: \"{v3 == \(index) ? 'red' : 'white'}\"" }
        if index == 0 { line += ", value: \"{v0}\"" }
      } else {
        line += ", color: \"#cc8844\", text_color: white"
      }
      lines.append("      - {\(line)}")
    }
    for index in 0..<4 {
      let text = isBound ? "{used.value} of {v\(index)}" : "0 of 0"
      lines.append("      - {label: l\(index), at: [\(700 + 150 * index), 760], text: \"\(text)\"}")
    }
    let head = """
      kiosk: page
      screen: {font: DejaVu Sans}
      values: {v0: 0, v1: 0, v2: 0, v3: 0}
      pages:
        - page: page
          controls:

      """
    let text = Array((head + lines.joined(separator: "\n")).utf8)
    return ParsedKiosk(text, path: "page.yaml", assets: NoAssets()).description
  }

  func description(_ count: Int) -> Description? {
    switch self {
    case .plain, .bound: page(self == .bound)
    default:
      Description(
        name: "scale", screen: Screen(font: "DejaVu Sans"),
        pages: [Page(name: "page", controls: controls(count))])
    }
  }

  static let size = Size(1280, 800)
  private static let center = Point(640, 400)
  private static let hours = (0..<12).map(String.init)

  /// A page with that many items, and the control in use.
  func controls(_ count: Int) -> [PlacedControl] {
    switch self {
    case .wedges:
      [
        PlacedControl(
          id: "used",
          control: Pinwheel(
            center: Self.center, radius: 380, hole: 90, gap: .degrees(90 / Double(count)),
            fontSize: count > 12 ? 9 : 22,
            wedges: (0..<count).map { Pinwheel.Wedge(id: "\($0)", label: "\($0)") }))
      ]
    case .wheel:
      [
        PlacedControl(
          id: "used",
          control: Picker(
            center: Self.center, size: Size(300, 480),
            columns: [
              Picker.Column(id: "a", items: (0..<count).map { Picker.Item(label: "\($0)") })
            ]))
      ]
    case .rows:
      [
        PlacedControl(
          id: "used",
          control: List(
            center: Self.center, size: Size(600, 480), rowHeight: 60,
            items: (0..<count).map {
              List.Item(id: "\($0)", label: "Row \($0)", detail: "\($0 % 60) min")
            }))
      ]
    case .menu:
      [
        PlacedControl(
          id: "used",
          control: Menu(
            center: Self.center, screen: Self.size, label: "All", leafRadius: count > 50 ? 9 : 30,
            items: (0..<max(1, count / 10)).map { group in
              Menu.Item(
                id: "\(group)", label: "\(group)",
                items: (0..<min(10, count)).map {
                  Menu.Item(id: "\(group)/\($0)", label: "\($0)")
                })
            }))
      ]
    case .page:
      (0..<count).map { index -> PlacedControl in
        let center = Point(Double(110 + 212 * (index % 6)), Double(100 + 200 * (index / 6)))
        let dial = Dial(
          center: center, radius: 90, labels: Self.hours, labelOffset: 24, fontSize: 16)
        return PlacedControl(id: index == 0 ? "used" : "\(index)", control: dial)
      }
    case .ring:
      Scale(from: 0, to: 100, step: 1).map { scale in
        [
          PlacedControl(
            id: "used",
            control: Ring(center: Self.center, radius: Double(count), scale: scale, value: 50))
        ]
      } ?? []
    case .chart:
      [
        PlacedControl(
          id: "used",
          control: Chart(
            center: Self.center, size: Size(Double(count), Double(count) / 2), seconds: 20,
            minimum: 0, maximum: 9))
      ]
    case .plain, .bound: []
    }
  }

  /// The finger's first position.
  func start(_ count: Int) -> Point {
    switch self {
    case .menu: Self.center
    case .ring: Self.center - Vector(0, Double(count) - 4)
    default: place(1)
    }
  }

  /// The finger's position in a frame.
  func place(_ frame: Int) -> Point {
    let turn = Angle.degrees(2.37123 * Double(frame))
    return switch self {
    case .wedges: Self.center + turn.unit * 235
    case .wheel, .rows: Self.center + Vector(0, 200 * (turn.unit.y))
    case .menu: Self.center + turn.unit * 120
    // To and fro, at the usual speed.
    case .ring: Self.center + Angle.degrees(100 * sin(turn.radians / 1.75)).unit * 80
    case .page, .plain, .bound: Point(110, 100) + turn.unit * 60
    case .chart: Self.center
    }
  }
}

/// Finds all fonts, but no images.
struct NoAssets: AssetLoader {
  func loadImage(at path: String) throws(AssetError) { throw AssetError("no images") }
  func loadFont(_ face: FaceName) throws(AssetError) {}
  func findProgram(_ name: String, for kiosk: String) throws(AssetError) {}
  func loadText(at path: String, inside folder: String) throws(AssetError) -> [UInt8] {
    throw AssetError("no files")
  }
}

/// The measurements of one kiosk.
struct Measure {
  let row: String
  /// The blocks allocated in all frames.
  let blocks: Int

  init(_ kind: Kind, _ count: Int, _ panel: PixelSize, _ fonts: FontLibrary) {
    guard let description = kind.description(count) else {
      fatalError("the kiosk file of \(kind) has errors")
    }
    var engine = Engine(description, seed: 0)
    let sheet = Sheet(
      Painter(size: panel, viewport: Viewport(fitting: Kind.size, into: panel), fonts: fonts))
    sheet.show(engine.displayList)
    var frame = 0
    // Presses a pinwheel, drags rotary controls, and lights up a menu's leaves.
    func touch() {
      frame += 1
      let time = Instant.zero + Double(frame) / 60
      if kind == .chart {
        engine.advance(to: time)
        let turn = Angle.degrees(2.37123 * Double(frame))
        try? engine.set("value", of: "used", to: .number(4.5 + 4 * turn.unit.y))
      } else if kind == .wedges {
        let phase: Touch.Phase = frame % 2 == 1 ? .down : .cancel
        engine.handle(
          Touch(finger: 0, phase: phase, position: kind.place(frame / 2 * 14)), at: time)
      } else {
        let phase: Touch.Phase = frame == 1 ? .down : .move
        let place = frame == 1 ? kind.start(count) : kind.place(frame)
        engine.handle(Touch(finger: 0, phase: phase, position: place), at: time)
      }
      _ = engine.takeEvents()
    }
    // Long enough to show everything once.
    for _ in 0..<2000 {
      touch()
      sheet.show(engine.displayList)
    }
    var memory = DisplayList()
    let list = Self.time {
      memory.removeAll()
      engine.draw(into: &memory) { _ in nil }
    }
    let same = engine.displayList
    let diff = Self.time { sheet.painter.show(same) }
    let hit = Self.time(touch)
    // The compared lists had separate memory.
    for _ in 0..<40 {
      touch()
      sheet.show { engine.draw(into: &$0) { _ in nil } }
    }
    var pixels = 0
    var frames = 0
    var blocks = 0
    let whole = Self.time {
      touch()
      let before = roundel_allocation_count()
      let damage = sheet.show { engine.draw(into: &$0) { _ in nil } }
      blocks += Int(roundel_allocation_count() - before)
      pixels += damage.area
      frames += 1
    }
    self.blocks = blocks
    // A distance too small to reveal other rows.
    let ahead = kind.place(frame) + Vector(1e-6, 1e-6)
    let before = roundel_allocation_count()
    memory.removeAll()
    engine.draw(into: &memory) { _ in ahead }
    let resampled = roundel_allocation_count() - before
    func right(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: max(0, width - text.count)) + text
    }
    row =
      kind.rawValue + right("\(count)", 22 - kind.rawValue.count) + right("\(panel)", 12)
      + right(Self.number(list), 10) + right(Self.number(hit), 8) + right(Self.number(diff), 9)
      + right(Self.number(whole), 10) + right("\(engine.displayList.items.count)", 9)
      + right("\(pixels / frames)", 10) + right("\(blocks)", 8)
      + right("\(resampled)", 11)
  }

  /// A number with one decimal.
  static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  private static func now() -> Double {
    var time = timespec()
    // Safe and infallible: the clock exists everywhere, and the pointer is to a local.
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }

  /// The duration of one call of `body`.
  static func once(_ body: () -> Void) -> Double {
    let start = now()
    body()
    return now() - start
  }

  /// The least of the means of nine rounds.
  static func time(_ body: () -> Void) -> Double {
    (0..<9).map { _ in
      let start = now()
      for _ in 0..<40 { body() }
      return (now() - start) / 40
    }.min() ?? 0
  }
}
