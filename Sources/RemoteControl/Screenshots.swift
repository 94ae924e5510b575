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
    var size: PixelSize
    var pixels: [UInt32]
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
  fileprivate var picture: Canvas {
    let upright = Canvas(size: size)
    // Both have `size.width · size.height` pixels.
    unsafe upright.withPixels { target in _ = unsafe target.update(from: pixels) }
    let layout = PanelLayout(
      size: rotation.applied(to: size), pitch: rotation.applied(to: size).width * 4,
      format: .xrgb8888, rotation: rotation)
    let turned = Canvas(size: layout.size)
    // A canvas has just the layout's size.
    unsafe turned.withPixels {
      unsafe layout.copy(
        Damage(PixelRect(size: size)), of: upright, to: UnsafeMutableRawBufferPointer($0))
    }
    return scale == 1 ? turned : turned.scaled(by: scale)
  }
}

extension Canvas {
  /// The mean of all pixels that fall into one, or the nearest where there are more than before.
  fileprivate func scaled(by scale: Double) -> Canvas {
    func side(_ side: Int) -> Int { max(1, Int((Double(side) * scale).rounded())) }
    let target = Canvas(size: PixelSize(side(size.width), side(size.height)))
    func range(_ place: Int, _ count: Int, _ source: Int) -> Range<Int> {
      let start = place * source / count
      return start..<max(start + 1, (place + 1) * source / count)
    }
    // Written inside of the target, read by checked subscripts.
    unsafe target.withPixels { pixels in
      for y in 0..<target.size.height {
        let rows = range(y, target.size.height, size.height)
        for x in 0..<target.size.width {
          let columns = range(x, target.size.width, size.width)
          var (red, green, blue) = (0, 0, 0)
          for row in rows {
            for column in columns {
              let pixel = Int(self[column, row])
              red += pixel >> 16 & 255
              green += pixel >> 8 & 255
              blue += pixel & 255
            }
          }
          let count = rows.count * columns.count
          let mean = { ($0 + count / 2) / count }
          unsafe pixels[y * target.size.width + x] =
            0xff00_0000 | UInt32(mean(red) << 16 | mean(green) << 8 | mean(blue))
        }
      }
    }
    return target
  }
}
