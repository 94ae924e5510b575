// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelGeometry
internal import Kiosk
internal import RoundelMotion
internal import RoundelPresentation
internal import RoundelRaster
internal import RoundelRuntime

/// A kiosk on a virtual clock, with one finger and a panel with alternating buffers.
final class BenchStage {
  private let stage: Stage
  private let buffers: [HeadlessDisplay]
  private let clock: FrameTimes.Clock
  private var frames = 0

  init(_ content: Content, panel: PixelSize, rotation: Rotation, buffers: Int) throws(DisplayError)
  {
    stage = Stage(content, seed: 0)
    clock = content.clock
    self.buffers = (0..<buffers).map { _ in
      HeadlessDisplay(of: content, size: panel, rotation: rotation)
    }
    try begin()
  }

  /// Mean bytes per frame that an SPI panel would receive.
  var meanBytes: Int? { frames > 0 ? sentBytes / frames : nil }
  private var sentBytes = 0
  private static let bus = Bus(bytesPerPixel: 4, bytesPerSecond: Bus.spi)

  func begin() throws(DisplayError) {
    stage.begin(seed: 0)
    for buffer in buffers { try stage.show(on: buffer) }
  }

  func touch(_ phase: Touch.Phase, at place: Point) {
    stage.perform { $0.handle(Touch(finger: 0, phase: phase, position: place), at: $0.now) }
  }

  /// Returns a point near the right edge without a control.
  func background(in size: Size) -> Point? {
    let controls = stage.engine.pages[stage.engine.shownPage].controls.filter(\.isVisible)
    return stride(from: 0.5, to: 1, by: 0.05).lazy
      .map { Point(size.width * 0.95, size.height * $0) }
      .first { place in controls.allSatisfy { $0.control.distance(to: place, at: .zero) == nil } }
  }

  func go(to page: String) { stage.perform { _ = $0.go(to: page) } }

  /// Ignores a refused number.
  func set(_ property: String, of control: String, to number: Double) {
    stage.perform { try? $0.set(property, of: control, to: .number(number)) }
  }

  /// Measures a frame at 60 Hz, from `change` to the panel's bytes. Nil if nothing was painted.
  ///
  /// - Parameter isLong: Whether the frame waits for the next scheduled change, for example of a
  ///   slow chart.
  func frame(
    isLong: Bool = false, _ change: (BenchStage) -> Void
  ) throws(DisplayError) -> Double? {
    let buffer = buffers[frames % buffers.count]
    let before = stage.shownPicture(buffer.canvasSize).frame
    let shown = buffer.shownFrame
    var failure: DisplayError?
    var end = stage.now + 1.0 / 60
    if isLong, let change = stage.engine.nextChange, change > end { end = change }
    let time = FrameTimes.of(by: clock) {
      stage.perform(at: end) { _ in }
      change(self)
      do throws(DisplayError) {
        try stage.show(on: buffer)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    stage.report()
    let picture = stage.shownPicture(buffer.canvasSize)
    guard picture.frame != before else { return nil }
    frames += 1
    // Not included in the frame time.
    for clips in Self.bus.flips(of: picture.damage(since: shown).rects) {
      sentBytes += Self.bus.bytes(of: clips)
    }
    return time
  }

  func framesUntilRest(atMost limit: Int) throws(DisplayError) -> [Double] {
    var times: [Double] = []
    for _ in 0..<limit where stage.engine.isMoving || stage.engine.nextChange != nil {
      if let time = try frame({ _ in }) { times.append(time) }
    }
    return times
  }
}

extension Content {
  var clock: FrameTimes.Clock { threads == nil ? .processor : .wall }
}
