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
  private let content: Content
  private let size: PixelSize
  private var engine: Engine
  private var painter: Painter?

  package private(set) var events: [SessionLine] = []
  package private(set) var recording: [SessionLine] = []

  /// A kiosk on an upright canvas of `size` pixels; nil for its design size.
  package init(_ content: Content, size: PixelSize? = nil) {
    self.content = content
    self.size = size ?? content.designPanel(.none)
    engine = Engine(content.description, seed: 0)
  }

  package var isExact: Bool { true }
  package var now: Instant { engine.now }

  package func begin(seed: UInt64) {
    engine = Engine(content.description, seed: seed)
    events = []
    recording = []
  }

  package func end() {
    engine.cancelTouches(at: engine.now)
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
      engine.handle(touch.touch, at: start + touch.after)
      recording.append(SessionLine(touch.touch, at: engine.now))
      listen()
    }
  }

  package func perform(_ command: Command) throws(BenchError) {
    do throws(CommandError) {
      try engine.apply(command)
    } catch {
      throw .refused("\(error)")
    }
    recording.append(SessionLine(command, at: engine.now))
    listen()
  }

  package func setClock(_ time: CivilTime) {
    engine.setClock(time)
    let line: [JSONValue.Member] = [
      .init("t", .number(engine.now.seconds)), .init("clock", .string("\(time)")),
    ]
    if let line = SessionLine(.object(line)) { recording.append(line) }
    listen()
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
      let rhythm = Rhythm(of: condition, in: engine.description)
      return advance(to: deadline, byFrames: true, rhythm) { engine.holds(condition) }
    case .property(let path, let pattern):
      return advance(to: deadline, byFrames: true) { pattern.matches(engine.value(of: path)) }
    case .page(let name):
      return advance(to: deadline, byFrames: false) {
        engine.pages[engine.shownPage].name == name
      }
    case .still: return advance(to: deadline, byFrames: false) { engine.isStill }
    }
  }

  package func wait(until deadline: Instant, _ isEnough: ([SessionLine]) -> Bool) -> Bool {
    advance(to: deadline, byFrames: false) { isEnough(events) }
  }

  /// Goes from change to change. A property may also change from frame to frame, while something
  /// moves, and what reads the time does in its own rhythm.
  private func advance(
    to deadline: Instant, byFrames: Bool, _ rhythm: Rhythm? = nil, _ isDone: () -> Bool
  ) -> Bool {
    while !isDone() {
      guard engine.now < deadline else { return false }
      var next = min(deadline, engine.nextChange ?? deadline)
      if byFrames, engine.isMoving { next = min(next, engine.now + 1.0 / 60) }
      if let moment = rhythm.flatMap({ engine.next($0) }) { next = min(next, moment) }
      engine.advance(to: next)
      listen()
    }
    return true
  }

  private func listen() {
    events += engine.takeEvents().map { SessionLine($0) }
    // Tests must not start programs: what these do is not what the kiosk does.
    _ = engine.takePrograms()
  }

  package func picture() -> Shot {
    let painter = painter ?? content.painter(canvas: size)
    self.painter = painter
    painter.show(engine.displayList)
    return Shot(painter.canvas.bitmap(), painter.viewport)
  }
}
