// SPDX-License-Identifier: MIT

internal import RoundelGeometry

/// Shows buffers on an output, by atomic commits or the legacy calls.
protocol Pipeline: AnyObject {
  /// Switches off everything else on the CRTC, and waits until this is done.
  func setMode(showing framebuffer: UInt32, on resources: CardResources) throws(Refusal)

  /// Only `damage`, in the panel's pixels, or everything if nil, differs from the current buffer.
  /// An event with `tag` reports the flip, unless it is immediate.
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
