// SPDX-License-Identifier: MIT

internal import RoundelDrawing
internal import RoundelGeometry
internal import RoundelJSON
internal import Kiosk
internal import KioskProtocol
internal import LinuxIO
internal import RoundelMotion
internal import RoundelPresentation
internal import RoundelRaster
internal import JSONRPC
internal import RoundelRuntime

/// Creates PNG screenshots one at a time on another thread, so that they delay no frame.
///
///     capture ──► picture shown ──► due ──► large memory allocated by a worker ──► pixels copied
///       ──► compressed by a worker ──► done
///
/// The pixels of a screenshot with a time are copied as soon as memory allows, others just before
/// compression.
final class Screenshots: KioskComponent {
  /// The pixels before compression.
  struct Source: Sendable {
    var block: PixelBlock
    var time: Instant
    var rotation: Rotation
    /// The position on the panel.
    var place: PixelRect
    var depth: ColorDepth?
    /// Screenshot pixels per panel pixel.
    var scale: Double
  }

  final class Capture: ClientTask {
    let client: ClientID
    /// Whether the client's touches wait for the copied pixels.
    let isPrompt: Bool
    /// The number of panel pixels.
    fileprivate let area: Int
    fileprivate let source: (_ memory: consuming [UInt32]) -> Source
    fileprivate let whenTaken: () -> Void
    /// Runs on another thread.
    fileprivate let pack: @Sendable (_ base64: [UInt8], _ time: Instant) -> [UInt8]
    fileprivate let whenDone: (_ answer: [UInt8]) -> Void

    fileprivate enum Stage {
      case waiting
      /// The client's work copies the pixels next.
      case due(memory: [UInt32])
      case taken(Source)
    }
    fileprivate var stage = Stage.waiting
    fileprivate var onProceed: () -> Void = {}

    init(
      for client: ClientID, isPrompt: Bool, area: Int,
      _ source: @escaping (_ memory: consuming [UInt32]) -> Source,
      whenTaken: @escaping () -> Void = {},
      pack: @escaping @Sendable (_ base64: [UInt8], _ time: Instant) -> [UInt8],
      whenDone: @escaping (_ answer: [UInt8]) -> Void
    ) {
      self.client = client
      self.isPrompt = isPrompt
      self.area = area
      self.source = source
      self.whenTaken = whenTaken
      self.pack = pack
      self.whenDone = whenDone
    }

    func proceed() -> Bool {
      onProceed()
      return false
    }

    /// Bytes of the copied pixels.
    fileprivate var bytes: Int {
      if case .taken(let source) = stage { source.block.rect.area * 4 } else { 0 }
    }

    fileprivate var isWaiting: Bool { if case .waiting = stage { true } else { false } }
    fileprivate var isDue: Bool { if case .due = stage { true } else { false } }
  }

  private let context: ServerContext
  /// Requests that wait for the whole picture on the display.
  private var hidden: [Capture] = []
  private var captures: [Capture] = []
  /// The client of the last screenshot. The client after it is next.
  private var lastClient: ClientID?
  private var isPacking = false

  init(_ context: ServerContext) {
    self.context = context
  }

  func forget(_ client: ClientID) {
    hidden.removeAll { $0.client == client }
    captures.removeAll { $0.client == client }
    proceed()
  }

  func turn(isShown: Bool) {
    guard isShown, !hidden.isEmpty else { return }
    captures += hidden
    hidden = []
    proceed()
  }

  var methods: [ServedMethod] {
    [
      ServedMethod(ScreenshotRequest.self) { [unowned self] request, reply in
        try check(request)
        add(
          Capture(for: reply.client, isPrompt: false, area: part(request.region).area) {
            [unowned self] memory in
            source(request.region, request.scale, in: memory)
          } pack: { base64, time in
            ScreenshotAnswer.encoded(base64: base64, time: time.seconds)
          } whenDone: { answer in
            reply.give(encoded: answer)
          })
        return .later
      }
    ]
  }

  private func check(_ request: ScreenshotRequest) throws(RemoteError) {
    let limits = context.limits
    guard captures.count + hidden.count < limits.maximumPictures else {
      throw RemoteError(
        exceeding: "maximumPictures", limits.maximumPictures,
        "too many pending screenshots; try again later")
    }
    let part = part(request.region)
    guard !part.isEmpty else { throw .invalid("\"region\" is outside the picture") }
    let area = Double(part.area) * request.scale * request.scale
    // The panel's own resolution is always allowed.
    let maximum = max(limits.maximumPicturePixels, PixelRect(size: context.cycle.picture.size).area)
    guard area <= Double(maximum) else {
      throw RemoteError(
        exceeding: "maximumPicturePixels", maximum,
        "the screenshot is too large: \(Int(area)) pixels",
        code: .invalidParameters)
    }
  }

