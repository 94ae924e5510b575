// SPDX-License-Identifier: MIT

internal import RoundelGeometry
internal import RoundelRaster

/// Displays a picture with sixels: bands of six rows, with a separate pass for each colour.
///
/// Source: DEC, "VT330/VT340 Programmer Reference Manual", volume 2, chapter 14.
enum SixelGraphics {
  /// Terminals limit an image's size, and each has a separate palette.
  private static let maximumSize = PixelSize(640, 240)

  /// Writes the cells that overlap `changes`. O(n) in their pixels, plus the pixels of each band
  /// for each of its colours.
  static func encode(
    _ picture: ShownPicture, _ changes: [PixelRect], _ layout: TerminalLayout,
    into output: inout [UInt8]
  ) {
    let step = PixelSize(
      max(1, maximumSize.width / layout.cell.width), max(1, maximumSize.height / layout.cell.height)
    )
    for change in changes where !change.isEmpty {
      let cells = layout.cells(of: change)
      for top in stride(from: cells.y0, to: cells.y1, by: step.height) {
        for left in stride(from: cells.x0, to: cells.x1, by: step.width) {
          let part = PixelRect(
            x0: left, y0: top, x1: min(left + step.width, cells.x1),
            y1: min(top + step.height, cells.y1))
          output.moveCursor(column: left, row: top)
          send(picture[layout.part(of: part)], &output)
        }
      }
    }
  }

  private static func send(_ block: PixelBlock, _ output: inout [UInt8]) {
    let (width, height) = (block.rect.width, block.rect.height)
    let palette = Palette(of: block.pixels)
    // Unset pixels stay (1), and pixels are square.
    output.append("\u{1b}P0;1;0q\"1;1;")
    output.append(number: width)
    output.append(";")
    output.append(number: height)
    for (number, color) in palette.colors.enumerated() {
      output.append("#")
      output.append(number: number)
      output.append(";2")
      for percent in color {
        output.append(";")
        output.append(number: percent)
      }
    }
    // The sixels of each colour in a band, one bit per row.
    var sixels = [UInt8](repeating: 0, count: palette.colors.count * width)
    for top in stride(from: 0, to: height, by: 6) {
      var used: Set<Int> = []
      for y in top..<min(top + 6, height) {
        for x in 0..<width {
          let color = palette.number(of: block.pixels[y * width + x])
          sixels[color * width + x] |= 1 << UInt8(y - top)
          used.insert(color)
        }
      }
      if top > 0 { output.append("-") }
      for (index, color) in used.sorted().enumerated() {
        if index > 0 { output.append("$") }
        output.append("#")
        output.append(number: color)
        let row = (color * width)..<((color + 1) * width)
        append(sixels[row], &output)
        for place in row { sixels[place] = 0 }
      }
    }
    output.append("\u{1b}\\")
  }

  /// Run-length encodes a row, without empty sixels at its end.
  private static func append(_ row: ArraySlice<UInt8>, _ output: inout [UInt8]) {
    var place = row.startIndex
    while place < row.endIndex {
      let sixel = row[place]
      let end = row[place...].firstIndex { $0 != sixel } ?? row.endIndex
      if sixel == 0, end == row.endIndex { return }
      let count = end - place
      if count > 3 {
        output.append("!")
        output.append(number: count)
        output.append(63 + sixel)
      } else {
        for _ in 0..<count { output.append(63 + sixel) }
      }
      place = end
    }
  }
}
