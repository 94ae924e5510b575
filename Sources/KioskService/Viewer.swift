// SPDX-License-Identifier: MIT

internal import RoundelDrawing
internal import RoundelGeometry
internal import RoundelJSON
internal import KioskProtocol
internal import RoundelPresentation
internal import RoundelRaster
internal import JSONRPC
internal import Synchronization

/// A client that watches the panel, and its pending changes.
///
///     damage ──► waiting ──► copied ──► scaled, compared and packed by a worker ──► answer
///
/// Each request gets one frame with all changes since the last. Clients don't wait for each other.
final class Viewer: ClientTask {
  /// A frame before scaling.
  private struct Frame: Sendable {
    var scaling: AreaScaling
    /// Rectangles with source pixels, or nil if the panel sleeps.
    var parts: [(rect: PixelRect, source: PixelBlock?)]
    /// The client's picture, or nil before its first frame.
    var shown: Handover
  }

  /// Moves a picture to another thread without a second reference, which would cause copies.
  private final class Handover: Sendable {
    private let picture: Mutex<ShownPicture?>
    init(_ picture: ShownPicture?) { self.picture = Mutex(picture) }

    func take() -> ShownPicture? { picture.withLock { $0.take() } }
  }

  let client: ClientID
  let request: FrameRequest
  private let reservation: Reservation
  var onProceed: () -> Void = {}
  /// The oldest is first.
  private(set) var replies: [Reply<FrameAnswer>] = []
  /// The changes since the last frame on a canvas of `canvasSize`.
  private var damage = DamageBands()
  private var canvasSize: PixelSize?
  private var isBlank = false
  /// The client's picture, or nil while a worker uses it.
  private var shown: ShownPicture?
  private var isBusy = false

  init(_ request: FrameRequest, for client: ClientID, _ reservation: Reservation) {
    self.request = request
    self.client = client
    self.reservation = reservation
  }

  func proceed() -> Bool {
    onProceed()
    return false
  }

  func prepare(for canvas: PixelSize) throws(RemoteError) {
    let size = request.size(for: canvas)
    try reservation.resize(to: size.width * size.height * MemoryLayout<UInt32>.size)
  }

  func add(_ reply: Reply<FrameAnswer>) { replies.append(reply) }

  func add(_ new: Damage) { damage.add(new) }

  /// Whether there is a request, and changes to send.
  func wantsFrame(of canvas: PixelSize, isBlank: Bool) -> Bool {
    !isBusy && !replies.isEmpty
      && (canvas != canvasSize || isBlank != self.isBlank || (!damage.isEmpty && !isBlank))
  }

  /// Changes beyond about `maximumPixels` stay for the next frame.
  func takeFrame(
    of picture: Painter, isBlank: Bool, maximumPixels: Int
  ) -> @Sendable () -> Packed {
    let scaling = AreaScaling(from: picture.size, to: request.size(for: picture.size))
    if picture.size != canvasSize { shown = nil }
    if picture.size != canvasSize || isBlank != self.isBlank {
      damage.removeAll()
      damage.add(PixelRect(size: picture.size))
    }
    (canvasSize, self.isBlank) = (picture.size, isBlank)
    let lacking = damage.damage.clipped(to: PixelRect(size: picture.size)).rects
    damage.removeAll()
    var parts: [(rect: PixelRect, source: PixelBlock?)] = []
    var left = maximumPixels
    for rect in lacking.map({ scaling.rect(showing: $0) }) {
      let rows = isBlank ? rect.height : min(rect.height, Self.rows(of: rect, scaling, in: left))
      let (now, later) = rect.cut(at: rect.y0 + rows)
      if !later.isEmpty { damage.add(scaling.part(under: later)) }
      guard !now.isEmpty else { continue }
      let source = isBlank ? nil : picture.maskedBlock(scaling.part(under: now))
      left -= source?.rect.area ?? 0
      parts.append((now, source))
    }
    let frame = Frame(scaling: scaling, parts: parts, shown: Handover(shown.take()))
    isBusy = true
    return { Self.pack(frame) }
  }

  /// About `pixels` panel pixels, but at least two rows, because a panel's row may affect two.
  private static func rows(of rect: PixelRect, _ scaling: AreaScaling, in pixels: Int) -> Int {
    guard pixels > 0 else { return 0 }
    return max(2, pixels * rect.height / scaling.part(under: rect).area)
  }

  struct Packed: Sendable {
    var parts: [(rect: PixelRect, png: [UInt8])]
    var shown: ShownPicture
  }

  private static func pack(_ frame: Frame) -> Packed {
    var shown = frame.shown.take() ?? ShownPicture(size: frame.scaling.target)
    var changes: [PixelRect] = []
    for part in frame.parts {
      let block =
        part.source.map { frame.scaling.scaled(part.rect, of: $0) }
        ?? PixelBlock(
          part.rect, pixels: Array(repeating: 0xff00_0000, count: part.rect.area))
      let change = shown.take(block)
      if !change.isEmpty { changes.append(change) }
    }
    return Packed(
      parts: changes.map { ($0, Base64.encode(PNG.encode(shown[$0]))) }, shown: shown)
  }

  /// Answers with a frame of `area` in the design, unless nothing has changed.
  func send(_ packed: Packed, area: Rect) {
    isBusy = false
    shown = packed.shown
    guard !packed.parts.isEmpty, !replies.isEmpty else { return }
    let frame = FrameAnswer.encoded(
      size: packed.shown.size, area: area,
      parts: packed.parts.map { ($0.rect.x0, $0.rect.y0, $0.png) })
    replies.removeFirst().give(encoded: frame)
  }

  func refuse(_ error: RemoteError) {
    for reply in replies { reply.refuse(error) }
    replies = []
  }

  /// Answers the pending requests with an empty frame.
  func dismiss() {
    for reply in replies { reply.give(FrameAnswer()) }
    replies = []
  }
}

extension FrameRequest {
  /// Keeps the requested aspect, and never enlarges the canvas.
  func size(for canvas: PixelSize) -> PixelSize {
    guard let size else { return canvas }
    let scale = min(
      Double(size.width) * aspect / Double(canvas.width),
      Double(size.height) / Double(canvas.height), 1, aspect)
    func side(_ value: Double, _ maximum: Int) -> Int { min(max(1, Int(value.rounded())), maximum) }
    return PixelSize(
      side(Double(canvas.width) * scale / aspect, size.width),
      side(Double(canvas.height) * scale, size.height))
  }
}

extension PixelRect {
  fileprivate func cut(at y: Int) -> (PixelRect, PixelRect) {
    (PixelRect(x0: x0, y0: y0, x1: x1, y1: y), PixelRect(x0: x0, y0: y, x1: x1, y1: y1))
  }
}
