// SPDX-License-Identifier: MIT

internal import Motion

/// Follows touches on their way to the panel, and measures it.
///
/// A touch counts if a control took it and the next frame painted differs from the one before; it is
/// seen when that frame is. All touches of a frame count, each by itself. Those of a frame that
/// differs in nothing have no effect to wait for. Where a flip gets lost, they are seen with the next
/// one that is reported.
struct TouchTimes {
  private struct Times {
    var reported: Timestamp
    var read: Timestamp
  }

  private struct Frame {
    var begun: Timestamp
    var committed: Timestamp
  }

  private(set) var latency = Latency()
  /// Read, and in no frame yet.
  private var waiting: [Times] = []
  /// In a frame that was committed and is not seen yet.
  private var painted: [Times] = []
  /// The last one committed.
  private var frame: Frame?

  /// So many touches of one frame are measured; a flood of them must not take memory.
  private static let greatestCount = 256

  init() {
    waiting.reserveCapacity(Self.greatestCount)
    painted.reserveCapacity(Self.greatestCount)
  }

  /// A touch of the moment `reported` took effect at `read`.
  mutating func add(reported: Timestamp, read: Timestamp) {
    guard waiting.count < Self.greatestCount else { return }
    waiting.append(Times(reported: reported, read: read))
  }

  /// What was touched since the last frame changed nothing that can be seen.
  mutating func dropWaiting() {
    waiting.removeAll(keepingCapacity: true)
  }

  /// Nothing will be seen of any touch so far, as when the panel goes to sleep.
  mutating func dropAll() {
    dropWaiting()
    painted.removeAll(keepingCapacity: true)
  }

  /// A frame with all that was touched is given to the display.
  mutating func commit(begun: Timestamp, at committed: Timestamp) {
    painted.append(contentsOf: waiting.prefix(Self.greatestCount - painted.count))
    dropWaiting()
    frame = Frame(begun: begun, committed: committed)
  }

  /// The display reports that it shows the frame committed last, since `instant`.
  mutating func flip(at instant: Timestamp) {
    guard let frame else { return }
    for touch in painted {
      latency.record(.kernelToReader, seconds: touch.read - touch.reported)
      latency.record(.readerToPaint, seconds: frame.begun - touch.read)
      latency.record(.paint, seconds: frame.committed - frame.begun)
      latency.record(.commitToFlip, seconds: instant - frame.committed)
      latency.record(.total, seconds: instant - touch.reported)
    }
    painted.removeAll(keepingCapacity: true)
  }
}
