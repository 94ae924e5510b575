// SPDX-License-Identifier: MIT

package import Drawing
package import Geometry
package import Motion
package import Raster

/// Something that shows a picture: a DRM panel, a terminal, or nothing but memory.
///
/// After whatever woke it up, the frame cycle looks at the display:
///
///     if display.isReady && display.shownFrame != picture.frame {
///       try display.present(picture)
///     }
///
/// The display never waits, and keeps no picture that it cannot show: it says which frame it shows, and takes
/// from the picture what has changed since. A change on its own account (a flip, a cable) comes as an event of
/// the loop that it was given, so its properties are worth a look after each turn of that loop, and at
/// `readyAt`.
package protocol Display: AnyObject {
  /// The upright canvas that fills the display, rotation taken into account. It may change when
  /// another panel is plugged in; then pictures of another size are wanted.
  var canvasSize: PixelSize { get }

  /// How far the picture is turned clockwise on the panel. After a change `canvasSize` may be another
  /// one, and no frame is shown.
  var rotation: Rotation { get set }

  /// Turns the picture clockwise; nil for what makes it upright, where the display knows how its panel
  /// is mounted.
  func turn(by rotation: Rotation?)

  /// The colour depth that the panel shows, where that is less than its memory holds: the picture is dithered
  /// to it. Nil for the depth of its memory. After a change no frame is shown.
  var depth: ColorDepth? { get set }

  /// Seconds between two frames; 0 where frames are not paced.
  var refreshInterval: Double { get }

  /// The last vertical blank that is known, where the display takes frames over at vertical blanks
  /// only: at this moment or whole intervals later. Nil where it shows a frame when it is given.
  var vblank: Timestamp? { get }

  /// The source of the vertical blanks at which it reports flips.
  var blanks: BlankSource { get }

  /// Bytes of pixels that were given to the panel since it was attached: of each flip the rectangle that holds
  /// what has changed, which most drivers of slow buses send.
  var sentBytes: Int { get }

  /// The display's activity, which explains why nothing is seen.
  var state: DisplayState { get }

  /// Whether a frame can be given now: something is connected and awake, and no flip is under way.
  var isReady: Bool { get }

  /// When `isReady` turns true by the passing of time alone; nil where it already is or where an
  /// event will tell.
  var readyAt: Timestamp? { get }

  /// The number of the frame that it shows or is about to show; nil where it shows none, as after a
  /// panel was connected.
  var shownFrame: Int? { get }

  /// Called at each change of the picture that `present` did not report itself, with the moment at
  /// which the new one began to be shown and its frame's number. A display that composes what others
  /// show, too, may take the next frame before it reports the last one.
  var onFlip: ((Timestamp, Int) -> Void)? { get set }

  /// Shows a picture, whose size must be `canvasSize`, by painting what has changed since the frame
  /// that its memory holds. Returns the moment at which it is shown; nil where `onFlip` will report
  /// that, and where the display could not take the frame now. The picture is not used after the call.
  /// O(n) in the pixels that have changed.
  func present(_ picture: Painter) throws(DisplayError) -> Timestamp?

  /// Displays that show the same, each as often as it can, on a canvas of its own size. They are given what
  /// they lack when they take it, and no one waits for them. All of this protocol but `onFlip` and `setPower`
  /// applies to them.
  var mirrors: [any Display] { get }

  /// Puts the panel and its mirrors to sleep, or wakes them. The caller repeats the call after an error. No
  /// panel is set twice.
  func setPower(_ on: Bool) throws(DisplayError)

  /// Whether the panel and its mirrors have the state of the last `setPower`. False after an error, after another
  /// program used the panel, and for a new panel. True while `setPower` would have no effect.
  var holdsPower: Bool { get }
}

/// A display that is a panel of this machine, whose fingers are on the devices of its seat.
package protocol PanelDisplay: Display {
  /// Where the picture is shown; nil while there is no panel.
  var place: DisplayPlace? { get }
  /// Whether the panel is this program's to draw on. Where it is not, another one draws on it, and the
  /// display waits.
  var isInForeground: Bool { get set }
}

/// Where a picture is shown, for people.
package struct DisplayPlace: Hashable, Sendable {
  /// The device file, or the compositor's socket.
  package var card: String
  /// The connectors, the driver or the compositor's output.
  package var output: String
  package var mode: String
  /// The format of its pixels; empty where that is not the kiosk's to choose.
  package var format: String
  /// The other places where it is shown.
  package var mirrors: [DisplayPlace]
  /// Why outputs that were asked for do not show it.
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

/// The source of the vertical blanks at which flips are reported.
package enum BlankSource: String, Hashable, Sendable, CaseIterable {
  /// Flips are reported immediately.
  case none
  /// A timer of the kernel's: the picture is there before it is reported.
  case timer
  case panel
}

/// The activity of a display.
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
  /// The problem, its place, and a way out.
  package var description: String

  package init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  /// The panel belongs to another console.
  package static let inBackground = DisplayError(
    .unavailable, "another console is shown; the picture comes back with the kiosk's own")
}
