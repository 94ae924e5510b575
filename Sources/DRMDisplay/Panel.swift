// SPDX-License-Identifier: MIT

internal import CDRM
internal import Drawing
internal import Geometry
internal import LinuxIO
internal import Motion
internal import Presentation
internal import Raster
internal import SystemPackage

/// An output with its two pictures.
final class Panel {
  let card: Card
  let output: Output
  /// Shown, or on its way to be shown.
  private var front: ScanoutBuffer
  /// Free to be painted.
  private var back: ScanoutBuffer
  private var pipeline: any Pipeline
  /// The card's resources when the output was chosen.
  private let resources: CardResources
  private let saved: SavedCRTC?
  /// Divides a picture into parts for flips where the bus is slow.
  private var bus: Bus
  /// The clips of the flips that are still needed for the whole picture.
  private var unsent: [[PixelRect]] = []
  /// The clips of the flip that is under way, and when it was submitted.
  private var underWay: (clips: [PixelRect], since: Timestamp)?
  /// Bytes of pixels that were sent, by the damage that was given to the driver.
  private(set) var sentBytes = 0
  /// Whether the mode was set by the last commit: the kernel drops the damage of the next one.
  private var isFreshlySet = false

  /// - Parameter old: a panel on the same CRTC that this one takes the place of.
  init(
    _ card: Card, _ resources: CardResources, _ output: Output, _ rotation: Rotation,
    _ depth: ColorDepth?, forcesLegacy: Bool, replacing old: Panel?
  ) throws(DisplayError) {
    self.card = card
    self.resources = resources
    self.output = output
    do throws(ScanoutRefusal) {
      front = try ScanoutBuffer(on: card, output, rotation, depth)
      back = try ScanoutBuffer(on: card, output, rotation, depth)
    } catch {
      throw DisplayError(
        .failed,
        "\(card.path) (\(card.driver)) gives no memory for two pictures of \(output.mode.size):"
          + " \(error); a smaller --mode or more memory for the driver (cma=) may help")
    }
    bus = Bus(bytesPerPixel: output.format.bytesPerPixel)
    pipeline =
      (forcesLegacy ? nil : AtomicPipeline(card, resources, output)) ?? LegacyPipeline(card, output)
    // The picture of the replaced panel is not to be restored, but the one before it.
    saved = old.map(\.saved) ?? SavedCRTC(output, on: card)
  }

  var layout: PanelLayout { front.layout }

  /// The frame that is shown or on its way; nil before the first.
  var shownFrame: Int? { front.frame }

  /// Sets the mode with the picture in it.
  func setMode(showing picture: Painter) throws(Refusal) {
    back.update(from: picture)
    // Other outputs of the card may have got other CRTCs since.
    let resources = (try? card.resources(probing: false)) ?? resources
    do throws(Refusal) {
      try pipeline.setMode(showing: back.id, on: resources)
    } catch {
      // Some drivers advertise atomic commits and refuse all of them.
      let isPassing = [.resourceBusy, .permissionDenied, .notPermitted].contains(error.errno)
      guard usesAtomic, !isPassing else { throw error }
      fallBack()
      try pipeline.setMode(showing: back.id, on: resources)
    }
    isFreshlySet = true
    unsent = []
    underWay = nil
    sentBytes += bus.bytes(of: [PixelRect(size: layout.size)])
    swap(&front, &back)
  }

  /// Shows the picture. O(n) in the pixels that have changed.
  func flip(to picture: Painter, tag: UInt64, at now: Timestamp) throws(Refusal) -> Submission {
    back.update(from: picture)
    let whole = PixelRect(size: layout.canvasSize)
    let clips = picture.damage(since: front.frame).clipped(to: whole).rects
      .map { layout.panelRect($0) }
    let submission: Submission
    var flips = isFreshlySet ? [[PixelRect(size: layout.size)]] : bus.flips(of: clips)
    let first = flips.removeFirst()
    do throws(Refusal) {
      submission = try pipeline.flip(
        to: back.id, damage: isFreshlySet ? nil : first, tag: tag)
    } catch {
      // The flip is invalid although the mode has just been set: a retry would not help.
      guard isFreshlySet, usesAtomic, error.errno == .invalidArgument else { throw error }
      fallBack()
      submission = try pipeline.flip(to: back.id, damage: nil, tag: tag)
    }
    isFreshlySet = false
    unsent = flips
    underWay = (first, now)
    sentBytes += bus.bytes(of: first)
    swap(&front, &back)
    return submission
  }

  /// Notes that the flip under way was done at a moment; `isTimed` says that this was reported at a blank,
  /// which says nothing about the bus. Submits the next part of the picture, `now`; nil if it is complete.
  func finishFlip(
    at moment: Timestamp, isTimed: Bool, tag: UInt64, now: Timestamp
  ) throws(Refusal) -> Submission? {
    if let underWay, !isTimed { bus.sent(underWay.clips, in: moment - underWay.since) }
    underWay = nil
    guard let clips = unsent.first else { return nil }
    unsent.removeFirst()
    let submission = try pipeline.flip(to: front.id, damage: clips, tag: tag)
    underWay = (clips, now)
    sentBytes += bus.bytes(of: clips)
    return submission
  }

  func turnOff() throws(Refusal) { try pipeline.turnOff() }

  /// Restores what the CRTC showed before, in case another process has the card open and the kernel
  /// does not restore the console.
  func restore() { saved?.restore(on: card) }

  private var usesAtomic: Bool { pipeline is AtomicPipeline }

  private func fallBack() { pipeline = LegacyPipeline(card, output) }
}

/// The picture that a CRTC showed before us.
private struct SavedCRTC {
  let id: UInt32
  let connector: UInt32
  let framebuffer: UInt32
  let x: UInt32
  let y: UInt32
  let mode: Mode

  /// nil where it showed nothing.
  init?(_ output: Output, on card: Card) {
    guard let crtc = unsafe drmModeGetCrtc(card.fd, output.crtc.id) else { return nil }
    // Copied before it is freed.
    defer { unsafe drmModeFreeCrtc(crtc) }
    guard unsafe crtc.pointee.mode_valid != 0 && crtc.pointee.buffer_id != 0 else { return nil }
    id = output.crtc.id
    connector = output.connector.id
    framebuffer = unsafe crtc.pointee.buffer_id
    x = unsafe crtc.pointee.x
    y = unsafe crtc.pointee.y
    mode = unsafe Mode(crtc.pointee.mode)
  }

  func restore(on card: Card) {
    var connector = connector
    var info = mode.info
    // One connector and one mode, both copied. It fails where the buffer is gone: then the kernel
    // has something better to show.
    unsafe drmModeSetCrtc(card.fd, id, framebuffer, x, y, &connector, 1, &info)
  }
}
