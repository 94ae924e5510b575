// SPDX-License-Identifier: MIT

import RoundelGeometry

@testable import RoundelRaster

extension Coverage {
  /// The coverage of an outline in canvas pixels, inside `clip`.
  convenience init(_ outline: some Outline, clip: PixelRect) {
    var builder = CoverageBuilder()
    builder.trace(outline, clip: clip)
    self.init(builder)
  }

  /// The coverage of a sector in canvas pixels, inside `clip`.
  convenience init(_ sector: Sector, clip: PixelRect) {
    self.init(SectorOutline(sector), clip: clip)
  }

  /// The coverage of several tiles at once.
  convenience init(merging parts: [Coverage]) {
    var builder = CoverageBuilder()
    builder.merge(parts.map { Covering($0) })
    self.init(builder)
  }

  /// Calls `body` for each tile that covers a pixel of row `y`, with its weight.
  func forEachPixel(in y: Int, _ body: (_ x: Int, _ tile: Int, _ weight: Int) -> Void) {
    guard y >= bounds.y0, y < bounds.y1 else { return }
    // The object outlives the call.
    let view = unsafe view.pointee
    let row = unsafe view.row(y)
    let (solids, quads, shared) = unsafe (view.solids(row), view.quads(row), view.shared(row))
    for index in solids.indices {
      let solid = unsafe solids[index]
      for x in solid.x0..<solid.x1 { body(Int(x), Int(solid.tile), 256) }
    }
    for index in quads.indices {
      let quad = unsafe quads[index]
      for x in quad.x..<quad.x1 {
        body(Int(x), Int(quad.tile), Int(quad.weights[Int(x - quad.x)]))
      }
    }
    for index in shared.indices {
      let span = unsafe shared[index]
      let tiles = unsafe view.tiles(span)
      let weights = unsafe view.weights(span, count: tiles.count)
      for x in span.x0..<span.x1 {
        for member in tiles.indices {
          unsafe body(Int(x), Int(tiles[member]), Int(weights[member]))
        }
      }
    }
  }
}
