// SPDX-License-Identifier: MIT

public import Geometry

extension Button {
  public var extent: Rect? { Rect(center: center, size: size) }
}

extension Picture {
  public var extent: Rect? { Rect(center: center, size: size) }
}

extension Pinwheel {
  public var extent: Rect? { Rect(around: center, radius) }
}

extension Dial {
  public var extent: Rect? { Rect(around: center, radius) }
}

extension Menu {
  public var extent: Rect? { Rect(around: nodes[0].place, nodes[0].radius) }
}

extension Slots {
  public var extent: Rect? { frame }
}

extension Picker {
  public var extent: Rect? { frame }
}

extension Resistor {
  public var extent: Rect? { Rect(center: center, size: size) }
}

extension Rect {
  fileprivate init(around center: Point, _ radius: Double) {
    self.init(center: center, size: Size(2 * radius, 2 * radius))
  }
}
