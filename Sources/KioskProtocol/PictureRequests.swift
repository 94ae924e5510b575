// SPDX-License-Identifier: MIT

package import RoundelGeometry
internal import RoundelJSON
package import JSONRPC

package struct ScreenshotRequest: MethodRequest {
  package var region: Rect?
  package var scale = 1.0
  package init() {}

  package static let method = Method<ScreenshotRequest, ScreenshotAnswer>(
    "screenshot", "Returns a screenshot of the panel, with the panel's rotation.",
    result:
      "{png, t}: a PNG file in base64, and its time in seconds on the kiosk's clock, as in events")
  package static let members: [Member<ScreenshotRequest>] = [
    .optional(
      "region", \.region, .rect, "The captured region. The default is the complete picture."),
    .optional("scale", \.scale, .number(0.01...8), "The scale, in pixels per panel pixel."),
  ]
}

package struct ScreenshotAnswer: JSONRecord {
  package var png: [UInt8] = []
  /// The time in the picture, in seconds by the kiosk's clock.
  package var time = 0.0
  package init() {}

  package static let members: [Member<ScreenshotAnswer>] = [
    .required("png", \.png, .base64), .required("t", \.time, .seconds),
  ]

  package static func encoded(base64: [UInt8], time: Double) -> [UInt8] {
    let seconds = JSONType<Double>.seconds.write(time).text
    return Array("{\"png\":\"".utf8) + base64 + Array("\",\"t\":\(seconds)}".utf8)
  }
}

/// A screenshot of a recording, sent as a `shot` notification.
package struct ShotNotice: JSONRecord {
  package var name = ""
  package var png: [UInt8] = []
  package init() {}

  package static let members: [Member<ShotNotice>] = [
    .required("name", \.name, .text), .required("png", \.png, .base64),
  ]

  package static func encoded(name: String, base64: [UInt8]) -> [UInt8] {
    Array("{\"name\":\(JSONValue.string(name).text),\"png\":\"".utf8) + base64 + Array("\"}".utf8)
  }
}

package struct FrameRequest: MethodRequest, Hashable {
  package var size: PixelSize?
  package var aspect = 1.0
  package init() {}

  package static let method = Method<FrameRequest, FrameAnswer>(
    "frame",
    "Returns the changes of the picture since the previous answer, as soon as there are any. The first answer is the complete picture. A client that asks rarely misses frames, but no changes. On a large panel, some of many changes follow in the next answers.",
    result:
      "{size, area, parts: [{at, png}]}: the picture's size in pixels; the visible part [x, y, width, height] of the unrotated design; PNG files in base64, and their positions in the picture. A picture of another size replaces the previous one"
  )
  package static let members: [Member<FrameRequest>] = [
    .optional(
      "size", \.size, .pixelSize, "The maximum size of the picture. The default is the panel's."),
    .optional(
      "aspect", \.aspect, .number(0.2...5),
      "The ratio of the displayed width and height of its pixels."),
  ]
}

package struct FrameAnswer: JSONRecord {
  /// The frame's size, or zero if there is no picture.
  package var size = PixelSize(0, 0)
  package var area = Rect(size: Size(0, 0))
  package var parts: [Part] = []
  package init() {}

  package struct Part: JSONRecord {
    package var x = 0
    package var y = 0
    package var png: [UInt8] = []
    package init() {}

    package static let members: [Member<Part>] = [
      .required("at", \.place, .list(of: .integer)), .required("png", \.png, .base64),
    ]

    private var place: [Int] {
      get { [x, y] }
      set { (x, y) = newValue.count == 2 ? (newValue[0], newValue[1]) : (0, 0) }
    }
  }

  package static let members: [Member<FrameAnswer>] = [
    .required("size", \.size, .pixels), .required("area", \.area, .area),
    .required("parts", \.parts, .list(of: .nested)),
  ]

  /// Encodes PNG files in base64, each with its position.
  package static func encoded(
    size: PixelSize, area: Rect, parts: [(x: Int, y: Int, base64: [UInt8])]
  ) -> [UInt8] {
    func list(_ numbers: Double...) -> String { JSONValue.array(numbers.map { .number($0) }).text }
    var text = Array(
      ("{\"size\":\(list(Double(size.width), Double(size.height)))"
        + ",\"area\":\(list(area.x0, area.y0, area.width, area.height)),\"parts\":[").utf8)
    for (index, part) in parts.enumerated() {
      if index > 0 { text += ",".utf8 }
      text += "{\"at\":\(list(Double(part.x), Double(part.y))),\"png\":\"".utf8
      text += part.base64
      text += "\"}".utf8
    }
    return text + "]}".utf8
  }
}

extension JSONType where Value == PixelSize {
  /// A size that may be empty.
  fileprivate static let pixels = JSONType("[width, height] in pixels", JSONType.pixelSize.schema) {
    json in
    if json == .array([.number(0), .number(0)]) { return PixelSize(0, 0) }
    return pixelSize.read(json)
  } write: {
    pixelSize.write($0)
  }
}

extension JSONType where Value == Rect {
  /// An area that may be empty.
  fileprivate static let area = JSONType(
    "[x, y, width, height] in design pixels", JSONType.rect.schema
  ) { json in
    if json == .array(Array(repeating: .number(0), count: 4)) { return Rect(size: Size(0, 0)) }
    return rect.read(json)
  } write: {
    rect.write($0)
  }
}
