// SPDX-License-Identifier: MIT

package import LinuxIO
internal import Raster
package import Runtime

/// Decodes and scales the images of a running kiosk on a worker: first those that are shown, then those
/// of the other pages. The content must say that they are prepared later.
package final class ImagePreparer {
  private let cycle: FrameCycle
  private let worker: Worker
  private var isBusy = false
  /// Called after an image has been prepared.
  package var onPrepared: () -> Void = {}

  package init(for cycle: FrameCycle, on worker: Worker) {
    self.cycle = cycle
    self.worker = worker
  }

  /// Goes on after a turn of the cycle. One image is prepared at a time, so that what a new page needs
  /// does not wait for all that is left of another.
  package func turn() {
    guard !isBusy, let work = cycle.takeImageWork() else { return }
    isBusy = true
    worker.run {
      work.run()
    } whenDone: { [weak self] images in
      guard let self else { return }
      isBusy = false
      cycle.finish(images)
      onPrepared()
    }
  }
}
