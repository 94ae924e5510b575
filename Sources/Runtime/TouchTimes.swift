// SPDX-License-Identifier: MIT

internal import Motion

/// Follows touches on their way to the panel, and measures it.
///
/// A touch counts if a control took it and the next frame painted differs from the one before; it is seen when
/// that frame is. All touches of a frame count, each by itself. Touches of a frame that differs in nothing have
/// no effect to wait for. Where a flip gets lost, they are seen with the next one that is reported.
struct TouchTimes {
  private struct Times {
    var reported: Timestamp
    var read: Timestamp
    /// The frame in which it was painted; -1 before.
    var frame = -1
  }

  private struct Frame {
    var number: Int
    var begun: Timestamp
    var committed: Timestamp
  }

  private(set) var latency = Latency()
  /// Read, and in no frame yet.
  private var waiting: [Times] = []
  /// In a frame that was committed and is not seen yet.
  private var painted: [Times] = []
  /// The frames that are committed and not seen yet, in order.
  private var frames: [Frame] = []

  /// So many touches of one frame are measured; a flood of them must not take memory.
  private static let greatestCount = 256
  /// So many frames may be under way; of more, the oldest count as lost.
  private static let maximumFrames = 4

  init() {
    frames.reserveCapacity(Self.maximumFrames)
    waiting.reserveCapacity(Self.greatestCount)
    painted.reserveCapacity(Self.greatestCount)
  }

  /// A touch of the moment `reported` took effect at `read`.
  mutating func add(reported: Timestamp, read: Timestamp) {
    guard waiting.count < Self.greatestCount else { return }
    waiting.append(Times(reported: reported, read: read))
  }

  /// Forgets the touches since the last frame: they changed nothing that can be seen.
  mutating func dropWaiting() {
    waiting.removeAll(keepingCapacity: true)
  }

  /// Forgets all touches so far: nothing will be seen of them, as when the panel goes to sleep.
  mutating func dropAll() {
    dropWaiting()
    painted.removeAll(keepingCapacity: true)
  }

  /// A frame with all that was touched is given to the display.
  mutating func commit(_ number: Int, begun: Timestamp, at committed: Timestamp) {
    for touch in waiting.prefix(Self.greatestCount - painted.count) {
      painted.append(Times(reported: touch.reported, read: touch.read, frame: number))
    }
    dropWaiting()
    if frames.count == Self.maximumFrames { frames.removeFirst() }
    frames.append(Frame(number: number, begun: begun, committed: committed))
  }

  /// The display reports that it shows a committed frame, since `instant`. Later ones may be under way.
  mutating func flip(at instant: Timestamp, frame number: Int) {
    guard let frame = frames.last(where: { $0.number <= number }) else { return }
    // The clock is read after the display has taken the frame, and by then a driver without blanks
    // may have shown it.
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
