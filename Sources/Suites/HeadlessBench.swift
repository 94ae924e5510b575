// SPDX-License-Identifier: MIT

internal import Controls
package import Expressions
package import Geometry
package import Kiosk
package import Motion
internal import Drawing
internal import JSON
internal import Raster
package import Runtime
package import Session

/// A kiosk on a virtual clock, which runs as fast as it can and stops at any moment.
package final class HeadlessBench: TestBench {
  private let stage: Stage
  private let size: PixelSize

  package private(set) var events: [SessionLine] = []
  package private(set) var recording: [SessionLine] = []

  /// A kiosk on an upright canvas of `size` pixels; nil for its design size.
  package init(_ content: Content, size: PixelSize? = nil) {
    self.size = size ?? content.designPanel(.none)
    // Tests must not start programs: what these do is not what the kiosk does.
    stage = Stage(content, seed: 0)
    stage.onEvent = { [unowned self] in events.append(SessionLine(withSecretsOf: $0)) }
  }

  package var isExact: Bool { true }
  package var now: Instant { stage.now }
  private var engine: Engine { stage.engine }

  package func begin(seed: UInt64) {
    stage.begin(seed: seed)
    events = []
    recording = []
  }

  package func end() {
    stage.perform { $0.cancelTouches(at: $0.now) }
  }

  package func place(of target: Target) throws(BenchError) -> Point {
    do throws(TargetError) {
      return try target.place(in: engine)
    } catch {
      throw .refused("\(error)")
    }
  }

  package func play(_ touches: [TimedTouch]) {
    let start = engine.now
    for touch in touches {
      stage.perform { $0.handle(touch.touch, at: start + touch.after) }
      recording.append(SessionLine(touch.touch, at: engine.now))
      stage.report()
    }
  }

  package func perform(_ command: Command) throws(BenchError) {
    do throws(CommandError) {
      try stage.perform { engine throws(CommandError) in try engine.apply(command) }
    } catch {
      throw .refused("\(error)")
    }
    recording.append(SessionLine(command, at: engine.now))
    stage.report()
  }

  package func setClock(_ time: CivilTime) {
    stage.perform { $0.setClock(time) }
    let line: [JSONValue.Member] = [
      .init("t", .number(engine.now.seconds)), .init("clock", .string("\(time)")),
    ]
    if let line = SessionLine(.object(line)) { recording.append(line) }
    stage.report()
  }

  package func state(of goal: Goal) -> Value? {
    switch goal {
    case .that(let condition): .text(engine.readings(of: condition))
    case .property(let path, _): engine.value(of: path)
    case .page: .text(engine.pages[engine.shownPage].name)
    case .still: .flag(engine.isStill)
    }
  }

  package func wait(for goal: Goal, until deadline: Instant) -> Bool {
    switch goal {
    case .that(let condition):
      let rhythm = engine.rhythm(of: condition)
      return stage.run(to: deadline, frame: Self.frame) {
        engine.holds(condition)
      } next: {
        rhythm.flatMap { engine.next($0) }
      }
    case .property(let path, let pattern):
      let rhythm = engine.rhythm(of: path)
      return stage.run(to: deadline, frame: Self.frame) {
        pattern.matches(engine.value(of: path))
      } next: {
        rhythm.flatMap { engine.next($0) }
      }
    case .page(let name):
      return stage.run(to: deadline) { engine.pages[engine.shownPage].name == name }
    case .still: return stage.run(to: deadline) { engine.isStill }
    }
  }

  /// A property may change from frame to frame while something moves.
  private static let frame = 1.0 / 60

  package func wait(until deadline: Instant, _ isEnough: ([SessionLine]) -> Bool) -> Bool {
    stage.run(to: deadline) { isEnough(events) }
  }

  package func picture() -> Shot {
    let picture = stage.picture(size)
    return Shot(picture.canvas().bitmap(), picture.viewport)
  }
}
