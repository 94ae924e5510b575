// SPDX-License-Identifier: MIT

import RoundelGeometry
import RoundelPresentation
import TestSupport
import Testing

@Suite struct BusTests {
  private let panel = PixelRect(size: PixelSize(480, 320))

  /// An SPI bus at 32 MHz with a 16-bit panel, after its first pictures.
  private func serial() -> Bus {
    var bus = Bus(bytesPerPixel: 2)
    for _ in 0..<3 { bus.sent([panel], in: 0.001 + Double(480 * 320 * 2) / 4e6) }
    return bus
  }

  @Test func `two distant corners are two small flips`() {
    let bus = serial()
    #expect(bus.isSlow)
    let corners = [
      PixelRect(x0: 0, y0: 0, x1: 40, y1: 40), PixelRect(x0: 440, y0: 280, x1: 480, y1: 320),
    ]
    #expect(bus.flips(of: corners) == [[corners[0]], [corners[1]]])
    #expect(bus.bytes(of: corners) == 480 * 320 * 2)
  }

  @Test func `adjacent damage is one flip`() {
    let near = [
      PixelRect(x0: 0, y0: 0, x1: 40, y1: 40), PixelRect(x0: 44, y0: 0, x1: 80, y1: 40),
    ]
    #expect(serial().flips(of: near) == [near])
  }

  @Test func `a fast bus gets everything at once`() {
    var bus = Bus(bytesPerPixel: 4)
    let corners = [
      PixelRect(x0: 0, y0: 0, x1: 40, y1: 40), PixelRect(x0: 440, y0: 280, x1: 480, y1: 320),
    ]
    #expect(bus.flips(of: corners) == [corners])
    for _ in 0..<10 { bus.sent([panel], in: 0.0004) }
    #expect(!bus.isSlow && bus.flips(of: corners) == [corners])
  }

  @Test func `all damage is sent in a few flips, with no more bytes than at once`() {
    let bus = serial()
    var random = SeededGenerator(seed: 8)
    for _ in 0..<500 {
      let clips = (0..<Int.random(in: 1...12, using: &random)).map { _ in
        let (x, y) = (
          Int.random(in: 0..<479, using: &random), Int.random(in: 0..<319, using: &random)
        )
        return PixelRect(
          x0: x, y0: y, x1: .random(in: x + 1...480, using: &random),
          y1: .random(in: y + 1...320, using: &random))
      }
      let flips = bus.flips(of: clips)
      #expect((1...4).contains(flips.count))
      #expect(flips.flatMap(\.self).count == clips.count)
      for clip in clips { #expect(flips.contains { $0.contains(clip) }) }
      if flips.count > 1 {
        let sum = flips.reduce(0) { $0 + bus.bytes(of: $1) }
        // Overlapping flips count twice, as they are sent.
        #expect(flips.count == 4 || sum <= bus.bytes(of: clips) + 4 * 4000 * flips.count)
      }
    }
    #expect(bus.flips(of: []) == [[]])
  }
}
