// SPDX-License-Identifier: MIT

internal import Geometry
internal import SystemPackage

/// How buffers get onto outputs, the same onto all: by atomic commits or by the legacy calls.
protocol Pipeline: AnyObject {
  /// Sets the outputs' modes with this buffer in them, switches off what else the CRTCs show, and
  /// waits until that has happened.
  func setMode(showing framebuffer: UInt32) throws(Errno)

  /// Shows another buffer, of which only `damage`, in the panel's pixels, differs from what is
  /// shown; nil stands for everything. Events that bear `tag` will report it, or it is shown
  /// already.
  func flip(
    to framebuffer: UInt32, damage: [PixelRect]?, tag: UInt64
  ) throws(Errno) -> Submission

  /// Puts the panels to sleep; `setMode` wakes it.
  func turnOff() throws(Errno)
}

/// The answer to a flip that was accepted.
enum Submission: Hashable {
  /// Once by each CRTC.
  case willReport(events: Int)
  case shown
}
