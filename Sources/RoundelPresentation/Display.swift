// SPDX-License-Identifier: MIT

package import RoundelDrawing
package import RoundelGeometry
package import RoundelMotion
package import RoundelRaster

/// A destination for pictures: a DRM panel, a terminal, or only memory.
///
/// After each wake-up, the frame cycle checks the display:
///
///     if display.isReady && display.shownFrame != picture.frame {
///       try display.present(picture)
///     }
///
/// The display never waits, and never queues a picture. Its own changes (a flip, a cable) are
/// events of its event loop. Check its properties after each iteration, and at `readyAt`.
package protocol Display: AnyObject {
  /// The unrotated canvas that fills the display after `rotation`. It may change with the panel.
  /// Pictures must then have the new size.
  var canvasSize: PixelSize { get }

  /// The clockwise rotation of the picture. A change may change `canvasSize`, and no frame is
  /// shown.
  var rotation: Rotation { get set }

  /// Nil makes the picture upright, if the display knows its panel's mounting.
  func turn(by rotation: Rotation?)

  /// The panel's colour depth, or nil for its memory's. The picture is dithered to it. After a
  /// change, no frame is shown.
  var depth: ColorDepth? { get set }

  /// Seconds between two frames, or 0 if frames are not paced.
  var refreshInterval: Double { get }

  /// The last known vertical blank, if frames change only then or whole intervals later, or nil if
  /// they are shown immediately.
  var vblank: Timestamp? { get }

  var blanks: BlankSource { get }

  /// The pixel bytes sent to the panel since it was attached. A flip counts as the changes'
  /// bounding rectangle; see `Bus`.
  var sentBytes: Int { get }

  var state: DisplayState { get }

  /// Whether a frame can be presented now: a panel is connected and awake, and no flip is pending.
  var isReady: Bool { get }

  /// The time when `isReady` becomes true without an event, or nil.
  var readyAt: Timestamp? { get }

  /// The current or pending frame's number, or nil, for example after a panel was connected.
  var shownFrame: Int? { get }

  /// Called for each change not reported by `present`, with the frame's time and number. A display
  /// that also composes other content may take the next frame before it reports the last.
  var onFlip: ((Timestamp, Int) -> Void)? { get set }

  /// Paints a picture's differences from the frame in memory. Returns the time when it is shown, or
  /// nil if `onFlip` will report it, or the display couldn't take it. The picture isn't used after
  /// the call. O(n) in the changed pixels.
  func present(_ picture: Painter) throws(DisplayError) -> Timestamp?

  /// Displays with the same content, at their own rate and canvas size. They get missing frames
  /// when ready, and never delay others. All requirements except `onFlip` and `setPower` apply.
  var mirrors: [any Display] { get }

  /// Puts the panel and its mirrors to sleep, or wakes them. Retries after an error don't set
  /// successful panels again.
  func setPower(_ on: Bool) throws(DisplayError)

  /// Whether the panel and its mirrors have the state of the last `setPower`, not after an error,
  /// another program's use, or for a new panel. True while `setPower` would have no effect.
  var holdsPower: Bool { get }
}

/// A display on a panel of this machine, with its seat's touches.
package protocol PanelDisplay: Display {
  var place: DisplayPlace? { get }
  /// Whether this program may draw on the panel. Otherwise the display waits for another one.
  var isInForeground: Bool { get set }
}

/// A human-readable location of a picture.
package struct DisplayPlace: Hashable, Sendable {
  /// The DRM device or the compositor's socket.
  package var card: String
  /// The connectors, the driver or the compositor's output.
  package var output: String
  package var mode: String
  /// An empty string if the kiosk can't choose it.
  package var format: String
  package var mirrors: [DisplayPlace]
  /// An explanation for each requested output that is not used.
  package var leftOut: [String]

  package init(
    card: String, output: String, mode: String, format: String = "",
    mirrors: [DisplayPlace] = [], leftOut: [String] = []
  ) {
    self.card = card
    self.output = output
    self.mode = mode
    self.format = format
    self.mirrors = mirrors
    self.leftOut = leftOut
  }
}

extension Display {
  package var vblank: Timestamp? { nil }
  package var mirrors: [any Display] { [] }
  package var sentBytes: Int { 0 }
  package var blanks: BlankSource { vblank == nil ? .none : .panel }
  package var holdsPower: Bool { true }
  package var depth: ColorDepth? {
    get { nil }
    set {}
  }
  package var readyAt: Timestamp? { nil }
  package func turn(by rotation: Rotation?) { self.rotation = rotation ?? .none }
}

/// The source of the vertical blanks that time reported flips.
package enum BlankSource: String, Hashable, Sendable, CaseIterable {
  /// None: flips are reported immediately.
  case none
  /// A kernel timer: the picture is visible before it is reported.
  case timer
  case panel
}

package enum DisplayState: Hashable, Sendable {
  case showing
  case asleep
  /// The display can't show anything now. It resumes automatically.
  case waiting(DisplayError)
}

package struct DisplayError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// There isn't a panel, but one may be plugged in later.
    case unavailable
    /// The user has no permission, or another program is the DRM master.
    case permission
    /// The device rejected a valid request.
    case failed
  }

  package var kind: Kind
  /// The problem, its location, and the remedy.
  package var description: String

  package init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  package static let inBackground = DisplayError(
    .unavailable, "another console is active; switch back to the kiosk's console")
}
