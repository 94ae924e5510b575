// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelGeometry
import Kiosk
import RoundelMotion
import RoundelPresentation
import RoundelRaster
import RoundelRuntime
import RoundelText

/// A panel that accepts frames only at vertical blanks, at whole intervals after time 0, and whose
/// clock advances only for painting.
final class VblankPanel: Display {
  var now = Timestamp.zero
  let canvasSize = PixelSize(80, 80)
  var rotation = Rotation.none
  let refreshInterval: Double
  var state = DisplayState.showing
  var readyAt: Timestamp? { nil }
  var isReady: Bool { state == .showing && flip == nil }
  private(set) var shownFrame: Int?
  var onFlip: ((Timestamp, Int) -> Void)?
  private(set) var vblank: Timestamp?

  /// The seconds to paint, copy and commit the next frame.
  var cost: () -> Double = { 0.002 }
  /// Frames committed later than these seconds before a blank wait for the next.
  var latch = 0.0
  /// Whether flips are lost: they aren't reported, but the next frame is accepted.
  var losesFlips = false
  /// The display time of the frame in flight.
  private(set) var flip: Timestamp?
  private(set) var flips: [Timestamp] = []

  init(refreshInterval: Double = 1.0 / 60) {
    self.refreshInterval = refreshInterval
  }

  /// The first vertical blank after a time.
  func vblank(after time: Timestamp) -> Timestamp {
    Timestamp.zero + ((time.seconds / refreshInterval).rounded(.down) + 1) * refreshInterval
  }

  func present(_ picture: Painter) throws(DisplayError) -> Timestamp? {
    now = now + cost()
    shownFrame = picture.frame
    flip = losesFlips ? nil : vblank(after: now + latch)
    return nil
  }

  func setPower(_ on: Bool) throws(DisplayError) { state = on ? .showing : .asleep }

  /// Advances the time and reports the flip that was due.
  func pass(to time: Timestamp) {
    now = max(now, time)
    guard let shown = flip, shown <= now else { return }
    flip = nil
    vblank = shown
    flips.append(shown)
    if let shownFrame { onFlip?(shown, shownFrame) }
  }
}

/// A dial in the centre of the panel whose scale shows its rotation even without a font.
func dialKiosk(blankAfter: Double? = nil) -> Content {
  let dial = Dial(
    center: Point(100, 100), radius: 95, labels: Dial.numbers(24), labelOffset: 12, fontSize: 8)
  return Content(
    Description(
      name: "k", screen: Screen(size: Size(200, 200), blankAfter: blankAfter),
      pages: [Page(name: "p", controls: [PlacedControl(id: "dial", control: dial)])]),
    fonts: FontLibrary())
}
