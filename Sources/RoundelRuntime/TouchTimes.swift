// SPDX-License-Identifier: MIT

internal import RoundelMotion

/// Measures the latency of touches.
///
/// A touch counts if a control handled it and the next frame differs, and is seen when that frame
/// is shown. All touches of a frame count separately. After a lost flip, touches are seen with the
/// next.
struct TouchTimes {
  private struct Times {
    var reported: Timestamp
    var read: Timestamp
    /// -1 if it isn't painted yet.
    var frame = -1
  }

  private struct Frame {
    var number: Int
    var begun: Timestamp
    var committed: Timestamp
  }

  private(set) var latency = Latency()
  /// Handled, but not in a frame yet.
  private var waiting: [Times] = []
  /// In a committed frame that isn't shown yet.
  private var painted: [Times] = []
  /// Committed frames that are not shown yet, in order.
  private var frames: [Frame] = []

  /// Per frame, to limit memory.
  private static let greatestCount = 256
  /// Older pending frames count as lost.
  private static let maximumFrames = 4

  init() {
    frames.reserveCapacity(Self.maximumFrames)
    waiting.reserveCapacity(Self.greatestCount)
    painted.reserveCapacity(Self.greatestCount)
  }

  /// Adds a touch with the timestamp `reported` that took effect at `read`.
  mutating func add(reported: Timestamp, read: Timestamp) {
    guard waiting.count < Self.greatestCount else { return }
    waiting.append(Times(reported: reported, read: read))
  }

  /// The touches changed nothing visible.
  mutating func dropWaiting() {
    waiting.removeAll(keepingCapacity: true)
  }

  /// No touch will be visible, for example because the panel goes to sleep.
  mutating func dropAll() {
    dropWaiting()
    painted.removeAll(keepingCapacity: true)
  }

  /// Records that a frame with all waiting touches is passed to the display.
  mutating func commit(_ number: Int, begun: Timestamp, at committed: Timestamp) {
    for touch in waiting.prefix(Self.greatestCount - painted.count) {
      painted.append(Times(reported: touch.reported, read: touch.read, frame: number))
    }
    dropWaiting()
    if frames.count == Self.maximumFrames { frames.removeFirst() }
    frames.append(Frame(number: number, begun: begun, committed: committed))
  }

  /// Later frames may be pending.
  mutating func flip(at instant: Timestamp, frame number: Int) {
    guard let frame = frames.last(where: { $0.number <= number }) else { return }
    // A driver without blanks may have shown the frame before the clock was read.
    let committed = min(frame.committed, instant)
    for touch in painted where touch.frame <= number {
      latency.record(.kernelToReader, seconds: touch.read - touch.reported)
      latency.record(.readerToPaint, seconds: frame.begun - touch.read)
      latency.record(.paint, seconds: committed - frame.begun)
      latency.record(.commitToFlip, seconds: instant - committed)
      latency.record(.total, seconds: instant - touch.reported)
    }
    painted.removeAll { $0.frame <= number }
    frames.removeAll { $0.number <= number }
  }
}
