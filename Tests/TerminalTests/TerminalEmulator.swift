// SPDX-License-Identifier: MIT

import RoundelGeometry
import RoundelJSON
import RoundelRaster

/// Renders terminal output as pixels. Supports only the sequences in use, and reports everything
/// else as an error.
struct TerminalEmulator: Sendable {
  /// The reported abilities.
  struct Capabilities: Sendable {
    var attributes = "62;22"
    var hasKitty = false
    var knownModes: Set<Int> = []
    var answersStatus = true
    var tellsCellSize = false
    /// Whether the terminal never answers.
    var isSilent = false
  }

  let columns: Int
  let rows: Int
  /// The size of a cell in pixels.
  let cell: PixelSize
  let capabilities: Capabilities
  private(set) var pixels: [UInt32]
  private(set) var modes: Set<Int> = []
  private(set) var hasCursor = true
  /// Unknown sequences and unexpected text.
  private(set) var diagnostics: [String] = []
  /// The pending answers.
  private(set) var answers: [UInt8] = []
  /// The ids of images.
  private(set) var images: Set<Int> = []

  private var column = 0
  private var row = 0
  private var foreground: UInt32 = 0xffc0_c0c0
  private var background = Self.empty
  private var pending: [UInt8] = []
  private var kitty: (keys: [String: String], text: [UInt8])?

  static let empty: UInt32 = 0xff00_0000

  init(
    columns: Int, rows: Int, cell: PixelSize = PixelSize(1, 2),
    capabilities: Capabilities = Capabilities()
  ) {
    (self.columns, self.rows, self.cell, self.capabilities) = (columns, rows, cell, capabilities)
    pixels = Array(repeating: Self.empty, count: columns * cell.width * rows * cell.height)
  }

  var size: PixelSize { PixelSize(columns * cell.width, rows * cell.height) }

  mutating func takeAnswers() -> [UInt8] {
    defer { answers = [] }
    return answers
  }

  /// Processes bytes. The last sequence may be incomplete.
  mutating func take(_ bytes: some Sequence<UInt8>) {
    pending += bytes
    while let length = nextLength() {
      let piece = Array(pending[..<length])
      pending.removeFirst(length)
      perform(piece)
    }
  }

  /// The length of the next character or sequence in bytes, or nil if it is incomplete.
  private func nextLength() -> Int? {
    guard let first = pending.first else { return nil }
    if first == 0x1b {
      guard pending.count > 1 else { return nil }
      switch pending[1] {
      case UInt8(ascii: "["):
        return pending.dropFirst(2).firstIndex { (0x40...0x7e).contains($0) }.map { $0 + 1 }
      case UInt8(ascii: "P"), UInt8(ascii: "_"):
        let end = pending.indices.dropFirst(2).dropLast().first {
          pending[$0] == 0x1b && pending[$0 + 1] == UInt8(ascii: "\\")
        }
        return end.map { $0 + 2 }
      default: return 2
      }
    }
    let length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
    return pending.count >= length ? length : nil
  }

  private mutating func perform(_ piece: [UInt8]) {
    let text = String(decoding: piece, as: UTF8.self)
    if piece[0] != 0x1b {
      print(text)
    } else if text.hasPrefix("\u{1b}[") {
      control(String(text.dropFirst(2)))
    } else if text.hasPrefix("\u{1b}_G") {
      graphics(piece.dropFirst(3).dropLast(2))
    } else if text.hasPrefix("\u{1b}P") {
      sixels(String(text.dropFirst(2).dropLast(2)))
    } else if text != "\u{1b}\\" {
      diagnostics.append(text.debugDescription)
    }
  }

  // MARK: Text

  private mutating func print(_ text: String) {
    let halves: (UInt32, UInt32)
    switch text {
    case " ": halves = (background, background)
    case "▀": halves = (foreground, background)
    case "▄": halves = (background, foreground)
    case "█": halves = (foreground, foreground)
    default:
      diagnostics.append(text.debugDescription)
      return
    }
    guard column < columns else {
      diagnostics.append("a character behind the last column")
      return
    }
    let top = row * cell.height
    for y in top..<(top + cell.height) {
      let color = (y - top) * 2 < cell.height ? halves.0 : halves.1
      for x in (column * cell.width)..<((column + 1) * cell.width) {
        pixels[y * size.width + x] = color
      }
    }
    column += 1
  }

  private mutating func control(_ text: String) {
    let final = text.last ?? " "
    let body = text.dropLast()
    let numbers = body.drop { "?>".contains($0) }.split(separator: ";").compactMap { Int($0) }
    switch (final, body.first) {
    case ("H", _):
      (row, column) = ((numbers.first ?? 1) - 1, (numbers.dropFirst().first ?? 1) - 1)
      if !(0..<rows).contains(row) || !(0..<columns).contains(column) {
        diagnostics.append("the cursor leaves the screen")
        (row, column) = (0, 0)
      }
    case ("C", _): column += numbers.first ?? 1
    case ("m", _): color(numbers)
    case ("J", "2"): pixels = Array(repeating: background, count: pixels.count)
    case ("h", "?"), ("l", "?"):
      let isOn = final == "h"
      for mode in numbers {
        if mode == 25 {
          hasCursor = isOn
        } else if isOn {
          modes.insert(mode)
        } else {
          modes.remove(mode)
        }
      }
    case ("p", "?") where body.hasSuffix("$"):
      let mode = Int(body.dropFirst().dropLast()) ?? 0
      answer("\u{1b}[?\(mode);\(capabilities.knownModes.contains(mode) ? 2 : 0)$y")
    case ("t", "1") where numbers == [16]:
      if capabilities.tellsCellSize { answer("\u{1b}[6;\(cell.height);\(cell.width)t") }
    case ("n", "5"): if capabilities.answersStatus { answer("\u{1b}[0n") }
    case ("c", nil): answer("\u{1b}[?\(capabilities.attributes)c")
    default: diagnostics.append(text.debugDescription)
    }
  }

