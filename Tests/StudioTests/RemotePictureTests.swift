// SPDX-License-Identifier: MIT

import RoundelGeometry
import JSONRPC
import KioskProtocol
import RoundelRaster
import Testing

@testable import RoundelStudio

@Suite struct RemotePictureTests {
  private func frame(
    _ size: PixelSize, _ parts: [(x: Int, y: Int, size: PixelSize)]
  ) -> FrameAnswer {
    FrameAnswer {
      $0.size = size
      $0.area = Rect(origin: Point(10, 20), size: Size(40, 30))
      $0.parts = parts.map { part in
        FrameAnswer.Part {
          $0.x = part.x
          $0.y = part.y
          $0.png = PNG.encode(
            PixelBlock(
              PixelRect(size: part.size),
              pixels: Array(repeating: 0xff12_3456, count: part.size.width * part.size.height)))
        }
      }
    }
  }

  private let size = PixelSize(80, 60)

  /// The position and size of each part for pages: x, y, width and height.
  private func places(_ parts: [[UInt8]]) -> [[Int]] {
    parts.map { bytes in
      (2..<6).map { Int(bytes[2 * $0]) | Int(bytes[2 * $0 + 1]) << 8 }
    }
  }

  @Test func `there is no picture before the first frame`() {
    let picture = RemotePicture()
    #expect(picture.parts(since: nil) == nil && picture.designPoint(.zero) == nil)
  }

  @Test func `a page first gets everything, then only newer parts`() throws {
    var picture = RemotePicture()
    picture.take(frame(size, [(0, 0, size)]))
    let first = try #require(picture.parts(since: nil))
    #expect(places(first.parts) == [[0, 0, 80, 60]])
    #expect(first.parts[0][12..<16] == [0x12, 0x34, 0x56, 255])
    picture.take(frame(size, [(4, 6, PixelSize(10, 2))]))
    let second = try #require(picture.parts(since: first.seen))
    #expect(places(second.parts) == [[4, 6, 10, 2]])
    #expect(picture.parts(since: second.seen)?.parts.isEmpty == true)
  }

  @Test func `a page that missed many parts, or has another picture, gets everything`() throws {
    var picture = RemotePicture()
    picture.take(frame(size, [(0, 0, size)]))
    let first = try #require(picture.parts(since: nil))
    for x in 0..<70 { picture.take(frame(size, [(x, 0, PixelSize(1, 1))])) }
    #expect(places(picture.parts(since: first.seen)?.parts ?? []) == [[0, 0, 80, 60]])
    picture.take(frame(PixelSize(60, 80), []))
    #expect(places(picture.parts(since: first.seen)?.parts ?? []) == [[0, 0, 60, 80]])
  }

  @Test func `the parts of a frame have at most twice the picture's pixels`() throws {
    var picture = RemotePicture()
    var hostile = frame(size, Array(repeating: (0, 0, size), count: 40))
    hostile.parts[2].png = PNG.encode(
      PixelBlock(PixelRect(size: size), pixels: Array(repeating: 0xff00_0000, count: 4800)))
    picture.take(hostile)
    let seen = try #require(picture.parts(since: nil))
    #expect(seen.parts[0][12..<16] == [0x12, 0x34, 0x56, 255])
  }

  @Test func `invalid parts are skipped`() throws {
    var picture = RemotePicture()
    picture.take(frame(size, [(0, 0, size)]))
    let first = try #require(picture.parts(since: nil))
    picture.take(
      frame(
        size,
        [(-1, 0, PixelSize(2, 2)), (79, 0, PixelSize(2, 2)), (.max, .max, PixelSize(2, 2))]))
    picture.take(
      FrameAnswer {
        $0.size = size
        $0.parts = [FrameAnswer.Part { $0.png = [1, 2, 3] }]
      })
    #expect(picture.parts(since: first.seen)?.parts.isEmpty == true)
    picture.take(frame(PixelSize(16384, 16384), []))
    #expect(picture.size == size)
  }

  @Test func `pixels and design points map to each other`() {
    var picture = RemotePicture()
    picture.take(frame(size, []))
    #expect(picture.scale == 2)
    #expect(picture.designPoint(Point(40, 30)) == Point(30, 35))
    #expect(
      picture.rect(of: Rect(x0: 10, y0: 20, x1: 30, y1: 35)) == Rect(x0: 0, y0: 0, x1: 40, y1: 30))
  }
}
