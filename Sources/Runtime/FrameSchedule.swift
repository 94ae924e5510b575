// SPDX-License-Identifier: MIT

internal import Motion

/// When frames begin.
///
/// On a display that takes frames over at its vertical blanks, a frame begins as late as it can to be
/// shown at the next one, so that it shows the newest touches:
///
///     vblank                          begin        commit      vblank
///       │ flip ┄ touch ┄ touch ┄ touch ┄ │ ─── cost ─── │ margin │ flip ┄
///                                        └────── budget ─────────┘
///
/// The budget is what the costliest of the last frames took and an eighth more, and a margin for what cannot be
/// seen from here: the kernel's part, which ends some time before the blank. A frame that was committed before
/// its blank and shown at a later one has missed it by too small a margin, which grows immediately; it shrinks
/// slowly. Where most frames cost more than an interval, they begin immediately. On a display without blanks
/// that are known, a frame begins when it is wanted, an interval after the one before.
struct FrameSchedule {
  struct Frame: Hashable {
    var begin: Timestamp
    /// At which it is to be shown; nil where nobody can say.
    var vblank: Timestamp?
  }

  private(set) var counts = FrameCounts()
  /// The frame that is to come, once somebody has asked for it.
  private var next: Frame?
  /// The last one begun, until its flip is reported.
  private var inFlight: (frame: Frame, committed: Timestamp?)?
  /// The blank of a frame that turned out to differ in nothing.
  private var skipped: Timestamp?
  private var pacer = FramePacer()

  /// Seconds that each of the last frames took from when it should have begun to its commit.
  private var costs: [Double] = []
  /// Where the next one's goes, once there are as many as are remembered.
  private var oldest = 0
  private static let memory = 64
  /// In parts of the interval.
  private var margin = leastMargin

  private static let leastMargin = 1.0 / 32
  private static let marginStep = 1.0 / 16
  /// The margin settles where one in so many frames misses its blank for a lack of it: in lasting
  /// motion one a minute.
  private static let framesToMiss = 3600.0
  /// In parts of the interval: a frame that begins later by so little is still tried.
  private static let grace = 1.0 / 8
  /// Seconds after which the blanks are not where the mode's rate says any more: real rates differ
  /// from it by up to a thousandth.
  private static let trust = 0.5

  /// The next frame, which is wanted at `now`; the display is ready and its last known blank was `vblank`. An
  /// answer holds until the frame has begun.
  mutating func frame(wantedAt now: Timestamp, vblank: Timestamp?, interval: Double) -> Frame {
    if let next { return next }
    let last = vblank.map { max($0, skipped ?? $0) }
    let frame = frame(after: last, at: now, interval)
    next = frame
    return frame
  }

  /// The next frame where the last one is still in flight: nil if it can begin as soon as that is
  /// shown, of which an event will tell. On a display without blanks, frames are an interval apart.
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

  /// No frame is wanted.
  mutating func forget() { next = nil }

  private func frame(after last: Timestamp?, at now: Timestamp, _ interval: Double) -> Frame {
    guard let last, now - last < Self.trust else {
      return Frame(begin: max(now, pacer.readyAt ?? now))
    }
    // A frame that takes longer than an interval misses its blank whenever it begins.
    let longest = costs.lazy.filter { $0 < interval }.max() ?? 0
    let budget = longest * 1.125 + margin * interval
    let hopeless = costs.count { $0 >= interval }
    guard budget < interval, hopeless * 2 <= costs.count else {
      // It would miss blanks anyway; the sooner it begins, the fewer.
      return Frame(begin: now)
    }
    // The first blank after `last` whose frame is not too late to begin.
    let least = (now - last + budget) / interval - Self.grace
    let vblank = last + max(1, least.rounded(.up)) * interval
    // After a rest caches are cold and no touch has waited, so there is time to be had.
    let isRested = now - last > 1.5 * interval && vblank - now <= interval
    return Frame(begin: isRested ? now : max(now, vblank + -budget), vblank: vblank)
  }

  /// The frame begins: it is given to the display next.
  mutating func begin(_ frame: Frame) {
    next = nil
    skipped = nil
    inFlight = (frame, nil)
  }

  /// The display has taken the frame that was begun.
  mutating func commit(at now: Timestamp, _ frame: Frame) {
    if costs.count < Self.memory {
      costs.append(now - frame.begin)
    } else {
      costs[oldest] = now - frame.begin
      oldest = (oldest + 1) % Self.memory
    }
    inFlight?.committed = now
  }

  /// The frame differs in nothing from the last one, so it is not given to the display and no flip
  /// will tell when to go on.
  mutating func skip(_ frame: Frame, interval: Double) {
    skipped = frame.vblank
    next = frame.vblank == nil ? Frame(begin: frame.begin + interval) : nil
  }

  /// The display reports its flip to the frame begun last; `isTimed` where that was at a blank.
  mutating func flip(at instant: Timestamp, isTimed: Bool, interval: Double) {
    counts.shown += 1
    pacer.flipped(at: instant, interval: interval)
    if isTimed { counts.timed += 1 }
    // It was planned without knowing when that would be.
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

/// How many frames were shown, since the start.
package struct FrameCounts: Hashable, Sendable {
  package var shown = 0
  /// The frames that the display says it took over at a vertical blank.
  package var timed = 0
  /// The frames that were shown at a later blank than the one that they were begun for.
  package var late = 0
}
