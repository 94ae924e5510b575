// SPDX-License-Identifier: MIT

internal import Geometry

/// How buffers get onto an output: by atomic commits or by the legacy calls.
protocol Pipeline: AnyObject {
  /// Sets the output's mode with this buffer in it, switches off what else its CRTC shows, as
  /// `resources` have it, and waits until that has happened.
  func setMode(showing framebuffer: UInt32, on resources: CardResources) throws(Refusal)

  /// Shows another buffer, of which only `damage`, in the panel's pixels, differs from what is
  /// shown; nil means everything. An event that bears `tag` will report it, or it is shown
  /// already.
  func flip(
    to framebuffer: UInt32, damage: [PixelRect]?, tag: UInt64
  ) throws(Refusal) -> Submission

  /// Puts the panel to sleep; `setMode` wakes it.
  func turnOff() throws(Refusal)
}

/// The answer to a flip that was accepted.
enum Submission: Hashable {
  case willReport
  case shown
}
