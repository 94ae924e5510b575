// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelGeometry
internal import RoundelJSON
internal import JSONRPC

/// A touch on the picture, as a page reports it.
struct PageTouch: JSONRecord {
  var finger = 0
  var phase = Touch.Phase.down
  private var x = 0.0
  private var y = 0.0

  var pixel: Point { Point(x, y) }

  static let members: [Member<Self>] = [
    .required("phase", \.phase, .phase), .required("finger", \.finger, .finger),
    .required("x", \.x, .number), .required("y", \.y, .number),
  ]
}

extension JSONType where Value == Touch.Phase {
  private static let phases: [(name: String, phase: Touch.Phase)] = [
    ("down", .down), ("move", .move), ("up", .up), ("cancel", .cancel),
  ]

  fileprivate static let phase = JSONType(
    "down, move, up or cancel",
    .schema("string", .init("enum", .array(phases.map { .string($0.name) })))
  ) { json in
    phases.first { $0.name == json.string }?.phase
  } write: { phase in
    .string(phases.first { $0.phase == phase }?.name ?? "")
  }
}

extension JSONType where Value == Int {
  fileprivate static let finger = JSONType(
    "0 … 9", .schema("integer", .init("minimum", .number(0)), .init("maximum", .number(9)))
  ) {
    $0.integer.flatMap { (0...9).contains($0) ? $0 : nil }
  } write: {
    .number(Double($0))
  }
}
