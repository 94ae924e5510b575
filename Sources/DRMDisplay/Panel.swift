// SPDX-License-Identifier: MIT

internal import CRoundelDRM
internal import RoundelDrawing
internal import RoundelGeometry
internal import LinuxIO
internal import RoundelMotion
internal import RoundelPresentation
internal import RoundelRaster
internal import SystemPackage

/// An output with its two buffers.
final class Panel {
  let card: Card
  let output: Output
  /// The displayed or pending buffer.
  private var front: ScanoutBuffer
  private var back: ScanoutBuffer
  private var pipeline: any Pipeline
  /// The state when the output was chosen.
  private let resources: CardResources
  private let saved: SavedCRTC?
  /// Splits a picture into several flips if the bus is slow.
  private var bus: Bus
  /// The clips of the flips needed to complete the picture.
  private var unsent: [[PixelRect]] = []
  /// The pending flip's clips, and its submission time.
  private var inFlight: (clips: [PixelRect], since: Timestamp)?
  /// According to the damage passed to the driver.
  private(set) var sentBytes = 0
  /// Whether the last commit set the mode, so that the kernel ignores the next damage.
  private var isFreshlySet = false

  /// - Parameter old: A panel on the same CRTC to be replaced.
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
        "\(card.path) (\(card.driver)) cannot allocate two buffers of \(output.mode.size):"
          + " \(error); try a smaller --mode, or more memory for the driver (cma=)")
    }
    bus = Bus(bytesPerPixel: output.format.bytesPerPixel)
    pipeline =
      (forcesLegacy ? nil : AtomicPipeline(card, resources, output)) ?? LegacyPipeline(card, output)
    // Restore the picture from before the replaced panel, not the panel's own.
    saved = old.map(\.saved) ?? SavedCRTC(output, on: card)
  }

  var layout: PanelLayout { front.layout }

  /// The displayed or pending frame, or nil before the first.
  var shownFrame: Int? { front.frame }

  func setMode(showing picture: Painter) throws(Refusal) {
    back.update(from: picture)
    // Other outputs of the device may use other CRTCs by now.
    let resources = (try? card.resources(probing: false)) ?? resources
    do throws(Refusal) {
      try pipeline.setMode(showing: back.id, on: resources)
    } catch {
      // Some drivers advertise atomic commits but reject all of them.
      let isPassing = [.resourceBusy, .permissionDenied, .notPermitted].contains(error.errno)
      guard usesAtomic, !isPassing else { throw error }
      fallBack()
      try pipeline.setMode(showing: back.id, on: resources)
    }
    isFreshlySet = true
    unsent = []
    inFlight = nil
    sentBytes += bus.bytes(of: [PixelRect(size: layout.size)])
    swap(&front, &back)
  }

  /// O(n) in the changed pixels.
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
      // The flip is invalid although the mode was just set, so a retry wouldn't help.
      guard isFreshlySet, usesAtomic, error.errno == .invalidArgument else { throw error }
      fallBack()
      submission = try pipeline.flip(to: back.id, damage: nil, tag: tag)
    }
    isFreshlySet = false
    unsent = flips
    inFlight = (first, now)
    sentBytes += bus.bytes(of: first)
    swap(&front, &back)
    return submission
  }

  /// Submits the picture's next part, or returns nil if it is complete. A flip at a blank
  /// (`isTimed`) says nothing about the bus.
  func finishFlip(
    at time: Timestamp, isTimed: Bool, tag: UInt64, now: Timestamp
  ) throws(Refusal) -> Submission? {
    if let inFlight, !isTimed { bus.sent(inFlight.clips, in: time - inFlight.since) }
    inFlight = nil
    guard let clips = unsent.first else { return nil }
    unsent.removeFirst()
    let submission = try pipeline.flip(to: front.id, damage: clips, tag: tag)
    inFlight = (clips, now)
    sentBytes += bus.bytes(of: clips)
    return submission
  }

  func turnOff() throws(Refusal) { try pipeline.turnOff() }

  /// Needed if another process has the device open, so that the kernel doesn't restore the console.
  func restore() { saved?.restore(on: card) }

  private var usesAtomic: Bool { pipeline is AtomicPipeline }

  private func fallBack() { pipeline = LegacyPipeline(card, output) }
}

/// The picture on a CRTC before this program used it.
private struct SavedCRTC {
  let id: UInt32
  let connector: UInt32
  let framebuffer: UInt32
  let x: UInt32
  let y: UInt32
  let mode: Mode

  /// Returns nil if the CRTC was dark.
  init?(_ output: Output, on card: Card) {
    guard let crtc = unsafe drmModeGetCrtc(card.fd, output.crtc.id) else { return nil }
    // All fields are copied before `drmModeFreeCrtc` runs.
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
    // One connector and one mode, both copied. Fails without the buffer: the kernel then shows
    // something better.
    unsafe drmModeSetCrtc(card.fd, id, framebuffer, x, y, &connector, 1, &info)
  }
}
