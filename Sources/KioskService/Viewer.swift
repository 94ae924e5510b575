// SPDX-License-Identifier: MIT

internal import Drawing
internal import Geometry
internal import JSON
internal import KioskProtocol
internal import Presentation
internal import Raster
internal import JSONRPC
internal import Synchronization

/// A client that watches the panel, and what it has not seen.
///
///     damage ──► waits ──► copied ──► scaled, compared, packed by a worker ──► answer
///
/// Each request takes one frame: a client that is slow to ask gets fewer, each with all that has
/// changed meanwhile, and none waits for another.
final class Viewer: ClientTask {
  /// Part of the picture, ready to be made small.
  private struct Frame: Sendable {
    var scaling: AreaScaling
    /// The pixels to be sent, each with those under them; nil where the panel sleeps.
    var parts: [(rect: PixelRect, source: PixelBlock?)]
    /// The picture as the client has it; none where it has none.
    var shown: Handover
  }

  /// Gives a picture to another thread for good: with two owners, each change would copy it.
  private final class Handover: Sendable {
    private let picture: Mutex<ShownPicture?>
    init(_ picture: ShownPicture?) { self.picture = Mutex(picture) }

    func take() -> ShownPicture? { picture.withLock { $0.take() } }
  }

  let client: ClientID
  /// How the client wants the picture.
  let wish: FrameRequest
  /// Counts the picture as the client has it.
  private let reservation: Reservation
  /// Called when it is its turn to be sent something.
  var onProceed: () -> Void = {}
  /// Requests without an answer, the first one first.
  private(set) var replies: [Reply<FrameAnswer>] = []
  /// The parts that have changed since the client was sent them, on a canvas of `canvasSize`.
  private var damage = DamageBands()
  private var canvasSize: PixelSize?
  private var isBlank = false
  /// As the client has it; nil while a worker compares.
  private var shown: ShownPicture?
  private var isBusy = false

  init(_ wish: FrameRequest, for client: ClientID, _ reservation: Reservation) {
    self.wish = wish
    self.client = client
    self.reservation = reservation
  }

  func proceed() -> Bool {
    onProceed()
    return false
  }

  /// Makes room for the picture of a canvas.
  func prepare(for canvas: PixelSize) throws(RemoteError) {
    let size = wish.size(for: canvas)
    try reservation.resize(to: size.width * size.height * MemoryLayout<UInt32>.size)
  }

  func add(_ reply: Reply<FrameAnswer>) { replies.append(reply) }

  /// Something was painted.
  func add(_ new: Damage) { damage.add(new) }

  /// Whether there is something to be sent that the client waits for.
  func wantsFrame(of canvas: PixelSize, isBlank: Bool) -> Bool {
    !isBusy && !replies.isEmpty
      && (canvas != canvasSize || isBlank != self.isBlank || (!damage.isEmpty && !isBlank))
  }

  /// Takes what the client lacks from the picture, to be packed on another thread. Where that is more
  /// than some pixels, the rest is left for the next frame.
  func takeFrame(
    of picture: Painter, isBlank: Bool, maximumPixels: Int
  ) -> @Sendable () -> Packed {
    let scaling = AreaScaling(from: picture.size, to: wish.size(for: picture.size))
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
      let source = isBlank ? nil : picture.block(scaling.part(under: now))
      left -= source?.rect.area ?? 0
      parts.append((now, source))
    }
    let frame = Frame(scaling: scaling, parts: parts, shown: Handover(shown.take()))
    isBusy = true
    return { Self.pack(frame) }
  }

  /// How many rows of the picture show no more than some pixels of the panel. Two at least go
  /// together, since one row of the panel may be seen in both.
  private static func rows(of rect: PixelRect, _ scaling: AreaScaling, in pixels: Int) -> Int {
    guard pixels > 0 else { return 0 }
    return max(2, pixels * rect.height / scaling.part(under: rect).area)
  }

  /// A frame as it is sent, and the picture as the client then has it.
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

  /// Answers with a frame that shows `area` of the design; a frame without differences is not sent.
  func send(_ packed: Packed, area: Rect) {
    isBusy = false
    shown = packed.shown
    guard !packed.parts.isEmpty, !replies.isEmpty else { return }
    let frame = FrameAnswer.encoded(
      size: packed.shown.size, area: area,
      parts: packed.parts.map { ($0.rect.x0, $0.rect.y0, $0.png) })
    replies.removeFirst().give(encoded: frame)
  }

  /// Refuses the requests that wait.
  func refuse(_ error: RemoteError) {
    for reply in replies { reply.refuse(error) }
    replies = []
  }

  /// Ends the requests that wait, with nothing to see.
  func dismiss() {
    for reply in replies { reply.give(FrameAnswer()) }
    replies = []
  }
}

extension FrameRequest {
  /// The size of the picture of a canvas: its shape as it is seen, and no more pixels than it has.
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
  /// The rows above `y`, and the others.
  fileprivate func cut(at y: Int) -> (PixelRect, PixelRect) {
    (PixelRect(x0: x0, y0: y0, x1: x1, y1: y), PixelRect(x0: x0, y0: y, x1: x1, y1: y1))
  }
}
