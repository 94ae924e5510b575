// SPDX-License-Identifier: MIT

package import RoundelGeometry
package import RoundelMotion
package import RoundelPresentation
package import RoundelRaster
internal import TestSupport

/// The timing of a simulated display.
package struct DisplayTiming: Hashable, Sendable, CustomStringConvertible {
  package enum Flips: String, CaseIterable, Sendable {
    /// A frame is shown immediately.
    case atOnce
    /// A frame is shown at the first vertical blank after its commit.
    case atBlanks
    /// A frame is shown some time after its commit, as reported by an event.
    case byEvent
  }

  /// Frames per second.
  package var rate: Double
  package var flips: Flips
  /// Whether the display is often late, and accepts frames late.
  package var isBusy: Bool

  package init(rate: Double, flips: Flips, isBusy: Bool) {
    self.rate = rate
    self.flips = flips
    self.isBusy = isBusy
  }

  package var description: String { "\(rate) Hz, \(flips)\(isBusy ? ", busy" : "")" }

  /// 30, 60 and 144 Hz, with all kinds of flips, busy and not.
  package static let all = [30.0, 60, 144].flatMap { rate in
    Flips.allCases.flatMap { flips in
      [false, true].map { DisplayTiming(rate: rate, flips: flips, isBusy: $0) }
    }
  }
}

/// A display with a clock that advances only on request and during painting.
package final class SimulatedDisplay: Display {
  package let timing: DisplayTiming
  package private(set) var now = Timestamp.zero
  package let refreshInterval: Double
  package var onFlip: ((Timestamp, Int) -> Void)?
  package private(set) var vblank: Timestamp?
  package private(set) var readyAt: Timestamp?
  /// The time of the pending flip, if any.
  package private(set) var flip: Timestamp?
  private let memory: HeadlessDisplay
  private var random: SeededGenerator

  package init(_ timing: DisplayTiming, size: PixelSize, seed: UInt64) {
    self.timing = timing
    refreshInterval = 1 / timing.rate
    random = SeededGenerator(seed: seed)
    memory = HeadlessDisplay(size: size, clock: { .zero })
  }

  package var canvasSize: PixelSize { memory.canvasSize }
  package var rotation: Rotation {
    get { memory.rotation }
    set { memory.rotation = newValue }
  }
  package var state: DisplayState { memory.state }
  package var shownFrame: Int? { memory.shownFrame }
  package var isReady: Bool { memory.isReady && flip == nil && readyAt == nil }
  /// The number of presented frames.
  package var frameCount: Int { memory.presentCount }
  /// The contents of its memory.
  package var panel: Canvas { memory.panel }

  package func setPower(_ on: Bool) throws(DisplayError) { try memory.setPower(on) }

  package func present(_ picture: Painter) throws(DisplayError) -> Timestamp? {
    _ = try memory.present(picture)
    now = now + refreshInterval * (timing.isBusy ? .random(in: 0.05...1.5, using: &random) : 0.125)
    switch timing.flips {
    case .atOnce:
      if timing.isBusy { readyAt = now + delay }
      return now
    case .byEvent: flip = now + (timing.isBusy ? delay : refreshInterval / 2)
    case .atBlanks:
      let blanks = (now.seconds / refreshInterval).rounded(.down) + 1
      let late = timing.isBusy ? Double(Int.random(in: 0...2, using: &random)) : 0
      flip = Timestamp.zero + (blanks + late) * refreshInterval
    }
    return nil
  }

  private var delay: Double { .random(in: 0.01...3, using: &random) * refreshInterval }

  /// The time of its next wake-up of the event loop.
  package var nextEvent: Timestamp? { flip }

  /// Advances the time and reports a due flip. Returns whether there was one.
  package func pass(to time: Timestamp) -> Bool {
    now = max(now, time)
    if let ready = readyAt, ready <= now { readyAt = nil }
    guard let shown = flip, shown <= now else { return false }
    flip = nil
    if timing.flips == .atBlanks { vblank = shown }
    if let shownFrame { onFlip?(shown, shownFrame) }
    return true
  }
}
