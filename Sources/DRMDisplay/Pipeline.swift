// SPDX-License-Identifier: MIT

internal import RoundelGeometry

/// Shows buffers on an output, by atomic commits or the legacy calls.
protocol Pipeline: AnyObject {
  /// Sets the mode, switches off everything else on the CRTC according to `resources`, and waits
  /// until this is done.
  func setMode(showing framebuffer: UInt32, on resources: CardResources) throws(Refusal)

  /// Shows another buffer. Only `damage`, in the panel's pixels, differs from the current one, or
  /// everything if it is nil. An event with `tag` will report the flip, unless the buffer is shown
  /// immediately.
  func flip(
    to framebuffer: UInt32, damage: [PixelRect]?, tag: UInt64
  ) throws(Refusal) -> Submission

  /// Puts the panel to sleep. `setMode` wakes it.
  func turnOff() throws(Refusal)
}

enum Submission: Hashable {
  case willReport
  case shown
}
