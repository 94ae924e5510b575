// SPDX-License-Identifier: MIT

package import Drawing
package import Kiosk
internal import Controls
internal import Motion

/// A recording that is played to an engine on a virtual clock.
package struct Replay {
  package private(set) var engine: Engine
  private let recording: Recording
  /// Seconds from frame to frame.
  private let frame: Double

  /// What comes of it, in order.
  package enum Outcome {
    /// An event, or the answer to a `get`.
    case line(SessionLine)
    /// A picture was asked for, under this file name.
    case shot(String, DisplayList)
    /// A frame of something in motion.
    case frame(DisplayList)
  }

  /// `framesPerSecond` decides only at which moments frames are shown, never what happens.
  package init(_ recording: Recording, on engine: Engine, framesPerSecond: Double = 60) {
    self.recording = recording
    self.engine = engine
    frame = 1 / framesPerSecond
  }

  /// Plays all of it, as fast as it goes.
  package mutating func run(_ sink: (Outcome) throws -> Void) rethrows {
    for step in recording.steps {
      try advance(to: step.time, sink)
      switch step.what {
      case .touch(let touch): engine.handle(touch, at: step.time)
      case .shot(let file): try sink(.shot(file, engine.displayList))
      case .get(let path):
        let answer = SessionLine(
          answer: engine.value(of: path), to: path.description, at: engine.now)
        try sink(.line(answer))
      case .command(let command):
        do throws(CommandError) {
          try engine.apply(command)
        } catch {
          engine.reportFailure("\(error)", at: step.time)
        }
      case .clock(let time): engine.setClock(time)
      case .end: return
      }
      try tell(sink)
    }
  }

  /// Frame by frame while something moves, in one step while nothing does.
  private mutating func advance(
    to time: Instant, _ sink: (Outcome) throws -> Void
  ) rethrows {
    while engine.now < time {
      if engine.isMoving {
        engine.advance(to: min(time, engine.now + frame))
        try tell(sink)
        if engine.now < time { try sink(.frame(engine.displayList)) }
      } else {
        engine.advance(to: min(time, engine.nextChange ?? time))
        try tell(sink)
      }
    }
  }

  private mutating func tell(_ sink: (Outcome) throws -> Void) rethrows {
    for event in engine.takeEvents() { try sink(.line(SessionLine(event))) }
    // A replay must not start programs: what they did once is not what the recording is about.
    _ = engine.takePrograms()
  }
}