  private mutating func answer(_ text: String) {
    if !capabilities.isSilent { answers += Array(text.utf8) }
  }

  private mutating func color(_ numbers: [Int]) {
    var rest = numbers.isEmpty ? [0] : numbers[...]
    while let first = rest.popFirst() {
      switch first {
      case 0: (foreground, background) = (0xffc0_c0c0, Self.empty)
      case 38, 48:
        guard rest.count >= 4, rest.popFirst() == 2 else {
          diagnostics.append("SGR \(numbers)")
          return
        }
        let color = rest.prefix(3).reduce(0xff) { $0 << 8 | UInt32($1) }
        rest = rest.dropFirst(3)
        if first == 38 { foreground = color } else { background = color }
      default: diagnostics.append("SGR \(numbers)")
      }
    }
  }

  // MARK: Graphics

  private mutating func graphics(_ command: ArraySlice<UInt8>) {
    let parts = command.split(separator: UInt8(ascii: ";"), maxSplits: 1)
    var keys: [String: String] = [:]
    for pair in String(decoding: parts.first ?? [], as: UTF8.self).split(separator: ",") {
      let both = pair.split(separator: "=")
      if both.count == 2 { keys[String(both[0])] = String(both[1]) }
    }
    let text = Array(parts.dropFirst().first ?? [])
    if text.count > 4096 { diagnostics.append("a piece of \(text.count) bytes") }
    switch keys["a"] {
    case "q":
      if capabilities.hasKitty { answer("\u{1b}_Gi=\(keys["i"] ?? "");OK\u{1b}\\") }
      return
    case "d":
      images = []
      pixels = Array(repeating: Self.empty, count: pixels.count)
      return
    case "T": kitty = (keys, [])
    default: if kitty == nil { diagnostics.append("graphics \(keys)") }
    }
    kitty?.text += text
    guard keys["m"] != "1", let (keys, text) = kitty else { return }
    kitty = nil
    func number(_ name: String) -> Int { Int(keys[name] ?? "") ?? 0 }
    guard keys["f"] == "100", keys["q"] == "2", keys["C"] == "1", number("i") > 0,
      let bytes = Base64.decode(String(decoding: text, as: UTF8.self)),
      let picture = try? PNG.decode(bytes)
    else {
      diagnostics.append("graphics \(keys)")
      return
    }
    images.insert(number("i"))
    draw(picture, onColumns: number("c"), rows: number("r"))
  }

  private mutating func draw(_ picture: Bitmap, onColumns columns: Int, rows: Int) {
    let (width, height) = (columns * cell.width, rows * cell.height)
    for y in 0..<height {
      for x in 0..<width {
        let source =
          (y * picture.size.height / height) * picture.size.width
          + x * picture.size.width / width
        set(column * cell.width + x, row * cell.height + y, picture.pixels[source])
      }
    }
  }

  private mutating func set(_ x: Int, _ y: Int, _ pixel: UInt32) {
    guard x < size.width, y < size.height else {
      diagnostics.append("a pixel outside of the screen")
      return
    }
    pixels[y * size.width + x] = pixel
  }

  private mutating func sixels(_ text: String) {
    guard let start = text.firstIndex(of: "q"), text[..<start] == "0;1;0" else {
      diagnostics.append(text.prefix(20).debugDescription)
      return
    }
    var colors: [Int: UInt32] = [:]
    var color: UInt32 = 0
    var (x, y, highest) = (0, 0, 0)
    var rest = Array(text[start...].utf8.dropFirst())[...]
    func numbers() -> [Int] {
      let digits = rest.prefix { (0x30...0x39).contains($0) || $0 == 0x3b }
      rest = rest.dropFirst(digits.count)
      return String(decoding: digits, as: UTF8.self).split(separator: ";").compactMap { Int($0) }
    }
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""): highest = numbers().last ?? 0
      case UInt8(ascii: "#"):
        let given = numbers()
        if given.count == 5 {
          colors[given[0]] = given[2...].reduce(0xff) { $0 << 8 | UInt32(($1 * 255 + 50) / 100) }
        }
        color = colors[given.first ?? 0] ?? 0
        if given.count == 1, colors[given[0]] == nil { diagnostics.append("no colour \(given)") }
      case UInt8(ascii: "$"): x = 0
      case UInt8(ascii: "-"): (x, y) = (0, y + 6)
      case UInt8(ascii: "!"), 0x3f...0x7e:
        let count = byte == UInt8(ascii: "!") ? numbers()[0] : 1
        let sixel = byte == UInt8(ascii: "!") ? rest.removeFirst() : byte
        for _ in 0..<count {
          for bit in 0..<6 where (sixel - 63) >> UInt8(bit) & 1 == 1 {
            if y + bit >= highest { diagnostics.append("a sixel below its picture") }
            set(column * cell.width + x, row * cell.height + y + bit, color)
          }
          x += 1
        }
      default: diagnostics.append("sixel \(byte)")
      }
    }
    // A terminal scrolls to put the cursor below the image.
    if row * cell.height + highest >= size.height { diagnostics.append("sixels in the last row") }
  }
}
