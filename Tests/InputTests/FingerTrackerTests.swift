// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelGeometry
import TestSupport
import Testing
import RoundelInput

/// One canvas pixel per hundredth of the panel's sides.
private let upright = PanelMapping(canvas: PixelSize(100, 100), rotation: .none)

/// A touch as `finger phase x,y`.
private func text(_ touch: CanvasTouch) -> String {
  "\(touch.finger) \(touch.phase) \(Int(touch.position.x)),\(Int(touch.position.y))"
}

/// The touches of all events.
private func touches(_ events: InputEvent..., mapping: PanelMapping = upright) -> [String] {
  var fingers = FingerTracker(mapping: mapping)
  return events.flatMap { fingers.handle($0) }.map(text)
}

private func place(_ x: Double, _ y: Double) -> Point { Point(x / 100, y / 100) }

@Suite struct FingerTrackerTests {
  @Test func `a finger keeps its number from down to up`() {
    #expect(
      touches(
        .down(device: 1, slot: 0, at: place(10, 20)), .move(device: 1, slot: 0, to: place(11, 22)),
        .up(device: 1, slot: 0)) == ["0 down 10,20", "0 move 11,22", "0 up 11,22"])
  }

  @Test func `slots and devices have separate fingers`() {
    #expect(
      touches(
        .down(device: 1, slot: 0, at: place(1, 1)), .down(device: 1, slot: 1, at: place(20, 2)),
        .down(device: 2, slot: 0, at: place(3, 3)), .up(device: 1, slot: 0),
        .move(device: 2, slot: 0, to: place(4, 4)), .up(device: 1, slot: 1))
        == ["0 down 1,1", "1 down 20,2", "2 down 3,3", "0 up 1,1", "2 move 4,4", "1 up 20,2"])
  }

  @Test func `the lowest free number is reused`() {
    #expect(
      touches(
        .down(device: 1, slot: 0, at: place(1, 1)), .down(device: 1, slot: 1, at: place(20, 2)),
        .up(device: 1, slot: 0), .down(device: 1, slot: 5, at: place(30, 3)),
        .down(device: 1, slot: 6, at: place(40, 4)))
        == ["0 down 1,1", "1 down 20,2", "0 up 1,1", "0 down 30,3", "2 down 40,4"])
  }

  @Test func `a panel without slots has one finger`() {
    #expect(
      touches(.down(device: 1, slot: -1, at: place(1, 1)), .up(device: 1, slot: -1))
        == ["0 down 1,1", "0 up 1,1"])
  }

  @Test func `a finger whose up was lost is cancelled when its slot is used again`() {
    #expect(
      touches(
        .down(device: 1, slot: 0, at: place(1, 1)), .down(device: 1, slot: 0, at: place(2, 2)))
        == ["0 down 1,1", "0 cancel 1,1", "0 down 2,2"])
  }

  @Test func `a finger cancelled by the device is cancelled, and its up ignored`() {
    #expect(
      touches(
        .down(device: 1, slot: 0, at: place(1, 1)), .cancel(device: 1, slot: 0),
        .move(device: 1, slot: 0, to: place(5, 5)), .up(device: 1, slot: 0))
        == ["0 down 1,1", "0 cancel 1,1"])
  }

  @Test func `unplugging a device cancels only its fingers`() {
    #expect(
      touches(
        .down(device: 1, slot: 0, at: place(1, 1)), .down(device: 2, slot: 0, at: place(2, 2)),
        .down(device: 1, slot: 1, at: place(30, 3)), .removed(device: 1),
        .up(device: 2, slot: 0))
        == [
          "0 down 1,1", "1 down 2,2", "2 down 30,3", "0 cancel 1,1", "2 cancel 30,3", "1 up 2,2",
        ])
  }

  /// The touches of a touchscreen that consists of devices 1 and 2.
  private func touchesOfTwins(_ events: InputEvent...) -> [String] {
    var fingers = FingerTracker(mapping: upright)
    return events.flatMap { event in
      let isFirst =
        switch event {
        case .down(1, _, _), .move(1, _, _), .up(1, _), .point(1, _), .button(1, _): true
        default: false
        }
      return fingers.handle(event, twins: isFirst ? [2] : [1])
    }.map(text)
  }

  @Test func `a touch that is also reported as a mouse is one finger`() {
    #expect(
      touchesOfTwins(
        .down(device: 1, slot: 0, at: place(10, 20)), .point(device: 2, at: place(10, 20)),
        .button(device: 2, isDown: true), .move(device: 1, slot: 0, to: place(30, 20)),
        .point(device: 2, at: place(30, 20)), .up(device: 1, slot: 0),
        .button(device: 2, isDown: false)) == ["0 down 10,20", "0 move 30,20", "0 up 30,20"])
    // In either order.
    #expect(
      touchesOfTwins(
        .point(device: 2, at: place(10, 20)), .button(device: 2, isDown: true),
        .down(device: 1, slot: 0, at: place(10, 20)), .button(device: 2, isDown: false),
        .up(device: 1, slot: 0), .down(device: 1, slot: 0, at: place(50, 50)))
        == ["0 down 10,20", "0 up 10,20", "0 down 50,50"])
  }

  @Test func `touches reported twice by a touchscreen are counted once`() {
    #expect(
      touchesOfTwins(
        .down(device: 1, slot: 0, at: place(10, 20)),
        .down(device: 2, slot: 0, at: place(10, 20)),
        .down(device: 1, slot: 1, at: place(60, 60)),
        .down(device: 2, slot: 1, at: place(60, 60)),
        .move(device: 2, slot: 1, to: place(70, 70)), .up(device: 1, slot: 0),
        .up(device: 2, slot: 0), .up(device: 1, slot: 1), .up(device: 2, slot: 1),
        .down(device: 2, slot: 0, at: place(5, 5)))
        == ["0 down 10,20", "1 down 60,60", "0 up 10,20", "1 up 60,60", "0 down 5,5"])
  }

  @Test func `a tap where a finger is down is a separate touch`() {
    #expect(
      touches(
        .down(device: 1, slot: 0, at: place(10, 20)),
        .down(device: 1, slot: 1, at: place(11, 21)),
        .up(device: 1, slot: 0), .up(device: 1, slot: 1))
        == ["0 down 10,20", "0 up 10,20", "0 down 11,21", "0 up 11,21"])
    // Two fingers are farther apart than that.
    #expect(
      touches(
        .down(device: 1, slot: 0, at: place(10, 20)),
        .down(device: 1, slot: 1, at: place(13, 21)))
        == ["0 down 10,20", "1 down 13,21"])
  }

  @Test func `a motionless finger doesn't move`() {
    #expect(
      touches(
        .down(device: 1, slot: 0, at: place(1, 1)), .move(device: 1, slot: 0, to: place(1, 1)))
        == ["0 down 1,1"])
  }

  @Test func `an absolute pointer is one finger while its button is down`() {
    #expect(
      touches(
        .point(device: 1, at: place(10, 10)), .button(device: 1, isDown: true),
        .point(device: 1, at: place(12, 10)), .button(device: 1, isDown: false),
        .point(device: 1, at: place(50, 50)))
        == ["0 down 10,10", "0 move 12,10", "0 up 12,10"])
  }

  @Test func `a mouse starts in the centre and stays on the picture`() {
    #expect(
      touches(
        .button(device: 1, isDown: true), .push(device: 1, by: Vector(-10, 5)),
        .push(device: 1, by: Vector(-500, 500)), .push(device: 1, by: Vector(1, 0)),
        .button(device: 1, isDown: false))
        == ["0 down 50,50", "0 move 40,55", "0 move 0,99", "0 move 1,99", "0 up 1,99"])
  }

  @Test func `all pointers together are one finger`() {
    #expect(
      touches(
        .button(device: 1, isDown: true), .button(device: 2, isDown: true),
        .button(device: 2, isDown: true), .button(device: 1, isDown: false),
        .push(device: 1, by: Vector(1, 1)), .button(device: 2, isDown: false),
        .button(device: 2, isDown: false)) == ["0 down 50,50", "0 move 51,51", "0 up 51,51"])
  }

  @Test func `a pointer and a touch panel have different numbers`() {
    #expect(
      touches(
        .down(device: 1, slot: 0, at: place(1, 1)), .button(device: 2, isDown: true),
        .up(device: 1, slot: 0), .button(device: 2, isDown: false))
        == ["0 down 1,1", "1 down 50,50", "0 up 1,1", "1 up 50,50"])
  }

  @Test func `unplugging a mouse cancels its touch, unless another mouse is pressed`() {
    #expect(
      touches(.button(device: 1, isDown: true), .removed(device: 1))
        == ["0 down 50,50", "0 cancel 50,50"])
    #expect(
      touches(
        .button(device: 1, isDown: true), .button(device: 2, isDown: true), .removed(device: 1))
        == ["0 down 50,50"])
  }

  @Test func `a mouse moves with the picture, a tablet with the panel`() {
    // The picture is rotated clockwise: its right edge is the panel's lower edge.
    let turned = PanelMapping(canvas: PixelSize(200, 100), rotation: .quarter)
    #expect(
      touches(
        .point(device: 1, at: Point(0.25, 0.5)), .button(device: 1, isDown: true),
        .push(device: 1, by: Vector(10, 0)), mapping: turned)
        == ["0 down 100,75", "0 move 110,75"])
  }

  @Test(arguments: [UInt64](0..<50))
  func `each touch ends once, whatever the devices report`(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    func random(_ count: Int) -> Int { .random(in: 0..<count, using: &generator) }
    var fingers = FingerTracker(mapping: upright)
    var down: Set<Int> = []
    func check(_ touches: [CanvasTouch]) {
      for touch in touches {
        switch touch.phase {
        case .down: #expect(down.insert(touch.finger).inserted)
        case .move: #expect(down.contains(touch.finger))
        case .up, .cancel: #expect(down.remove(touch.finger) != nil)
        }
      }
    }
    for _ in 0..<400 {
      let device = random(3)
      let slot = random(3)
      let point = place(Double(random(100)), Double(random(100)))
      let events: [InputEvent] = [
        .down(device: device, slot: slot, at: point), .move(device: device, slot: slot, to: point),
        .up(device: device, slot: slot), .cancel(device: device, slot: slot),
        .point(device: device, at: point), .push(device: device, by: Vector(3, -2)),
        .button(device: device, isDown: true), .button(device: device, isDown: false),
        .removed(device: device),
      ]
      check(fingers.handle(events[random(events.count)]))
    }
    for device in 0..<3 { check(fingers.handle(.removed(device: device))) }
    #expect(down.isEmpty)
  }

  /// Users write the udev properties for rotation and calibration.
  @Test(arguments: [UInt64](0..<50))
  func `any calibration of a device gives finite positions`(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    func number() -> Double {
      let wild: [Double] = [
        .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -1e300, 1e-300, -0.0, 2_147_483_648,
        .random(in: -2...2, using: &generator),
      ]
      return wild.randomElement(using: &generator)!
    }
    let rotation = [Rotation.none, .quarter, .half, .threeQuarters].randomElement(
      using: &generator)!
    let canvas = PixelSize(
      Int.random(in: 1...7680, using: &generator), Int.random(in: 1...4320, using: &generator))
    var fingers = FingerTracker(mapping: PanelMapping(canvas: canvas, rotation: rotation))
    for _ in 0..<200 {
      let place = Point(number(), number())
      let events: [InputEvent] = [
        .down(device: 1, slot: 0, at: place), .move(device: 1, slot: 0, to: place),
        .point(device: 2, at: place), .push(device: 3, by: Vector(number(), number())),
        .button(device: 3, isDown: .random(using: &generator)),
      ]
      for touch in fingers.handle(events.randomElement(using: &generator)!) {
        #expect(abs(touch.position.x) <= 1e7 && abs(touch.position.y) <= 1e7)
      }
      if let pointer = fingers.pointer {
        #expect((0..<Double(canvas.width)).contains(pointer.x))
        #expect((0..<Double(canvas.height)).contains(pointer.y))
      }
    }
  }
}
