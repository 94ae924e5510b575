// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import Kiosk
package import RoundelMotion
package import RoundelSession

/// Replays a recording on a stage at maximum speed.
package struct Replay {
  private let recording: Recording
  private let stage: Stage
  /// Seconds between frames, or nil for no frames.
  private let frame: Double?

  package enum Outcome {
    /// An event, or the response to a `get`.
    case line(SessionLine)
    /// The stage shows a picture for this file name.
    case shot(String)
    /// The stage shows a frame of an animation.
    case frame
    /// The message of a failed step, which is also reported as an event.
    case refusal(String, at: Instant)
  }

  /// - Parameter framesPerSecond: Affects only the times of frames, or nil for no frames.
  package init(_ recording: Recording, on stage: Stage, framesPerSecond: Double? = 60) {
    self.recording = recording
    self.stage = stage
    frame = framesPerSecond.map { 1 / $0 }
  }

  /// Starts no programs of the kiosk, because the recording doesn't depend on them.
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
          answer: stage.engine.publicValue(of: name), to: name.description, at: stage.now)
        try sink(.line(answer))
      case .command(let command):
        do throws(CommandError) {
          try stage.perform { engine throws(CommandError) in try engine.apply(command) }
        } catch {
          try refuse("\(error)", at: step.time)
        }
      case .clock(let time): stage.perform { $0.setClock(time) }
      // Already applied when the kiosk was read.
      case .size: break
      case .end: return
      }
      try report()
    }
  }
}