  func send(
    _ name: String, to client: ClientID, whenTaken: @escaping () -> Void,
    whenSent: @escaping () -> Void
  ) {
    add(
      Capture(for: client, isPrompt: true, area: part(nil).area) { [unowned self] memory in
        source(nil, 1, in: memory)
      } whenTaken: {
        whenTaken()
      } pack: { base64, _ in
        ShotNotice.encoded(name: name, base64: base64)
      } whenDone: { [clients = context.clients] notice in
        clients.notify(Notice.Kind.shot.rawValue, encoded: notice, to: client)
        whenSent()
      })
  }

  // MARK: Pixels

  /// Converts a region of the design. Nil means all pixels.
  private func part(_ region: Rect?) -> PixelRect {
    let whole = PixelRect(size: context.cycle.picture.size)
    return region.map {
      PixelRect(covering: context.cycle.viewport.canvasRect($0)).intersection(whole)
    } ?? whole
  }

  private func source(
    _ region: Rect?, _ scale: Double, in memory: consuming [UInt32]
  ) -> Source {
    var part = part(region)
    // The panel may have changed.
    if part.isEmpty { part = PixelRect(x0: 0, y0: 0, x1: 1, y1: 1) }
    let (cycle, rotation, depth) = (context.cycle, context.display.rotation, context.display.depth)
    let place = rotation.panelRect(part, canvas: cycle.picture.size)
    guard !cycle.engine.isBlank else {
      let black = PixelBlock(part, pixels: Array(repeating: 0xff00_0000, count: part.area))
      return Source(
        block: black, time: cycle.engine.now, rotation: rotation, place: place, depth: depth,
        scale: scale)
    }
    return Source(
      block: cycle.picture.maskedBlock(part, in: memory), time: cycle.pictureTime,
      rotation: rotation,
      place: place, depth: depth, scale: scale)
  }

  // MARK: Requests

  private func add(_ capture: Capture) {
    capture.onProceed = { [unowned self, unowned capture] in take(capture) }
    hidden.append(capture)
  }

  private func proceed() {
    // One at a time, so that each sees the memory of the previous ones.
    guard !captures.contains(where: \.isDue) else { return }
    let taken = captures.filter { $0.bytes > 0 }
    if taken.isEmpty || taken.reduce(0, { $0 + $1.bytes }) < context.limits.maximumPictureBytes,
      taken.count < context.limits.maximumPictures,
      let prompt = captures.first(where: { $0.isPrompt && $0.isWaiting })
    {
      return makeDue(prompt)
    }
    guard !isPacking else { return }
    let clients = Set(captures.map(\.client)).sorted()
    guard
      let client = clients.first(where: { next in lastClient.map { next > $0 } ?? true })
        ?? clients.first,
      let capture = captures.first(where: { $0.client == client })
    else { return }
    if case .taken(let source) = capture.stage {
      pack(capture, source)
    } else {
      makeDue(capture)
    }
  }

  private func makeDue(_ capture: Capture) {
    capture.stage = .due(memory: [])
    guard capture.area > context.limits.maximumFramePixels else { return context.work.add(capture) }
    context.packer.run { [area = capture.area] in
      [UInt32](repeating: 0, count: area)
    } whenDone: { [weak self] memory in
      // The client may have disconnected.
      guard let self, captures.contains(where: { $0 === capture }) else { return }
      capture.stage = .due(memory: memory)
      context.work.add(capture)
    }
  }

  private func take(_ capture: Capture) {
    guard case .due(let memory) = capture.stage else { return }
    // A single reference avoids a copy.
    capture.stage = .waiting
    capture.stage = .taken(capture.source(memory))
    capture.whenTaken()
    proceed()
  }

  private func pack(_ capture: Capture, _ source: Source) {
    isPacking = true
    lastClient = capture.client
    captures.removeAll { $0 === capture }
    capture.stage = .waiting
    let pack = capture.pack
    context.packer.run {
      pack(Base64.encode(PNG.encode(source.picture)), source.time)
    } whenDone: { [weak self, work = context.work] answer in
      work.measure {
        capture.whenDone(answer)
        self?.isPacking = false
        self?.proceed()
      }
    }
  }
}

extension Screenshots.Source {
  /// The block in the panel's orientation, colour depth and scale.
  fileprivate var picture: PixelBlock {
    let size = PixelSize(place.width, place.height)
    let turned = PixelBlock(
      PixelRect(size: size),
      pixels: PixelBlock(place, pixels: block.turned(by: rotation).pixels).reduced(to: depth).pixels
    )
    func scaled(_ side: Int) -> Int { max(1, Int((Double(side) * scale).rounded())) }
    let target = PixelSize(scaled(size.width), scaled(size.height))
    guard target != size else { return turned }
    return AreaScaling(from: size, to: target).scaled(PixelRect(size: target), of: turned)
  }
}
