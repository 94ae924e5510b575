// SPDX-License-Identifier: MIT

internal import Geometry
internal import JSON
internal import Kiosk
internal import Presentation
internal import Raster
internal import Remote
internal import Runtime

/// Pictures of what is on the panel.
extension KioskServer {
  var pictureMethods: [Method] {
    [
      Method(
        "screenshot", "Gives a picture of what is on the panel, turned as the panel is.",
        result: "{png}: a PNG file in base64"
      ) { parameters in
        let region = parameters.optional("region", .rect, "The part of it; all of it.")
        let scale = parameters.optional(
          "scale", .number(0.01...8), default: .number(1), "Its pixels for each of the panel.")
        return { [unowned self] arguments, reply in
          try screenshot(arguments[region], arguments[scale], reply)
        }
      }
    ]
  }

  private func screenshot(
    _ region: Rect?, _ scale: Double, _ reply: Reply
  ) throws(RemoteError) -> Method.Outcome {
    guard screenshots.hasRoom(after: whenShown.count) else {
      throw RemoteError(.busy, "too many pictures are waited for; try again later")
    }
    let part = part(region)
    guard !part.isEmpty else { throw .invalid("\"region\" is outside of the picture") }
    let area = Double(part.area) * scale * scale
    guard area <= Double(PNG.greatestArea) else {
      throw .invalid("the picture would have \(Int(area)) pixels (at most \(PNG.greatestArea))")
    }
    whenShown.append { [unowned self] in
      screenshots.order(for: reply.client) { [unowned self] in
        source(region, scale)
      } whenDone: { base64 in
        reply.give(encoded: Array("{\"png\":\"".utf8) + base64 + Array("\"}".utf8))
      }
    }
    return .later
  }

  /// Sends the picture that a recording asks for.
  func sendShot(
    _ name: String, to client: ClientID, _ whenTaken: @escaping () -> Void,
    _ whenSent: @escaping () -> Void
  ) {
    whenShown.append { [unowned self] in
      // Of this very moment; what other clients have ordered may take a while.
      let source = source(nil, 1)
      screenshots.order(for: client) {
        source
      } whenDone: { [weak self] base64 in
        let png = String(decoding: base64, as: UTF8.self)
        self?.server?.notify(
          "shot", [.init("name", .string(name)), .init("png", .string(png))], to: [client])
        whenSent()
      }
      whenTaken()
    }
  }

  /// The pixels of the canvas that show a region of the design, or all.
  private func part(_ region: Rect?) -> PixelRect {
    let whole = PixelRect(size: cycle.canvas.size)
    return region.map {
      PixelRect(covering: cycle.viewport.canvasRect($0)).intersection(whole)
    } ?? whole
  }

  private func source(_ region: Rect?, _ scale: Double) -> Screenshots.Source {
    let canvas = cycle.canvas
    var part = part(region)
    // The panel may have become another one meanwhile.
    if part.isEmpty { part = PixelRect(x0: 0, y0: 0, x1: 1, y1: 1) }
    let block =
      cycle.engine.isBlank
      ? PixelBlock(part, pixels: Array(repeating: 0xff00_0000, count: part.area))
      : PixelBlock(part, of: canvas)
    return Screenshots.Source(block: block, rotation: display.rotation, scale: scale)
  }
}

extension ParameterType where Value == Rect {
  static let rect = ParameterType("[x, y, width, height] in design pixels") { json in
    guard case .array(let list) = json, list.count == 4 else { return nil }
    let numbers = list.compactMap(\.number)
    guard numbers.count == 4, numbers.allSatisfy({ abs($0) <= 1e6 }), numbers[2] > 0,
      numbers[3] > 0
    else { return nil }
    return Rect(origin: Point(numbers[0], numbers[1]), size: Size(numbers[2], numbers[3]))
  }
}
