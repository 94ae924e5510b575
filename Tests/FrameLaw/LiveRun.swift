// SPDX-License-Identifier: MIT

package import RoundelGeometry
package import Kiosk
package import RoundelMotion
internal import RoundelPresentation
internal import RoundelRaster
package import RoundelRuntime
package import RoundelSession
internal import TestSupport

/// Runs a kiosk on a simulated display through the whole frame cycle, and then replays it.
///
///     live     input ─► cycle ─► display    wake-ups, frames and their times
///     replay   input ─► stage ─► picture    at the times of the frames, and in between
///
/// `violation` returns the first difference: each frame must equal the replay at its time, byte for
/// byte. While the replay changes, no frame may be missing. The kiosk must wake up only for frames
/// and events.
package final class LiveRun {
  private let content: Content
  private let size: PixelSize
  private let seed: UInt64
  private let display: SimulatedDisplay
  private let cycle: FrameCycle
  private var random: SeededGenerator

  /// The inputs with their times.
  private var inputs: [Recording.Step] = []
  private var frames: [Frame] = []
  private var wakeUps = 0
  /// The number of justified wake-ups apart from frames.
  private var causes = 0
  private var reported: Set<Instant> = []
  /// The last time when a frame was due for motion, whether or not it was visible.
  private var lastMotion = Timestamp.zero
  private var lastSummary: Engine.PictureSummary?
  private var problem: String?

  private struct Frame {
    var time: Instant
    /// The number of inputs before the frame.
    var inputs: Int
    var hash: Int
    /// Whether images were still being prepared.
    var isInterim: Bool
  }

  package struct Counts: Sendable {
    package var wakeUps = 0
    package var frames = 0
    package var late = 0
    package var inputs = 0

    package init(wakeUps: Int = 0, frames: Int = 0, late: Int = 0, inputs: Int = 0) {
      (self.wakeUps, self.frames, self.late, self.inputs) = (wakeUps, frames, late, inputs)
    }
  }

  package init(
    _ content: Content, on timing: DisplayTiming, size: PixelSize, seed: UInt64 = 0
  ) {
    var content = content
    content.imagePreparation = .later
    self.content = content
    self.size = size
    self.seed = seed
    random = SeededGenerator(seed: seed)
    display = SimulatedDisplay(timing, size: size, seed: seed)
    cycle = FrameCycle(content, on: display, seed: seed) { [display] in display.now }
    cycle.onEvent = { [unowned self] in reported.insert($0.time) }
  }

  package var counts: Counts {
    Counts(
      wakeUps: wakeUps, frames: frames.count, late: cycle.frames.late, inputs: inputs.count)
  }

  package var engine: Engine { cycle.engine }

  // MARK: Live

  /// The number that a four-core board prepares at once.
  private static let maximumImages = 3

  /// Runs the kiosk until `end` with inputs in order of time. Calls `next` after each input with
  /// the current kiosk, until it returns nil.
  package func run(until end: Instant, next: (Engine) -> Recording.Step?) {
    var input = next(cycle.engine)
    var images: [(due: Timestamp, finished: FinishedImages)] = []
    var deadline = turn()
    while problem == nil {
      // Events of fingers and the display wait for a planned frame.
      let nextTime = [input.map { timestamp(of: $0) }, display.nextEvent].compactMap(\.self).min()
      let deferrable = nextTime.map { max($0, cycle.nextFrame ?? $0) }
      guard let wake = ([deferrable, deadline] + images.map(\.due)).compactMap(\.self).min(),
        wake.microseconds <= end.microseconds
      else { break }
      if display.pass(to: wake) { causes += 1 }
      while let step = input, timestamp(of: step) <= display.now {
        apply(step)
        inputs.append(step)
        causes += 1
        input = next(cycle.engine)
      }
      while let index = images.firstIndex(where: { $0.due <= display.now }) {
        cycle.finish(images.remove(at: index).finished)
        causes += 1
      }
      deadline = turn()
      // Several at once, which may finish in any order.
      while images.count < Self.maximumImages, let work = cycle.takeImageWork() {
        let delay = Double.random(in: 0.001...0.05, using: &random)
        images.append((display.now + delay, work.run()))
      }
    }
  }

  private func timestamp(of step: Recording.Step) -> Timestamp {
    Timestamp(microseconds: step.time.microseconds)
  }

  private func apply(_ step: Recording.Step) {
    switch step.what {
    case .touch(let touch): cycle.handle(touch, at: timestamp(of: step))
    case .command(let command):
      do throws(CommandError) {
        try cycle.apply(command, at: timestamp(of: step))
      } catch {
        cycle.perform { $0.reportFailure("\(error)", at: step.time) }
      }
    case .clock(let time): cycle.perform { $0.setClock(time) }
    case .shot, .get, .size, .end: break
    }
  }

  private func turn() -> Timestamp? {
    let (began, count) = (display.now, display.frameCount)
    wakeUps += 1
    if let due = cycle.engine.nextReactionTime, due.microseconds <= began.microseconds {
      // A timed reaction is evaluated whether or not its effect is visible.
      causes += 1
    }
    let deadline = cycle.turn()
    if display.frameCount > count {
      frames.append(
        Frame(
          time: cycle.engine.now, inputs: inputs.count, hash: display.panel.contentHash,
          isInterim: cycle.picture.isPreparing))
    }
    if let deadline, deadline < began {
      problem = "at \(began.seconds) s it wants to be called at \(deadline.seconds) s"
    }
    let summary = cycle.engine.pictureSummary
    if !cycle.engine.isMoving, summary != lastSummary {
      // A change may be invisible on this panel, like a step of a chart. It has its own time, and
      // so has its frame.
      causes += 2
    } else if cycle.engine.isMoving, began - lastMotion > 0.9 * display.refreshInterval {
      lastMotion = began
      causes += 1
    }
    lastSummary = summary
    // A start, a pause of a busy display and the last frame of a motion may each take one more.
    if wakeUps > 2 * frames.count + causes + reported.count + 16 {
      problem = "\(wakeUps) wake-ups up to \(display.now.seconds) s, for \(needs)"
    }
    return deadline
  }

  private var needs: String {
    "\(frames.count) frames, \(causes) flips, inputs and intervals of motion, and "
      + "\(reported.count) moments with events"
  }

  // MARK: Replayed

  /// Replays the inputs and returns the first difference, if any.
  package func violation() throws -> String? {
    if let problem { return problem }
    // Frames precede simultaneous inputs, which they didn't include.
    var steps = inputs.enumerated().map { (step: $1, order: 2 * $0 + 1) }
    for (index, frame) in frames.enumerated() {
      steps.append((Recording.Step(frame.time, .shot("\(index)")), 2 * frame.inputs))
    }
    // Check in between for missing frames; after long pauses only every fourth time.
    let times = (frames.map(\.time) + inputs.map(\.time)).sorted()
    let end = times.last ?? .zero
    var (last, next) = (Instant.zero, 0)
    for count in 0... {
      let look = Instant.zero + Double(count) * display.refreshInterval / 2
      guard look < end else { break }
      while times[next] <= look {
        last = times[next]
        next += 1
      }
      guard look - last < 3 * display.refreshInterval || count.isMultiple(of: 4) else { continue }
      steps.append((Recording.Step(look, .shot("")), .max))
    }
    steps.sort { ($0.step.time, $0.order) < ($1.step.time, $1.order) }
    var content = content
    content.imagePreparation = .atOnce
    let stage = Stage(content, seed: seed)
    var shown: (frame: Int, hash: Int)?
    var changed: Instant?
    var found: String?
    let replay = Replay(
      Recording(steps: steps.map(\.step)), on: stage, framesPerSecond: nil)
    try replay.run { outcome in
      guard found == nil, case .shot(let name) = outcome else { return }
      // A sleeping panel shows nothing, and needs no frames.
      guard !stage.engine.isBlank else {
        changed = nil
        return
      }
      let picture = stage.picture(size)
      guard let index = Int(name) else {
        guard let shown, picture.frame != shown.frame else { return }
        changed = picture.canvas().contentHash == shown.hash ? nil : changed ?? stage.now
        return
      }
      let frame = frames[index]
      if !frame.isInterim, picture.canvas().contentHash != frame.hash {
        found = "frame \(index), at \(frame.time.seconds) s, is not what the replay shows then"
      } else if let changed, frame.time - changed > timeout {
        found =
          "no frame came until \(frame.time.seconds) s, but the replay's picture changed at "
          + "\(changed.seconds) s"
      }
      // A frame that lacks images may differ until they are ready.
      shown = frame.isInterim ? nil : (picture.frame, frame.hash)
      changed = nil
    }
    if found == nil, let changed, end - changed > timeout {
      found = "no frame came after the replay's picture changed at \(changed.seconds) s"
    }
    return found
  }

  /// The maximum delay in seconds from a change to its frame. With vertical blanks, a change waits
  /// for the pending flip and then until shortly before the next blank.
  private var timeout: Double {
    let timing = display.timing
    return display.refreshInterval * (timing.isBusy ? 8 : timing.flips == .atBlanks ? 1.85 : 1.25)
  }
}

extension Canvas {
  fileprivate var contentHash: Int {
    var hasher = Hasher()
    // The pixels are valid during the call.
    unsafe withPixels { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    return hasher.finalize()
  }
}
