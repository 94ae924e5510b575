// SPDX-License-Identifier: MIT

import FrameLaw
import RoundelGeometry
import Kiosk
import RoundelMotion
import RoundelRaster
import RoundelRuntime
import RoundelSession
import TestSupport
import RoundelText

/// A random kiosk on a random display, touched at random and then replayed, all derived from one number.
struct FrameSession {
  private let number: UInt64
  private let isVerbose: Bool
  private(set) var counts = LiveRun.Counts()

  /// The duration of a session, in seconds.
  private static let length = 6.0
  private static let sizes = [
    PixelSize(64, 48), PixelSize(40, 64), PixelSize(80, 45), PixelSize(31, 17),
  ]

  /// Large enough to be scaled down, and partly transparent.
  private static let picture: Bitmap = {
    let size = PixelSize(120, 90)
    var pixels: [UInt32] = []
    for index in 0..<UInt32(size.width * size.height) {
      pixels.append(index % 7 == 0 ? 0 : 0xff00_0000 | (index &* 37 & 0xff_ffff))
    }
    return Bitmap(size: size, pixels: pixels)
  }()

  init(number: UInt64, isVerbose: Bool = false) {
    self.number = number
    self.isVerbose = isVerbose
  }

  /// Runs and replays the session. Returns the violation, or nil.
  mutating func run() -> String? {
    var random = SeededGenerator(seed: number)
    var fingers = RandomFingers(seed: ~number)
    var kiosks = RandomKiosk(seed: number &* 0x9e37_79b9)
    let timing = DisplayTiming.all[Int.random(in: DisplayTiming.all.indices, using: &random)]
    let size = Self.sizes[Int.random(in: Self.sizes.indices, using: &random)]
    let live = LiveRun(
      Content(
        kiosks.description(), fonts: FontLibrary(),
        images: [RandomKiosk.image: ImageFile(Self.picture)]),
      on: timing, size: size, seed: number)
    let end = Instant.zero + Self.length
    if isVerbose { print(timing, size) }
    var last = Instant.zero
    live.run(until: end) { engine in
      last = max(last, engine.now) + fingers.pause
      let what: Recording.Action =
        Int.random(in: 0..<5, using: &random) == 0
        ? .command(kiosks.command()) : .touch(fingers.touch(on: engine))
      if isVerbose { print(last.seconds, what) }
      return last < end ? Recording.Step(last, what) : nil
    }
    counts = live.counts
    do {
      return try live.violation().map { "\(timing): \($0)" }
    } catch {
      return "it cannot be replayed: \(error)"
    }
  }
}
