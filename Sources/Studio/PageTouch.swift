// SPDX-License-Identifier: MIT

internal import Controls
internal import Geometry
internal import JSON

/// A finger on the picture, as a page tells it.
struct PageTouch {
  let finger: Int
  let phase: Touch.Phase
  let pixel: Point

  init?(_ json: JSONValue) {
    guard let x = json["x"]?.number, let y = json["y"]?.number,
      let phase = ["down": Touch.Phase.down, "move": .move, "up": .up, "cancel": .cancel][
        json["phase"]?.string ?? ""]
    else { return nil }
    finger = min(max(json["finger"]?.integer ?? 0, 0), 9)
    self.phase = phase
    pixel = Point(x, y)
  }
}
