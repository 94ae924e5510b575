// SPDX-License-Identifier: MIT

internal import Controls
internal import Kiosk
package import Motion
package import Session

/// A recording that is played on a stage, as fast as it can.
package struct Replay {
  private let recording: Recording
  private let stage: Stage
  /// Seconds from frame to frame; nil where no frames are wanted.
  private let frame: Double?

  /// A result of it; they come in order.
  package enum Outcome {
    /// An event, or the answer to a `get`.
    case line(SessionLine)
    /// The stage shows a picture that was asked for, under this file name.
    case shot(String)
    /// The stage shows a frame of something in motion.
    case frame
    /// The message for a failed step, which is also an event.
    case refusal(String, at: Instant)
  }

  /// - Parameter framesPerSecond: decides only at which moments frames are shown, never what happens;
  ///   nil for none.
  package init(_ recording: Recording, on stage: Stage, framesPerSecond: Double? = 60) {
    self.recording = recording
    self.stage = stage
    frame = framesPerSecond.map { 1 / $0 }
  }

  /// Plays all of it. The kiosk's programs are not what the recording is about, so they are not started.
  package func run(_ sink: (Outcome) throws -> Void) throws {
    var lines: [SessionLine] = []
    stage.onEvent = { lines.append(SessionLine($0)) }
    defer { stage.onEvent = { _ in } }
    func report() throws {
      stage.report()
      for line in lines { try sink(.line(line)) }
      lines.removeAll(keepingCapacity: true)
    }
    func refuse(_ reason: String, at time: Instant) throws {
      stage.perform { $0.reportFailure(reason, at: time) }
      try sink(.refusal(reason, at: time))
    }
    for step in recording.steps {
      try stage.run(
        to: step.time, frame: frame,
        until: {
          try report()
          if frame != nil, stage.engine.isMoving, stage.now < step.time { try sink(.frame) }
          return false
        })
      try report()
      switch step.what {
      case .touch(let touch): stage.perform { $0.handle(touch, at: step.time) }
      case .shot(let file): try sink(.shot(file))
      case .get(let name):
        do throws(UnknownName) {
          _ = try stage.engine.kind(named: name)
        } catch {
          try refuse("\(error)", at: step.time)
          break
        }
        let answer = SessionLine(
          answer: stage.engine.value(of: name), to: name.description, at: stage.now)
        try sink(.line(answer))
      case .command(let command):
        do throws(CommandError) {
          try stage.perform { engine throws(CommandError) in try engine.apply(command) }
        } catch {
          try refuse("\(error)", at: step.time)
        }
      case .clock(let time): stage.perform { $0.setClock(time) }
      // The kiosk has been read for it.
      case .size: break
      case .end: return
      }
      try report()
    }
  }
}
