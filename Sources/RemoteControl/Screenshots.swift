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
final class Screenshots {
  /// A part of a canvas, to be made a picture of.
  struct Source: Sendable {
    var block: PixelBlock
    var rotation: Rotation
    /// Pixels of the picture for each of the panel.
    var scale: Double
  }

  private struct Order {
    let client: ClientID
    let source: () -> Source
    let whenDone: (_ base64: [UInt8]) -> Void
  }

  /// How many pictures may be waited for.
  private static let greatestLine = 32

  private let worker: Worker
  private var orders: [Order] = []
  private var isBusy = false

  init(_ worker: Worker) {
    self.worker = worker
  }

  /// Whether another picture can be ordered after `more` that will be.
  func hasRoom(after more: Int) -> Bool { orders.count + more < Self.greatestLine }

  /// Orders a picture of what `source` gives when it is its turn.
  func order(
    for client: ClientID, _ source: @escaping () -> Source,
    whenDone: @escaping (_ base64: [UInt8]) -> Void
  ) {
    orders.append(Order(client: client, source: source, whenDone: whenDone))
    work()
  }

  func forget(_ client: ClientID) {
    orders.removeAll { $0.client == client }
  }

  private func work() {
    guard !isBusy, !orders.isEmpty else { return }
    isBusy = true
    let order = orders.removeFirst()
    let source = order.source()
    worker.run {
      Base64.encode(PNG.encode(source.picture))
    } whenDone: { [weak self] base64 in
      order.whenDone(base64)
      self?.isBusy = false
      self?.work()
    }
  }
}

extension Screenshots.Source {
  /// The part as the panel shows it, scaled.
  fileprivate var picture: PixelBlock {
    let size = PixelSize(block.rect.width, block.rect.height)
    let upright = Canvas(size: size)
    // Both have as many pixels as the size says.
    unsafe upright.withPixels { target in _ = unsafe target.update(from: block.pixels) }
    let layout = PanelLayout(
      size: rotation.applied(to: size), pitch: rotation.applied(to: size).width * 4,
      format: .xrgb8888, rotation: rotation)
    let turned = Canvas(size: layout.size)
    // A canvas has just the layout's size.
    unsafe turned.withPixels {
      unsafe layout.copy(
        Damage(PixelRect(size: size)), of: upright, to: UnsafeMutableRawBufferPointer($0))
    }
    func scaled(_ side: Int) -> Int { max(1, Int((Double(side) * scale).rounded())) }
    let target = PixelSize(scaled(layout.size.width), scaled(layout.size.height))
    return AreaScaling(from: layout.size, to: target).scaled(PixelRect(size: target), of: turned)
  }
}
