// SPDX-License-Identifier: MIT

internal import Kiosk
internal import RoundelControls
internal import RoundelGeometry
internal import RoundelMotion
internal import RoundelRuntime
internal import RoundelSession
internal import RoundelSuites

/// A kiosk on a virtual clock, without a display, for tests.
///
///     let stage = try kiosk.stage(Size(width: 1280, height: 800))
///     stage.tap("dish/soup")
///     stage.advance(by: 1)
///     #expect(stage.page == "thanks")
///
/// Time passes only during `advance`, `drag` and `tap`. A touch or a command that can't be
/// performed is a `failed` event.
public final class Stage: Session {
  private let bench: HeadlessBench
  private var fingers = Fingers()

  init(_ bench: HeadlessBench, of kiosk: Kiosk) {
    self.bench = bench
    super.init(bench, kiosk)
    bench.onEvent = { [unowned self] in handle(Event(SessionLine(withPrivateContentOf: $0))) }
    bench.begin(seed: 0)
    bench.stage.report()
  }

  /// The events since the start, in order.
  public var events: [Event] { bench.events.map { Event($0) } }

  /// The spoken strings since the start, in order.
  public var spoken: [String] {
    events.filter { $0.name == "spoken" }.compactMap { $0["text"]?.text }
  }

  // MARK: Time

  /// Lets time pass.
  ///
  /// - Parameter seconds: 0 or more, at most a hundred years.
  public func advance(by seconds: Double) {
    runPosted()
    guard seconds >= 0, seconds <= 3_153_600_000 else {
      return reportFailure("cannot advance by \(seconds) seconds; expected 0 or more")
    }
    bench.stage.run(to: bench.now + seconds)
    bench.stage.report()
    runPosted()
  }

  // MARK: Touches

  /// Taps a control, an item or a point for 80 ms.
  ///
  /// - Parameter target: A control, an item as `CONTROL/ITEM`, or a point in design pixels.
  public func tap(_ target: some TouchTarget) {
    if let place = place(target) { play(.tap(place)) }
  }

  /// Drags a finger in a straight line.
  ///
  /// - Parameters:
  ///   - start: The position where the finger comes down.
  ///   - end: The position where the finger is lifted.
  ///   - duration: The seconds of movement.
  ///   - hold: The seconds of rest before the finger is lifted. Without a rest, the drag is a fling.
  public func drag(
    _ start: some TouchTarget, to end: some TouchTarget, during duration: Double = 0.3,
    hold: Double = 0.2
  ) {
    if let end = place(end) { drag(start, .to(end), during: duration, hold: hold) }
  }

  /// Drags a finger by a distance in design pixels.
  public func drag(
    _ start: some TouchTarget, by distance: Size, during duration: Double = 0.3, hold: Double = 0.2
  ) {
    drag(start, .by(Vector(distance.width, distance.height)), during: duration, hold: hold)
  }

  /// Drags a finger along an arc around `center`, clockwise by `degrees`.
  public func drag(
    _ start: some TouchTarget, around center: some TouchTarget, turn degrees: Double,
    during duration: Double = 0.3, hold: Double = 0.2
  ) {
    if let center = place(center) {
      drag(start, .around(center, degrees: degrees), during: duration, hold: hold)
    }
  }

  private func drag(
    _ start: some TouchTarget, _ path: DragPath, during duration: Double, hold: Double
  ) {
    guard duration > 0, duration <= 60, hold >= 0, hold <= 60 else {
      return reportFailure("cannot drag for \(duration) and \(hold) seconds; expected up to 60")
    }
    guard let start = place(start) else { return }
    play(RoundelSuites.Stroke(start: start, path: path, during: duration, hold: hold))
  }

  private func play(_ stroke: RoundelSuites.Stroke) {
    do throws(BenchError) {
      bench.play(
        try fingers.touches([stroke]) { (place) throws(BenchError) in try bench.point(place) })
    } catch {
      reportFailure("cannot touch: \(error)")
    }
  }

  /// Reports one sample of a finger at a position, at the current time.
  public func touch(_ phase: TouchPhase, _ target: some TouchTarget, finger: Int = 0) {
    guard let place = place(target) else { return }
    do throws(BenchError) {
      let touch = Touch(finger: finger, phase: phase.touch, position: try bench.point(place))
      fingers.record(touch)
      bench.play([TimedTouch(after: 0, touch)])
    } catch {
      reportFailure("cannot touch: \(error)")
    }
  }

  /// Presses a key by its name in recordings, such as `enter`.
  public func key(_ name: String) { attempt { () throws(KioskError) in try perform("key", name) } }

  private func place(_ target: some TouchTarget) -> TouchPoint? {
    switch target.place {
    case .point(let point): return .point(point)
    case .name(let name):
      if let target = Target(name) { return .target(target) }
      reportFailure("cannot touch \"\(name)\"; expected CONTROL or CONTROL/ITEM")
      return nil
    }
  }

  // MARK: Commands

  /// Returns the value of a name, or nil if it is undefined. A name that doesn't exist is a
  /// `failed` event.
  public override func get(_ name: String) -> KioskValue? {
    attempt { () throws(KioskError) in try super.get(name) } ?? nil
  }

  /// Sets a value, a property or the language. A value that isn't accepted is a `failed` event.
  public override func set(_ name: String, to value: some Setting) {
    attempt { () throws(KioskError) in try super.set(name, to: value) }
  }

  /// Shows a page. A page that doesn't exist is a `failed` event.
  public override func go(to page: String) {
    attempt { () throws(KioskError) in try super.go(to: page) }
  }

  @discardableResult
  private func attempt<Result>(_ body: () throws(KioskError) -> Result) -> Result? {
    do throws(KioskError) {
      return try body()
    } catch {
      reportFailure(error.description)
      return nil
    }
  }

  // MARK: The picture

  /// The current picture.
  public var picture: Picture { Picture(bench.picture().bitmap) }
}

/// The phase of a touch.
public enum TouchPhase: Hashable, Sendable {
  case down, move, up
  /// The touch ends without an effect.
  case cancel

  fileprivate var touch: Touch.Phase {
    switch self {
    case .down: .down
    case .move: .move
    case .up: .up
    case .cancel: .cancel
    }
  }
}

/// A control, an item as `CONTROL/ITEM`, or a point in design pixels.
public protocol TouchTarget {
  /// The place to touch.
  var place: TouchPlace { get }
}

/// The place to touch.
public enum TouchPlace: Hashable, Sendable {
  case name(String)
  case point(Point)
}

extension String: TouchTarget {
  /// The name of a control or an item.
  public var place: TouchPlace { .name(self) }
}

extension Point: TouchTarget {
  /// The point itself.
  public var place: TouchPlace { .point(self) }
}

extension HeadlessBench: SessionHost {
  var engine: Engine { stage.engine }

  func apply(_ command: Command) throws(CommandError) {
    try stage.perform { engine throws(CommandError) in try engine.apply(command) }
    stage.report()
  }

  func reportFailure(_ message: String) {
    stage.perform { $0.reportFailure(message, at: $0.now) }
    stage.report()
  }
}
