// SPDX-License-Identifier: MIT

internal import RoundelGeometry
internal import RoundelJSON
internal import RoundelRaster

/// The kitty graphics protocol. Each tile of whole cells is an image with its own number, which is
/// replaced, so that images don't accumulate. Animation frames (`a=f`) would take fewer bytes, but
/// not all terminals support them.
///
/// Source: "Terminal graphics protocol" (sw.kovidgoyal.net/kitty).
enum KittyGraphics {
  /// In cells: small, to send few unchanged pixels, but large enough for a negligible overhead.
  private static let tile = PixelSize(10, 5)
  /// The maximum base64 bytes per chunk allowed by the protocol.
  private static let chunk = 4096

  /// Writes the tiles that overlap `changes`. O(n) in their pixels.
  static func encode(
    _ picture: ShownPicture, _ changes: [PixelRect], _ layout: TerminalLayout,
    into output: inout [UInt8]
  ) {
    var tiles: Set<Int> = []
    let across = (layout.columns + tile.width - 1) / tile.width
    for change in changes where !change.isEmpty {
      let cells = layout.cells(of: change)
      for y in (cells.y0 / tile.height)...((cells.y1 - 1) / tile.height) {
        for x in (cells.x0 / tile.width)...((cells.x1 - 1) / tile.width) {
          tiles.insert(y * across + x)
        }
      }
    }
    let all = PixelRect(x0: 0, y0: 0, x1: layout.columns, y1: layout.rows)
    for number in tiles.sorted() {
      let (y, x) = number.quotientAndRemainder(dividingBy: across)
      let cells = PixelRect(
        x0: x * tile.width, y0: y * tile.height, x1: (x + 1) * tile.width,
        y1: (y + 1) * tile.height
      ).intersection(all)
      output.moveCursor(column: cells.x0, row: cells.y0)
      send(picture[layout.part(of: cells)], cells, number + 1, &output)
    }
  }

  /// Leaves the cursor in place.
  private static func send(
    _ block: PixelBlock, _ cells: PixelRect, _ number: Int, _ output: inout [UInt8]
  ) {
    var text = Base64.encode(PNG.encode(block))[...]
    output.append("\u{1b}_Ga=T,f=100,p=1,C=1,i=")
    output.append(number: number)
    output.append(",c=")
    output.append(number: cells.width)
    output.append(",r=")
    output.append(number: cells.height)
    output.append(",")
    while true {
      let isLast = text.count <= chunk
      output.append(isLast ? "q=2,m=0;" : "q=2,m=1;")
      output += text.prefix(chunk)
      output.append("\u{1b}\\")
      if isLast { return }
      text = text.dropFirst(chunk)
      output.append("\u{1b}_G")
    }
  }
}
