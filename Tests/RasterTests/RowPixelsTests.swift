// SPDX-License-Identifier: MIT

import RoundelDrawing
import RoundelGeometry
import Testing
import RoundelText

@testable import RoundelRaster

/// Writing outside a row ends the program before it corrupts memory.
@Suite struct RowPixelsTests {
  @Test func `a row contains no pixels outside its memory`() async {
    await #expect(processExitsWith: .failure) {
      _ = unsafe PixelMemory(count: 8).row(at: 4, 0..<5)
    }
    await #expect(processExitsWith: .failure) {
      _ = unsafe PixelMemory(count: 8).row(at: -4, 3..<8)
    }
  }

  @Test func `painting outside a row's columns traps`() async {
    await #expect(processExitsWith: .failure) {
      _ = unsafe PixelMemory(count: 8).row(at: 0, 2..<6).zero(for: 1, 6)
    }
    await #expect(processExitsWith: .failure) {
      _ = unsafe PixelMemory(count: 8).row(at: 0, 2..<6).zero(for: 2, 7)
    }
  }

  @Test func `using an ink that the scene lacks traps`() async {
    await #expect(processExitsWith: .failure) {
      let inks = [Ink(.black), Ink(.white)]
      unsafe inks.withUnsafeBufferPointer { _ = unsafe Inks($0)?.from(1).at(1) }
    }
    await #expect(processExitsWith: .failure) {
      let inks = [Ink(.black), Ink(.white)]
      unsafe inks.withUnsafeBufferPointer { _ = unsafe Inks($0)?.at(-1) }
    }
  }

  @Test func `any number of shapes with common edges may overlap`() async {
    await #expect(processExitsWith: .success) {
      func half(_ x: Double) -> Tile {
        Tile(.rect(Rect(x0: x, y0: 0, x1: x + 32, y1: 4)), .color(x == 0 ? .black : .white))
      }
      let item = DisplayItem([half(0), half(32)])
      let painter = Painter(
        size: PixelSize(64, 4), viewport: Viewport(scale: 1, offset: .zero), fonts: FontLibrary())
      painter.show(DisplayList(items: Array(repeating: item, count: 4000)))
      let canvas = painter.canvas()
      precondition(canvas[31, 3] == 0xff00_0000 && canvas[32, 0] == 0xffff_ffff)
    }
  }

  @Test func `each group of four with a visible pixel is inside the memory`() {
    let memory = unsafe PixelMemory(count: 8)
    defer { unsafe memory.deallocate() }
    // A row that starts outside, with two visible pixels.
    let row = unsafe memory.row(at: -6, 6..<8)
    let zero = unsafe row.zero(for: 6, 8)
    for x in 3..<8 { unsafe (zero + x).update(repeating: 7, count: 4) }
    #expect(unsafe memory.pixels.prefix(5).allSatisfy { $0 == 7 })
    #expect(unsafe memory.pixels[5] == 0xff00_0000)
  }
}
