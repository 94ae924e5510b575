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
    let waiting = screenshots.count + whenShown.count
    guard waiting < limits.maximumPictures else {
      throw RemoteError(
        exceeding: "maximumPictures", limits.maximumPictures,
        "too many pictures are waited for; try again later")
    }
    let part = part(region)
    guard !part.isEmpty else { throw .invalid("\"region\" is outside of the picture") }
    let area = Double(part.area) * scale * scale
    // The panel's own pixels are always to be had.
    let maximum = max(limits.maximumPicturePixels, PixelRect(size: cycle.picture.size).area)
    guard area <= Double(maximum) else {
      throw RemoteError(
        exceeding: "maximumPicturePixels", maximum, "the picture would have \(Int(area)) pixels",
        code: .invalidParameters)
    }
    let order = Screenshots.Order(for: reply.client, isPrompt: false, area: part.area) {
      [unowned self] memory in
      source(region, scale, in: memory)
    } pack: { base64 in
      Array("{\"png\":\"".utf8) + base64 + Array("\"}".utf8)
    } whenDone: { answer in
      reply.give(encoded: answer)
    }
    addWhenShown(order)
    return .later
  }

  /// Sends the picture that a recording asks for.
  func sendShot(
    _ name: String, to client: ClientID, _ whenTaken: @escaping () -> Void,
    _ whenSent: @escaping () -> Void
  ) {
    let order = Screenshots.Order(for: client, isPrompt: true, area: part(nil).area) {
      [unowned self] memory in
      source(nil, 1, in: memory)
    } whenTaken: {
      whenTaken()
    } pack: { base64 in
      Array("{\"name\":\(JSONValue.string(name).text),\"png\":\"".utf8) + base64
        + Array("\"}".utf8)
    } whenDone: { [weak self] members in
      self?.server?.notify("shot", encoded: members, to: client)
      whenSent()
    }
    addWhenShown(order)
  }

  private func addWhenShown(_ order: Screenshots.Order) {
    whenShown.append { [unowned self] in
      // Its client may have gone meanwhile.
      if server?.isConnected(order.client) == true { screenshots.add(order) }
    }
  }

  /// The pixels of the canvas that show a region of the design, or all.
  private func part(_ region: Rect?) -> PixelRect {
    let whole = PixelRect(size: cycle.picture.size)
    return region.map {
      PixelRect(covering: cycle.viewport.canvasRect($0)).intersection(whole)
    } ?? whole
  }

  private func source(
    _ region: Rect?, _ scale: Double, in memory: consuming [UInt32]
  ) -> Screenshots.Source {
    var part = part(region)
    // The panel may have become another one meanwhile.
    if part.isEmpty { part = PixelRect(x0: 0, y0: 0, x1: 1, y1: 1) }
    let block =
      cycle.engine.isBlank
      ? PixelBlock(part, pixels: Array(repeating: 0xff00_0000, count: part.area))
      : cycle.picture.block(part, in: memory)
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
