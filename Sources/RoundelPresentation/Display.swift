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
/// The display never waits, and never queues a picture. Changes by the display itself (a flip, a
/// cable) arrive as events of the event loop passed to it. Check its properties after each
/// iteration of that loop, and at `readyAt`.
package protocol Display: AnyObject {
  /// The size of the unrotated canvas that fills the display, after `rotation` is applied. It may
  /// change when another panel is plugged in. Pictures must then have the new size.
  var canvasSize: PixelSize { get }

  /// The clockwise rotation of the picture on the panel. After a change, `canvasSize` may be
  /// different, and no frame is shown.
  var rotation: Rotation { get set }

  /// Rotates the picture clockwise. Nil makes it upright, if the display knows how its panel is
  /// mounted.
  func turn(by rotation: Rotation?)

  /// The panel's colour depth, or nil for its memory's. The picture is dithered to it. After a
  /// change, no frame is shown.
  var depth: ColorDepth? { get set }

  /// Seconds between two frames, or 0 if frames are not paced.
  var refreshInterval: Double { get }

  /// The last known vertical blank, if the display changes frames only then: at this time or whole
  /// intervals later. Nil if the display shows a frame immediately.
  var vblank: Timestamp? { get }

  var blanks: BlankSource { get }

  /// The pixel bytes sent to the panel since it was attached. Each flip counts as the bounding
  /// rectangle of the changes, which most drivers of slow buses send.
  var sentBytes: Int { get }

  var state: DisplayState { get }

  /// Whether a frame can be presented now: a panel is connected and awake, and no flip is pending.
  var isReady: Bool { get }

  /// The time when `isReady` becomes true without an event. Nil if it is already true, or if an
  /// event will arrive.
  var readyAt: Timestamp? { get }

  /// The number of the current or pending frame, or nil if there isn't one, for example after a
  /// panel was connected.
  var shownFrame: Int? { get }

  /// Called for each change of the picture not reported by `present`, with the time when the new
  /// frame appeared and its number. A display that composes other content as well may take the next
  /// frame before it reports the last one.
  var onFlip: ((Timestamp, Int) -> Void)? { get set }

  /// Presents a picture of size `canvasSize` by painting the differences from the frame in memory.
  /// Returns the time when it is shown, or nil if `onFlip` will report it or if the display
  /// couldn't take the frame. The picture isn't used after the call. O(n) in the changed pixels.
  func present(_ picture: Painter) throws(DisplayError) -> Timestamp?

  /// Displays with the same content, each at its own rate and canvas size. They receive missing
  /// frames when they are ready, and never delay others. All requirements except `onFlip` and
  /// `setPower` apply to them.
  var mirrors: [any Display] { get }

  /// Puts the panel and its mirrors to sleep, or wakes them. After an error, the caller retries,
  /// and panels that already succeeded aren't set again.
  func setPower(_ on: Bool) throws(DisplayError)

  /// Whether the panel and its mirrors are in the state of the last `setPower`. False after an
  /// error, after another program used the panel, and for a new panel. True while `setPower` would
  /// have no effect.
  var holdsPower: Bool { get }
}

/// A display on a panel of this machine, with touches from the input devices of its seat.
package protocol PanelDisplay: Display {
  var place: DisplayPlace? { get }
  /// Whether this program may draw on the panel. Otherwise another program does, and the display
  /// waits.
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

/// An error that prevents a display from showing anything.
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
