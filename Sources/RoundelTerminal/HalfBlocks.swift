// SPDX-License-Identifier: MIT

internal import RoundelGeometry
internal import RoundelRaster

/// Displays a picture with block characters, each with two pixels, one above the other.
struct HalfBlocks {
  private struct Cell: Hashable {
    var top: UInt32
    var bottom: UInt32
  }

  /// The terminal's current colours, if known.
  private struct Pen {
    var foreground: UInt32?
    var background: UInt32?
  }

  private let columns: Int
  /// Nil if unknown.
  private var cells: [Cell?]

  init(columns: Int, rows: Int) {
    self.columns = columns
    cells = Array(repeating: nil, count: columns * rows)
  }

  /// Writes the cells that differ inside `changes`. O(n) in their pixels.
  mutating func encode(
    _ picture: ShownPicture, _ changes: [PixelRect], into output: inout [UInt8]
  ) {
    var pen = Pen()
    // The position of the next character, or -1 if unknown.
    var cursor = -1
    let width = picture.size.width
    for change in changes where !change.isEmpty {
      for row in (change.y0 / 2)..<((change.y1 + 1) / 2) {
        for column in change.x0..<change.x1 {
          let top = row * 2 * width + column
          let cell = Cell(top: picture.pixels[top], bottom: picture.pixels[top + width])
          let place = row * columns + column
          guard cells[place] != cell else { continue }
          cells[place] = cell
          if cursor != place {
            let isInRow = cursor >= 0 && cursor / columns == row
            Self.move(to: column, row, skipping: isInRow ? place - cursor : nil, &output)
          }
          Self.write(cell, &pen, &output)
          // After the last column, the cursor's row is undefined.
          cursor = column + 1 < columns ? place + 1 : -1
        }
      }
    }
  }

  /// - Parameter count: The number of cells to skip in the same row.
  private static func move(
    to column: Int, _ row: Int, skipping count: Int?, _ output: inout [UInt8]
  ) {
    guard let count, count > 0 else {
      output.moveCursor(column: column, row: row)
      return
    }
    output.append("\u{1b}[")
    if count > 1 { output.append(number: count) }
    output.append(UInt8(ascii: "C"))
  }

  /// Chooses the character that needs the fewest new colours.
  private static func write(_ cell: Cell, _ pen: inout Pen, _ output: inout [UInt8]) {
    let (top, bottom) = (cell.top, cell.bottom)
    if top == bottom {
      if pen.background != top, pen.foreground == top {
        output.append("█")
      } else {
        set(nil, top, &pen, &output)
        output.append(" ")
      }
      return
    }
    let upper = (pen.foreground == top ? 0 : 1) + (pen.background == bottom ? 0 : 1)
    let lower = (pen.foreground == bottom ? 0 : 1) + (pen.background == top ? 0 : 1)
    if upper <= lower {
      set(top, bottom, &pen, &output)
      output.append("▀")
    } else {
      set(bottom, top, &pen, &output)
      output.append("▄")
    }
  }

  private static func set(
    _ foreground: UInt32?, _ background: UInt32, _ pen: inout Pen, _ output: inout [UInt8]
  ) {
    let newForeground = foreground.flatMap { $0 == pen.foreground ? nil : $0 }
    let newBackground = background == pen.background ? nil : background
    guard newForeground != nil || newBackground != nil else { return }
    output.append("\u{1b}[")
    if let newForeground {
      output.append("38")
      append(newForeground, &output)
      pen.foreground = newForeground
    }
    if let newBackground {
      if newForeground != nil { output.append(";") }
      output.append("48")
      append(newBackground, &output)
      pen.background = newBackground
    }
    output.append("m")
  }

  private static func append(_ color: UInt32, _ output: inout [UInt8]) {
    output.append(";2")
    for shift: UInt32 in [16, 8, 0] {
      output.append(";")
      output.append(number: Int(color >> shift & 255))
    }
  }
}
