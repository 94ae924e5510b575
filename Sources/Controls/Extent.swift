// SPDX-License-Identifier: MIT

public import Geometry

extension Button {
  /// The rectangle around the outline.
  public var extent: Rect? { Rect(center: center, size: size) }
}

extension Picture {
  /// The frame of the image.
  public var extent: Rect? { Rect(center: center, size: size) }
}

extension Pinwheel {
  /// The square around the rim.
  public var extent: Rect? { Rect(around: center, radius) }
}

extension Dial {
  /// The square around the face.
  public var extent: Rect? { Rect(around: center, radius) }
}

extension Menu {
  /// The square around the root's disc; rings extend beyond it.
  public var extent: Rect? { Rect(around: nodes[0].place, nodes[0].radius) }
}

extension Slots {
  /// The reels.
  public var extent: Rect? { frame }
}

extension Picker {
  /// The wheels.
  public var extent: Rect? { frame }
}

extension Resistor {
  /// Resistor and wheels.
  public var extent: Rect? { Rect(center: center, size: size) }
}

extension Rect {
  fileprivate init(around center: Point, _ radius: Double) {
    self.init(center: center, size: Size(2 * radius, 2 * radius))
  }
}

extension Keypad {
  /// The keys and the line of text.
  public var extent: Rect? { frame }
}
