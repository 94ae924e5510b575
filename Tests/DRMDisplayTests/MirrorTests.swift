// SPDX-License-Identifier: MIT

import CRoundelDRM
import RoundelControls
import RoundelGeometry
import Glibc
import Kiosk
import RoundelMotion
import RoundelPresentation
import RoundelRaster
import RoundelRuntime
import TestSupport
import Testing

@testable import DRMDisplay

private typealias Plug = SimulatedCard.Plug

private let hdmi = Plug()
private let dsi = Plug(DRM_MODE_CONNECTOR_DSI)
private let spi = Plug(DRM_MODE_CONNECTOR_SPI, size: PixelSize(48, 80), orientation: 3)

/// One picture on several DRM devices.
@Suite(.enabled(if: SimulatedCard.isPossible)) struct MirrorTests {
  @Test func `a slow device shows the picture and doesn't slow the first one`() throws {
    let bench = try CardBench()
    let first = try bench.plug(0, hdmi)
    // A panel on USB or SPI with 16 bits and another size, which takes one frame of twelve.
    let slow = try bench.plug(1, spi, formats: [.rgb565], flipSeconds: 0.2)
    try bench.start("HDMI-A-1", "SPI-1")
    let script = CardBench.turning(2, from: 0.5)
    try bench.run(10, script)
    let alone = try CardBench.alone(hdmi, after: script, seconds: 10)
    #expect(first.picture(0) == alone.picture && alone.picture != nil)
    #expect(first.flips[0] == alone.flips && alone.flips > 100, "\(first.flips) \(alone.flips)")
    #expect((8...alone.flips / 6).contains(slow.flips[0]), "\(slow.flips) \(alone.flips)")
    let other = try CardBench.alone(spi, formats: [.rgb565], after: script, seconds: 10)
    #expect(slow.picture(0) == other.picture && other.picture != nil)
    #expect(bench.errors == [] && bench.display?.place?.output == "HDMI-A-1, SPI-1")
    #expect(first.unknown == [] && slow.unknown == [])
  }

  @Test func `a slow device of the same size receives only changes since its last frame`() throws {
    let bench = try CardBench()
    try bench.plug(0, hdmi)
    let slow = try bench.plug(1, dsi, flipSeconds: 0.15)
    try bench.start("HDMI-A-1", "DSI-1")
    let script = CardBench.turning(1)
    try bench.run(0.8, script)
    // A ring of labels turns. The rest isn't sent, although nine frames have passed.
    let mirror = try #require(bench.display?.mirrors.first)
    let before = mirror.sentBytes
    let flips = slow.flips[0]
    try bench.run(0.2, Array(script.dropFirst(100)).map { ($0.seconds - 0.8, $0.touch) })
    let whole = 64 * 48 * 4
    let frames = slow.flips[0] - flips
    #expect(frames > 0 && mirror.sentBytes - before < (frames + 1) * whole * 3 / 4)
    try bench.run(5)
    let alone = try CardBench.alone(dsi, after: script, seconds: 8)
    #expect(slow.picture(0) == alone.picture)
  }

  @Test func `two connectors of a device have their own modes, formats and flips`() throws {
    let bench = try CardBench()
    let tall = Plug(DRM_MODE_CONNECTOR_DisplayPort, size: PixelSize(96, 40), hertz: 30)
    let card = try bench.plug(0, hdmi, tall)
    try bench.start("HDMI-A-1", "DP-1")
    let script = CardBench.turning(1)
    try bench.run(5, script)
    #expect(card.picture(0) == (try CardBench.alone(hdmi, after: script, seconds: 5).picture))
    #expect(card.picture(1) == (try CardBench.alone(tall, after: script, seconds: 5).picture))
    #expect(card.flips.allSatisfy { $0 > 30 })
    #expect(bench.display?.place?.mirrors.map { $0.mode.prefix(5) } == ["96x40"])
    // Removing one connector doesn't affect the other.
    card.plugs[0].isConnected = false
    bench.rescan()
    let more = CardBench.turning(1)
    try bench.run(5, more)
    #expect(card.picture(0) == nil && bench.display?.place?.output == "DP-1")
    #expect(
      bench.display?.place?.leftOut.contains { $0.contains("HDMI-A-1 is not connected") } == true)
    let both = script + more.map { ($0.seconds + 5, $0.touch) }
    #expect(card.picture(1) == (try CardBench.alone(tall, after: both, seconds: 10).picture))
  }

  @Test func `the panel sleeps and wakes on all devices`() throws {
    let bench = try CardBench()
    let cards = [try bench.plug(0, hdmi), try bench.plug(1, spi)]
    try bench.start("HDMI-A-1", "SPI-1")
    try bench.run(1)
    let pictures = cards.map { $0.picture(0) }
    #expect(pictures.allSatisfy { $0 != nil })
    try bench.cycle?.apply(.blank(true))
    try bench.run(1)
    #expect(cards.allSatisfy { $0.picture(0) == nil })
    try bench.cycle?.apply(.blank(false))
    try bench.run(1)
    #expect(cards.map { $0.picture(0) } == pictures)
  }

  @Test(arguments: [EBUSY, EACCES, EINVAL], [true, false])
  func `a panel whose driver refuses sleep goes dark as soon as the driver allows it`(
    error: CInt, isAtomic: Bool
  ) throws {
    let bench = try CardBench()
    let card = try bench.plug(0, hdmi)
    card.isAtomic = isAtomic
    try bench.start("HDMI-A-1")
    try bench.run(1)
    let lit = card.picture(0)
    card.refuse = { [.atomic, .setProperty, .setCRTC].contains($0) ? error : nil }
    // Another master, if that is the cause.
    card.isOthers = error == EACCES
    try bench.cycle?.apply(.blank(true))
    try bench.run(10)
    #expect(card.picture(0) == lit && lit != nil)
    card.refuse = { _ in nil }
    card.isOthers = false
    try bench.run(10)
    #expect(card.picture(0) == nil && bench.cycle?.powerFailure == nil)
    try bench.cycle?.apply(.blank(false))
    try bench.run(1)
    #expect(card.picture(0) == lit)
    // Several attempts cause one message.
    #expect(bench.errors.count == (error == EACCES ? 0 : 1), "\(bench.errors)")
  }

  @Test func `a panel with an old picture after a refused one sleeps`() throws {
    let bench = try CardBench()
    let card = try bench.plug(0, hdmi)
    try bench.start("HDMI-A-1")
    try bench.run(1)
    card.refuse = { $0 == .atomic ? EIO : nil }
    try bench.run(5, CardBench.turning(4.5))
    card.refuse = { _ in nil }
    #expect(card.picture(0) != nil)
    try bench.cycle?.apply(.blank(true))
    try bench.run(1)
    #expect(card.picture(0) == nil)
  }

  @Test func `a panel connected during sleep is put to sleep`() throws {
    let bench = try CardBench()
    try bench.plug(0, hdmi)
    try bench.start("HDMI-A-1", "SPI-1")
    try bench.run(1)
    try bench.cycle?.apply(.blank(true))
    let second = try bench.plug(1, spi)
    second.showConsole(0)
    #expect(second.picture(0) != nil)
    bench.rescan()
    try bench.run(1)
    #expect(second.picture(0) == nil)
  }

  @Test func `a device taken by another program leaves the other to the kiosk`() throws {
    let bench = try CardBench()
    let (first, second) = (try bench.plug(0, hdmi), try bench.plug(1, spi))
    try bench.start("HDMI-A-1", "SPI-1")
    try bench.run(1)
    first.isOthers = true
    let script = CardBench.turning(1)
    try bench.run(5, script)
    // The canvas now has the second device's size.
    #expect(bench.display?.canvasSize == PixelSize(80, 48) && bench.display?.state == .showing)
    #expect(bench.display?.place?.leftOut.contains { $0.contains("DRM master") } == true)
    let shifted = script.map { ($0.seconds + 1, $0.touch) }
    #expect(second.picture(0) == (try CardBench.alone(spi, after: shifted, seconds: 6).picture))
    first.isOthers = false
    try bench.run(5)
    #expect(first.picture(0) == (try CardBench.alone(hdmi, after: shifted, seconds: 11).picture))
    #expect(bench.display?.canvasSize == PixelSize(64, 48))
  }

  @Test(arguments: 0..<6)
  func `devices may appear and disappear in any order`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let kinds: [(plug: Plug, formats: [PixelFormat], seconds: Double)] = [
      (hdmi, [.xrgb8888], 1.0 / 60), (spi, [.rgb565], 0.11), (dsi, [.xrgb8888, .rgb565], 1.0 / 50),
    ]
    let bench = try CardBench()
    var present: [SimulatedCard?] = [nil, nil, nil]
    try bench.start("HDMI-A-1", "SPI-1", "DSI-1")
    guard case .waiting? = bench.display?.state else {
      Issue.record("nothing to show on")
      return
    }
    var done: CardBench.Script = []
    var seconds = 0.0
    for _ in 0..<9 {
      let kind = Int.random(in: 0..<3, using: &random)
      if let card = present[kind] {
        card.unplug()
        present[kind] = nil
      } else {
        // A reconnected device may have another number.
        let free = (0..<6).filter { number in
          !present.contains { $0?.path.hasSuffix("card\(number)") == true }
        }
        present[kind] = try bench.plug(
          free.randomElement(using: &random)!, kinds[kind].plug, formats: kinds[kind].formats,
          flipSeconds: kinds[kind].seconds)
      }
      bench.rescan()
      let script = CardBench.turning(Double.random(in: 0.05...0.2, using: &random))
      let pause = Double.random(in: 0.05...0.5, using: &random)
      try bench.run(pause, script.filter { $0.seconds <= pause })
      done += script.filter { $0.seconds <= pause }.map { ($0.seconds + seconds, $0.touch) }
      seconds += pause
      if script.last!.seconds > pause {
        let up = Touch(finger: 0, phase: .up, position: script.last!.touch.position)
        try bench.run(0.01, [(0, up)])
        done.append((seconds, up))
        seconds += 0.01
      }
    }
    try bench.run(5)
    let names = ["HDMI-A-1", "SPI-1", "DSI-1"].enumerated().filter { present[$0.offset] != nil }
    #expect((bench.display?.place?.output ?? "") == names.map(\.element).joined(separator: ", "))
    for (kind, card) in zip(kinds, present) {
      guard let card else { continue }
      let alone = try CardBench.alone(
        kind.plug, formats: kind.formats, after: done, seconds: seconds + 5)
      #expect(card.picture(0) == alone.picture && alone.picture != nil)
    }
    #expect(bench.cards.allSatisfy { $0.unknown == [] })
  }
}
