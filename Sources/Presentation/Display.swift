// SPDX-License-Identifier: MIT

public import Drawing
public import Geometry
public import Raster

/// Something that shows a canvas: a DRM panel, a terminal, or nothing but memory.
///
/// The frame cycle paints into a canvas of `canvasSize` and calls `present`; the display copies what
/// it needs and tells by `isReady` when it takes the next one. It never waits.
public protocol Display: AnyObject {
  /// The upright canvas that fills the display, rotation taken into account. It may change when
  /// another panel is plugged in.
  var canvasSize: PixelSize { get }

  /// Seconds between two frames.
  var refreshInterval: Double { get }

  /// Whether a frame can be given now: something is connected and no flip is under way.
  var isReady: Bool { get }

  /// Shows `canvas`, of which only `damage` differs from the canvas of the last call. A display
  /// that was not shown everything since it was connected, or that lost a frame, asks for all.
  func present(_ canvas: Canvas, damage: Damage) throws(DisplayError)

  /// Puts the panel to sleep or wakes it.
  func setPower(_ on: Bool) throws(DisplayError)
}

/// Why a display cannot show anything, and what to do about it.
public struct DisplayError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Kind: Hashable, Sendable {
    /// Nothing to show on, now; it may be plugged in later.
    case unavailable
    /// The user may not, or another program is the display's master.
    case permission
    /// The device refused what it should have taken.
    case failed
  }

  public var kind: Kind
  /// What went wrong, where, and what to do.
  public var description: String

  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
