// SPDX-License-Identifier: MIT

internal import RoundelMotion

/// Plans the start of frames.
///
/// If the display changes frames at vertical blanks, a frame starts as late as possible for the
/// next blank, so that it shows the newest touches:
///
///     vblank                          begin        commit      vblank
///       │ flip ┄ touch ┄ touch ┄ touch ┄ │ ─── cost ─── │ margin │ flip ┄
///                                        └────── budget ─────────┘
///
/// The budget is the cost of the most expensive recent frame plus an eighth, and a margin for the
/// kernel's unobservable part. The margin grows immediately if a frame is committed before its
/// blank but shown at a later one, and shrinks slowly. If most frames cost more than an interval,
/// they start immediately. Without known blanks, a frame starts when it is wanted, an interval
/// after the previous one.
struct FrameSchedule {
  struct Frame: Hashable {
    var begin: Timestamp
    /// The planned blank, or nil if unknown.
    var vblank: Timestamp?
  }

  private(set) var counts = FrameCounts()
  private var next: Frame?
  /// The last started frame, until its flip is reported.
  private var inFlight: (frame: Frame, committed: Timestamp?)?
  /// The blank of a frame without changes.
  private var skipped: Timestamp?
  private var pacer = FramePacer()

  /// Seconds from planned start to commit, for each recent frame.
  private var costs: [Double] = []
  /// The index of the oldest cost, once the maximum number is stored.
  private var oldest = 0
  private static let memory = 64
  /// A fraction of the interval.
  private var margin = leastMargin

  private static let leastMargin = 1.0 / 32
  private static let marginStep = 1.0 / 16
  /// The frames between misses because of the margin: one miss per minute of motion.
  private static let framesToMiss = 3600.0
  /// The tolerated delay of a frame's start, as a fraction of the interval.
  private static let grace = 1.0 / 8
  /// Seconds until extrapolated blanks are unreliable. Real rates differ by up to a thousandth from
  /// the mode's.
  private static let trust = 0.5

  /// Returns the next frame for a ready display. The result stays the same until the frame has
  /// started.
  mutating func frame(wantedAt now: Timestamp, vblank: Timestamp?, interval: Double) -> Frame {
    if let next { return next }
    let last = vblank.map { max($0, skipped ?? $0) }
    let frame = frame(after: last, at: now, interval)
    next = frame
    return frame
  }

  /// Returns the next frame while the last is pending, or nil if it can start with the flip's
  /// event. Without blanks, frames are an interval apart.
  mutating func frameAfterFlip(at now: Timestamp, hasBlanks: Bool, interval: Double) -> Frame? {
    next = next ?? inFlight.flatMap { frame(after: $0.frame, hasBlanks, at: now, interval) }
    if let begin = next?.begin, begin <= now { next = nil }
    return next
  }

  private func frame(
    after last: Frame, _ hasBlanks: Bool, at now: Timestamp, _ interval: Double
  ) -> Frame? {
    guard let vblank = last.vblank else {
      return hasBlanks ? nil : Frame(begin: last.begin + interval)
    }
    let planned = frame(after: vblank, at: now, interval)
    return planned.begin - vblank > interval * Self.grace ? planned : nil
  }

  /// Cancels the planned frame, because nothing moves.
  mutating func forget() {
    next = nil
    pacer.rest()
  }

  private func frame(after last: Timestamp?, at now: Timestamp, _ interval: Double) -> Frame {
    guard let last, now - last < Self.trust else {
      return Frame(begin: max(now, pacer.readyAt ?? now))
    }
    // A frame that takes longer than an interval misses its blank, whenever it starts.
    let longest = costs.lazy.filter { $0 < interval }.max() ?? 0
    let budget = longest * 1.125 + margin * interval
    let hopeless = costs.count { $0 >= interval }
    guard budget < interval, hopeless * 2 <= costs.count else {
      // Blanks will be missed anyway. An early start misses fewer.
      return Frame(begin: now)
    }
    // The first blank after `last` that is still reachable.
    let least = (now - last + budget) / interval - Self.grace
    let vblank = last + max(1, least.rounded(.up)) * interval
    // After a pause, caches are cold, so start early.
    let isRested = now - last > 1.5 * interval && vblank - now <= interval
    return Frame(begin: isRested ? now : max(now, vblank + -budget), vblank: vblank)
  }

  mutating func begin(_ frame: Frame) {
    next = nil
    skipped = nil
    inFlight = (frame, nil)
  }

  /// Records that the display took the started frame.
  mutating func commit(at now: Timestamp, _ frame: Frame) {
    if costs.count < Self.memory {
      costs.append(now - frame.begin)
    } else {
      costs[oldest] = now - frame.begin
      oldest = (oldest + 1) % Self.memory
    }
    inFlight?.committed = now
  }

  /// Records a frame without changes, which isn't presented and has no flip.
  mutating func skip(_ frame: Frame, interval: Double) {
    skipped = frame.vblank
    next = nil
    guard frame.vblank == nil else { return }
    let begin = frame.begin + interval
    next = Frame(begin: begin)
    pacer.skipped(until: begin)
  }

  /// Records the flip of the last started frame. `isTimed` is true if it happened at a blank.
  mutating func flip(at instant: Timestamp, isTimed: Bool, interval: Double) {
    counts.shown += 1
    pacer.flipped(at: instant, interval: interval)
    if isTimed { counts.timed += 1 }
    // The next frame was planned without knowing this time.
    if inFlight?.frame.vblank == nil { next = nil }
    defer { inFlight = nil }
    guard isTimed, let (frame, committed) = inFlight, let vblank = frame.vblank else { return }
    guard instant - vblank > interval / 2 else {
      margin = max(Self.leastMargin, margin - Self.marginStep / Self.framesToMiss)
      return
    }
    counts.late += 1
    next = nil
    if let committed, committed < vblank { margin = min(margin + Self.marginStep, 1) }
  }
}

package struct FrameCounts: Hashable, Sendable {
  package var shown = 0
  /// Frames that the display changed at a vertical blank.
  package var timed = 0
  /// Frames shown at a later blank than planned.
  package var late = 0
}
