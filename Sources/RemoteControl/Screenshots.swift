// SPDX-License-Identifier: MIT

internal import Drawing
internal import Geometry
internal import JSON
internal import LinuxIO
internal import Presentation
internal import Raster
internal import Remote

/// Makes PNG files of the canvas, one at a time and on another thread, so that no number of them
/// costs a frame.
///
///     order ──► its turn ──► memory made by a worker, where it takes much ──► pixels taken
///       ──► packed by a worker ──► done
///
/// The pixels of one that is to show a certain moment are taken as soon as there is room for them;
/// those of others when they are packed.
final class Screenshots {
  /// A part of a canvas, to be made a picture of.
  struct Source: Sendable {
    var block: PixelBlock
    var rotation: Rotation
    /// Pixels of the picture for each of the panel.
    var scale: Double
  }

  /// A picture that a client wants.
  final class Order: ClientTask {
    let client: ClientID
    /// Whether the client's fingers rest until the pixels were taken.
    let isPrompt: Bool
    /// Pixels of the panel that it shows.
    fileprivate let area: Int
    fileprivate let source: (_ memory: consuming [UInt32]) -> Source
    fileprivate let whenTaken: () -> Void
    /// Makes the answer of the file, on another thread.
    fileprivate let pack: @Sendable (_ base64: [UInt8]) -> [UInt8]
    fileprivate let whenDone: (_ answer: [UInt8]) -> Void

    fileprivate enum Stage {
      case waiting
      /// It is its turn; once there is memory, to take the pixels is its client's work.
      case due(memory: [UInt32])
      case taken(Source)
    }
    fileprivate var stage = Stage.waiting
    /// Called when it is due.
    fileprivate var onProceed: () -> Void = {}

    init(
      for client: ClientID, isPrompt: Bool, area: Int,
      _ source: @escaping (_ memory: consuming [UInt32]) -> Source,
      whenTaken: @escaping () -> Void = {},
      pack: @escaping @Sendable (_ base64: [UInt8]) -> [UInt8],
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

    /// Bytes of the pixels that were taken.
    fileprivate var bytes: Int {
      if case .taken(let source) = stage { source.block.rect.area * 4 } else { 0 }
    }

    fileprivate var isWaiting: Bool { if case .waiting = stage { true } else { false } }
    fileprivate var isDue: Bool { if case .due = stage { true } else { false } }
  }

  private let worker: Worker
  private let limits: Limits
  private let work: ClientWork
  private var orders: [Order] = []
  /// Whose picture was packed last; the next one is for whoever comes after.
  private var lastClient: ClientID?
  private var isPacking = false

  init(_ worker: Worker, limits: Limits, work: ClientWork) {
    self.worker = worker
    self.limits = limits
    self.work = work
  }

  /// How many are waited for.
  var count: Int { orders.count }

  func add(_ order: Order) {
    orders.append(order)
    order.onProceed = { [unowned self, unowned order] in take(order) }
    proceed()
  }

  func forget(_ client: ClientID) {
    orders.removeAll { $0.client == client }
    proceed()
  }

  private func proceed() {
    // One after the other, so that each sees what those before have taken.
    guard !orders.contains(where: \.isDue) else { return }
    let taken = orders.filter { $0.bytes > 0 }
    if taken.isEmpty || taken.reduce(0, { $0 + $1.bytes }) < limits.maximumPictureBytes,
      taken.count < limits.maximumPictures,
      let prompt = orders.first(where: { $0.isPrompt && $0.isWaiting })
    {
      return makeDue(prompt)
    }
    guard !isPacking else { return }
    let clients = Set(orders.map(\.client)).sorted()
    guard
      let client = clients.first(where: { next in lastClient.map { next > $0 } ?? true })
        ?? clients.first,
      let order = orders.first(where: { $0.client == client })
    else { return }
    if case .taken(let source) = order.stage {
      pack(order, source)
    } else {
      makeDue(order)
    }
  }

  private func makeDue(_ order: Order) {
    order.stage = .due(memory: [])
    guard order.area > limits.maximumFramePixels else { return work.add(order) }
    worker.run { [area = order.area] in
      [UInt32](repeating: 0, count: area)
    } whenDone: { [weak self] memory in
      // Its client may have gone.
      guard let self, orders.contains(where: { $0 === order }) else { return }
      order.stage = .due(memory: memory)
      work.add(order)
    }
  }

  private func take(_ order: Order) {
    guard case .due(let memory) = order.stage else { return }
    // Only one may have the memory, or it would be copied.
    order.stage = .waiting
    order.stage = .taken(order.source(memory))
    order.whenTaken()
    proceed()
  }

  private func pack(_ order: Order, _ source: Source) {
    isPacking = true
    lastClient = order.client
    orders.removeAll { $0 === order }
    order.stage = .waiting
    let pack = order.pack
    worker.run {
      pack(Base64.encode(PNG.encode(source.picture)))
    } whenDone: { [weak self, work] answer in
      work.measure {
        order.whenDone(answer)
        self?.isPacking = false
        self?.proceed()
      }
    }
  }
}

extension Screenshots.Source {
  /// The part as the panel shows it, scaled.
  fileprivate var picture: PixelBlock {
    let turned = block.turned(by: rotation)
    let size = PixelSize(turned.rect.width, turned.rect.height)
    func scaled(_ side: Int) -> Int { max(1, Int((Double(side) * scale).rounded())) }
    let target = PixelSize(scaled(size.width), scaled(size.height))
    guard target != size else { return turned }
    return AreaScaling(from: size, to: target).scaled(PixelRect(size: target), of: turned)
  }
}

extension PixelBlock {
  /// The pixels as a panel shows them, from its own origin.
  fileprivate func turned(by rotation: Rotation) -> PixelBlock {
    let (width, height) = (rect.width, rect.height)
    let size = PixelSize(width, height)
    let target = PixelRect(size: rotation.applied(to: size))
    guard rotation != .none else { return PixelBlock(target, pixels: pixels) }
    // How far apart neighbours are there: across, and down.
    func index(_ x: Int, _ y: Int) -> Int {
      let place = rotation.panelRect(
        PixelRect(x0: x, y0: y, x1: x + 1, y1: y + 1), canvas: size)
      return place.y0 * target.width + place.x0
    }
    let (start, across, down) = (index(0, 0), index(1, 0) - index(0, 0), index(0, 1) - index(0, 0))
    var turned = [UInt32](repeating: 0, count: pixels.count)
    for y in 0..<height {
      for x in 0..<width { turned[start + y * down + x * across] = pixels[y * width + x] }
    }
    return PixelBlock(target, pixels: turned)
  }
}
