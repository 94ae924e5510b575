// SPDX-License-Identifier: MIT

internal import RoundelControls
package import RoundelExpressions
package import RoundelGeometry
package import Kiosk
package import RoundelMotion
internal import RoundelDrawing
internal import RoundelJSON
internal import RoundelRaster
package import RoundelRuntime
package import RoundelSession

/// A kiosk on a virtual clock.
package final class HeadlessBench: TestBench {
  package let stage: Stage
  private let size: PixelSize

  package private(set) var events: [SessionLine] = []
  package private(set) var recording: [SessionLine] = []
  package var onEvent: (Event) -> Void = { _ in }

  /// The unrotated canvas has `size` pixels, or the design's size if it is nil.
  package init(_ content: Content, size: PixelSize? = nil) {
    self.size = size ?? content.designPanel(.none)
    // Tests must not start programs.
    stage = Stage(content, seed: 0)
    stage.onEvent = { [unowned self] event in
      events.append(SessionLine(withPrivateContentOf: event))
      onEvent(event)
    }
  }

  package var isExact: Bool { true }
  package var now: Instant { stage.now }
  private var engine: Engine { stage.engine }

  package func begin(seed: UInt64) {
    stage.begin(seed: seed)
    events = []
    let screen = engine.screen
    recording = screen.sizes.isEmpty ? [] : [SessionLine(screen.size)]
  }

  package func end() {
    stage.perform { $0.cancelTouches(at: $0.now) }
  }

  package func place(of target: Target) throws(BenchError) -> Point {
    do throws(TargetError) {
      return try target.point(in: engine)
    } catch {
      throw .refused("\(error)")
    }
  }

  package func keys(typing text: String, on control: String?) throws(BenchError) -> [Target] {
    do throws(TargetError) {
      return try engine.keys(typing: text, on: control)
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

  package func state(of goal: Goal<Condition>) -> GoalState { engine.state(of: goal) }

  package func wait(for goal: Goal<Condition>, until deadline: Instant) -> Bool {
    let updateInterval = engine.updateInterval(of: goal)
    return stage.run(to: deadline, frame: goal.followsFrames ? Self.frame : nil) {
      engine.holds(goal)
    } next: {
      updateInterval.flatMap { engine.next($0) }
    }
  }

  private static let frame = 1.0 / 60

  package func wait(until deadline: Instant, _ isEnough: ([SessionLine]) -> Bool) -> Bool {
    stage.run(to: deadline) { isEnough(events) }
  }

  package func picture() -> Shot {
    let picture = stage.picture(size)
    return Shot(picture.canvas().bitmap(), picture.viewport)
  }
}
