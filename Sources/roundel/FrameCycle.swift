// SPDX-License-Identifier: MIT

import Controls
import Drawing
import Geometry
import Kiosk
import LinuxIO
import Motion
import Presentation
import Raster
import Session

/// Brings a kiosk, a display and fingers together on one event loop.
///
/// After whatever woke the loop up, `turn` runs once: the engine moves on to now, what happened is
/// told, and if the display takes a frame it gets what changed. Then it says when it wants to be
/// called again; while nothing moves it does not.
final class FrameCycle {
  private(set) var loaded: LoadedKiosk
  private(set) var engine: Engine
  private let display: any Display
  private var painter: Painter
  private let seed: UInt64
  /// The moment of the monotonic clock that the engine calls zero.
  private let start: Instant
  private var isPowered = true
  /// Painted but not yet given to the display.
  private var damage = Damage()

  /// What happened, in order.
  var onEvent: (Event) -> Void = { _ in }
  /// A program was asked for.
  var onProgram: ([String]) -> Void = { _ in }
  /// The display could not do what it should have.
  var onDisplayError: (DisplayError) -> Void = { _ in }

  init(_ loaded: LoadedKiosk, on display: any Display, seed: UInt64) {
    self.loaded = loaded
    self.display = display
    self.seed = seed
    start = MonotonicClock.now
    engine = Engine(loaded.description, seed: seed)
    painter = loaded.painter(canvas: display.canvasSize)
  }

  private func engineTime(_ monotonic: Instant) -> Instant {
    Instant(microseconds: monotonic.microseconds - start.microseconds)
  }

  private func monotonic(_ engineTime: Instant) -> Instant {
    Instant(microseconds: engineTime.microseconds + start.microseconds)
  }

  /// A finger did something at a moment of the monotonic clock, at a place of the upright canvas.
  func handle(finger: Int, _ phase: Touch.Phase, at place: Point, time: Instant) {
    engine.handle(
      Touch(finger: finger, phase: phase, position: painter.viewport.designPoint(place)),
      at: engineTime(time))
  }

  /// Shows another version of the kiosk's file; what was chosen stays chosen.
  func replace(with loaded: LoadedKiosk) {
    engine.advance(to: engineTime(MonotonicClock.now))
    engine = Engine(loaded.description, seed: seed, replacing: engine)
    self.loaded = loaded
    painter = loaded.painter(canvas: display.canvasSize)
  }

  /// Tells subscribers of something that failed outside of the engine.
  func reportFailure(_ message: String) {
    engine.reportFailure(message, at: engineTime(MonotonicClock.now))
  }

  /// Does all that is due, and says when it wants to be called again.
  func turn() -> Instant? {
    engine.advance(to: engineTime(MonotonicClock.now))
    for event in engine.takeEvents() { onEvent(event) }
    for program in engine.takePrograms() { onProgram(program) }
    do throws(DisplayError) {
      try show()
    } catch {
      onDisplayError(error)
    }
    return deadline
  }

  private func show() throws(DisplayError) {
    if isPowered == engine.isBlank {
      isPowered = !engine.isBlank
      try display.setPower(isPowered)
    }
    guard display.isReady else { return }
    if painter.canvas.size != display.canvasSize {
      painter = loaded.painter(canvas: display.canvasSize)
    }
    damage.add(painter.show(engine.displayList))
    guard !damage.isEmpty || display.needsFrame else { return }
    // The display keeps what it cannot show at once, so that the damage is given away only once.
    let shown = damage
    damage = Damage()
    try display.present(painter.canvas, damage: shown)
  }

  /// The next moment at which something is to be done without a touch, a flip or another event.
  private var deadline: Instant? {
    let change = engine.nextChange.map(monotonic)
    guard engine.isMoving else { return change }
    // A frame that is under way ends with an event. One that moved nothing by a whole pixel was not
    // shown at all, so the next comes by itself.
    let frame = display.isReady ? MonotonicClock.now + display.refreshInterval : display.readyAt
    return [change, frame].compactMap { $0 }.min()
  }
}
