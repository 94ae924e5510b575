// SPDX-License-Identifier: MIT

package import LinuxIO
internal import RoundelRaster
package import RoundelRuntime

/// Decodes and scales the images of a running kiosk. The content's `imagePreparation` must be
/// `later`.
///
/// Uses one thread less than frames, but at least one. Workers except the first exist only
/// during preparations.
package final class ImagePreparer {
  private let cycle: FrameCycle
  private let loop: EventLoop
  private let worker: Worker
  private var idle: [Worker]
  private var preparedCount = 0
  /// The memory of images in preparation, in bytes.
  private var bytes = 0
  /// Waits for memory or for a worker.
  private var next: ImageWork?
  package var onPrepared: () -> Void = {}

  /// - Parameter worker: The first worker. It may do other work too.
  package init(for cycle: FrameCycle, on worker: Worker, _ loop: EventLoop) {
    self.cycle = cycle
    self.loop = loop
    self.worker = worker
    idle = [worker]
  }

  /// Bytes of several images at once: a photo for a 1920×1080 panel, and others. A larger image is
  /// prepared alone.
  private static let maximumBytes = 32 << 20

  private var maximumCount: Int { max(cycle.threadCount - 1, 1) }

  /// Each worker prepares one image at a time, so that a new page's images don't wait for all of
  /// the old one's.
  package func turn() {
    while preparedCount < maximumCount, let work = next ?? cycle.takeImageWork() {
      next = work
      guard preparedCount == 0 || bytes + work.bytes <= Self.maximumBytes,
        // If no thread can be created, the image waits for an existing worker.
        let worker = idle.popLast() ?? (try? Worker(on: loop))
      else { return }
      next = nil
      prepare(work, on: worker)
    }
    if preparedCount == 0 { idle = [worker] }
  }

  private func prepare(_ work: ImageWork, on worker: Worker) {
    preparedCount += 1
    bytes += work.bytes
    worker.run {
      work.run()
    } whenDone: { [weak self] images in
      guard let self else { return }
      preparedCount -= 1
      bytes -= work.bytes
      idle.append(worker)
      cycle.finish(images)
      onPrepared()
    }
  }
}
