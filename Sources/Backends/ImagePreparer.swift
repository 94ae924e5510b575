// SPDX-License-Identifier: MIT

package import LinuxIO
internal import Raster
package import Runtime

/// Decodes and scales the images of a running kiosk on workers: first those that are shown, then those
/// of the other pages. The content must say that they are prepared later.
///
/// One thread is left for frames: images are prepared on one thread less than may compose frames, but at least one.
/// All but the first worker exist only while there are images to prepare.
package final class ImagePreparer {
  private let cycle: FrameCycle
  private let loop: EventLoop
  private let worker: Worker
  /// The workers that have nothing to do.
  private var idle: [Worker]
  private var preparedCount = 0
  /// The bytes that the images take while they are prepared.
  private var bytes = 0
  /// The next image, where it waits for memory or for a worker.
  private var next: ImageWork?
  /// Called after an image has been prepared.
  package var onPrepared: () -> Void = {}

  /// - Parameter worker: the first of the workers, which may do other work, too.
  package init(for cycle: FrameCycle, on worker: Worker, _ loop: EventLoop) {
    self.cycle = cycle
    self.loop = loop
    self.worker = worker
    idle = [worker]
  }

  /// The bytes that images may take while more than one is prepared: a photo for all of a panel of 1920×1080
  /// beside others. A larger one is prepared alone.
  private static let maximumBytes = 32 << 20

  /// How many images may be prepared at once.
  private var maximumCount: Int { max(cycle.threadCount - 1, 1) }

  /// Continues after a turn of the cycle. Each worker prepares one image at a time, so that the images of a new
  /// page do not wait for all the remaining images of another.
  package func turn() {
    while preparedCount < maximumCount, let work = next ?? cycle.takeImageWork() {
      next = work
      guard preparedCount == 0 || bytes + work.bytes <= Self.maximumBytes,
        // If no other thread can be made, the image waits for one of the present ones.
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
