// SPDX-License-Identifier: MIT

package import Drawing
package import Geometry
package import Motion
package import Raster

/// Something that shows a canvas: a DRM panel, a terminal, or nothing but memory.
///
/// The frame cycle keeps one complete canvas of `canvasSize`, and after whatever woke it up it looks
/// at the display:
///
///     if display.isReady && (!damage.isEmpty || display.needsFrame) {
///       try display.present(canvas, damage: damage)
///     }
///
/// The display never waits. What changes on its own account (a flip, a cable, the pace of frames)
/// comes as an event of the loop that it was given, so its properties are worth a look after each
/// turn of that loop, and at `readyAt`.
package protocol Display: AnyObject {
  /// The upright canvas that fills the display, rotation taken into account. It may change when
  /// another panel is plugged in; then a new canvas has to be painted.
  var canvasSize: PixelSize { get }

  /// How far the picture is turned clockwise on the panel. After a change `canvasSize` may be another
  /// one, and all of the canvas is shown anew.
  var rotation: Rotation { get set }

  /// Seconds between two frames.
  var refreshInterval: Double { get }

  /// The last vertical blank that is known, where the display takes frames over at vertical blanks
  /// only: at this moment or whole intervals later. Nil where it shows a frame when it is given.
  var vblank: Instant? { get }

  /// What the display does, for those who wonder why they see nothing.
  var state: DisplayState { get }

  /// Whether a frame can be given now: something is connected and awake, no flip is under way and
  /// the last frame has had its time.
  var isReady: Bool { get }

  /// When `isReady` turns true by the passing of time alone; nil where it already is or where an
  /// event will tell.
  var readyAt: Instant? { get }

  /// Whether the display wants `present` even if nothing has changed since the last call: it has
  /// not shown everything that it was given, or was just connected. It takes from the canvas what
  /// it lacks, so `damage` may be empty then.
  var needsFrame: Bool { get }

  /// Called at each change of the picture with the moment at which the new one began to be shown,
  /// on the monotonic clock.
  var onFlip: ((Instant) -> Void)? { get set }

  /// Shows `canvas`, whose size must be `canvasSize` and of which only `damage` differs from the
  /// canvas of the last call. Damage is never lost: what cannot be shown now will be with the next
  /// frame. The canvas is not used after the call.
  func present(_ canvas: Canvas, damage: Damage) throws(DisplayError)

  /// Puts the panel to sleep or wakes it.
  func setPower(_ on: Bool) throws(DisplayError)
}

extension Display {
  package var vblank: Instant? { nil }
}

/// What a display does.
package enum DisplayState: Hashable, Sendable {
  /// It shows what it is given.
  case showing
  /// It was put to sleep.
  case asleep
  /// It cannot show anything now and goes on by itself once the cause has gone.
  case waiting(DisplayError)
}

/// Why a display cannot show anything, and what to do about it.
package struct DisplayError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// Nothing to show on, now; it may be plugged in later.
    case unavailable
    /// The user may not, or another program is the display's master.
    case permission
    /// The device refused what it should have taken.
    case failed
  }

  package var kind: Kind
  /// What went wrong, where, and what to do.
  package var description: String

  package init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
