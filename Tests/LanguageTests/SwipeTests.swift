// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import Kiosk
import RoundelMotion
import TestSupport
import Testing
@testable import KioskFile

private let gallery = """
  kiosk: gallery
  screen: {size: [400, 200]}
  values: {swiped: ""}
  pages:
    - page: a
      swipe: {left: b, up: d}
      on: {swiped: [{set: {swiped: "{event.direction}"}}]}
      controls:
        - {label: l, at: [200, 20], text: A}
        - {image: i, at: [300, 60], size: [60, 60], file: a.png}
        - {button: button, at: [60, 60], size: [90, 90], text: B, on: {selected: [{emit: chosen}]}}
        - {button: off, at: [160, 60], size: [90, 90], text: B, enabled: false}
        - {dial: dial, at: [330, 150], radius: 40, labels: 9}
    - page: b
      swipe: {left: c, right: back}
      controls:
        - list: rows
          at: [200, 100]
          size: [300, 160]
          row_height: 80
          items: [A, B, C, D]
    - page: c
      swipe: {right: back, left: home}
      controls: [{label: m, at: [200, 100], text: C}]
    - page: d
      swipe: {down: back, left: b}
      controls: [{pinwheel: wheel, at: [200, 100], radius: 90, wedges: [{id: w}, {id: x}, {id: y}]}]
  """

extension Guest {
  fileprivate var transition: DisplayList.Transition? { engine.displayList.transition }

  /// Moves a finger by a distance in steps, and lifts it unless `isLifted` is false.
  fileprivate mutating func swipe(
    from start: Point, by distance: Vector, at seconds: Double, in duration: Double = 0.2,
    isLifted: Bool = true
  ) {
    touch(.down, start, at: seconds)
    for step in 1...10 {
      let part = Double(step) / 10
      touch(.move, start + distance * part, at: seconds + duration * part)
    }
    if isLifted { touch(.up, start + distance, at: seconds + duration) }
  }

  /// Returns the page's displacement in the picture.
  fileprivate func offset(along side: Double) -> Double {
    guard case .slide(_, let direction, let progress)? = transition else { return 0 }
    return -direction.sign * (1 - progress) * side
  }
}

private let background = Point(200, 140)

@Suite struct SwipeTests {
  // MARK: Following the finger

  @Test func `the page follows the finger, next to its neighbour`() throws {
    var guest = try Guest(gallery)
    let next = guest.engine.displayList(of: 1)
    for distance in [20.0, 100, 200, 380, 150] {
      guest.engine = Engine(guest.engine.description, seed: 1)
      guest.swipe(from: Point(390, 100), by: Vector(-distance, 3), at: 1, isLifted: false)
      #expect(
        guest.transition == .slide(from: next, towards: .right, progress: 1 - distance / 400),
        "\(distance)")
      #expect(!guest.engine.isMoving && !guest.engine.isStill)
    }
  }

  @Test func `the page follows the finger upwards`() throws {
    var guest = try Guest(gallery)
    guest.swipe(from: background, by: Vector(0, -60), at: 1, isLifted: false)
    #expect(
      guest.transition
        == .slide(from: guest.engine.displayList(of: 3), towards: .down, progress: 1 - 60.0 / 200))
  }

  @Test func `a movement of less than 16 pixels does not swipe`() throws {
    var guest = try Guest(gallery)
    guest.swipe(from: background, by: Vector(-15, 3), at: 1)
    #expect(guest.transition == nil && guest.events() == [])
  }

  @Test func `a page without a neighbour resists the finger and springs back`() throws {
    var guest = try Guest(gallery)
    var last = 0.0
    var steps: [Double] = []
    guest.touch(.down, Point(10, 140), at: 1)
    for step in 1...8 {
      guest.touch(.move, Point(10 + 40 * Double(step), 140), at: 1 + 0.1 * Double(step))
      steps.append(guest.offset(along: 400) - last)
      last = guest.offset(along: 400)
    }
    #expect(steps.allSatisfy { $0 > 0 } && zip(steps, steps.dropFirst()).allSatisfy { $0 > $1 })
    #expect(last < 100)
    guest.touch(.up, Point(330, 140), at: 2)
    #expect(guest.page == "a" && guest.engine.isMoving)
    guest.advance(to: 2.1)
    #expect((0..<last).contains(guest.offset(along: 400)))
    guest.advance(to: 4)
    #expect(guest.transition == nil && guest.engine.isStill && guest.engine.nextChange == nil)
  }

  @Test func `a picture between two touches uses the current finger position`() throws {
    var guest = try Guest(gallery)
    guest.swipe(from: background, by: Vector(-100, 0), at: 1, isLifted: false)
    let list = guest.engine.displayList { $0 == 0 ? Point(60, 140) : nil }
    guard case .slide(_, .right, let progress)? = list.transition else {
      Issue.record("does not follow")
      return
    }
    #expect(progress == 1 - 140.0 / 400)
    #expect(guest.offset(along: 400) == -100)
  }

  // MARK: Changing pages

  @Test func `with less motion a released page changes or returns immediately`() throws {
    let lines = gallery.split(separator: "\n")
    let calm = lines.map {
      $0.hasPrefix("screen") ? "screen: {size: [400, 200], motion: less}" : $0
    }
    .joined(separator: "\n")
    for (distance, page) in [(250.0, "b"), (40, "a")] {
      var guest = try Guest(calm)
      guest.swipe(from: Point(390, 100), by: Vector(-distance, 0), at: 1, isLifted: false)
      #expect(abs(guest.offset(along: 400) + distance) < 1e-9)
      guest.touch(.up, Point(390 - distance, 100), at: 1.2)
      #expect(guest.page == page && guest.transition == nil)
      #expect(guest.engine.isStill && guest.engine.nextChange == nil)
    }
  }

  @Test func `a swipe past half of the side, or quickly past 15 %, changes the page`() throws {
    for (distance, duration, goes) in [
      (201.0, 2.0, true), (199, 2, false), (61, 0.4, true), (59, 0.4, false), (61, 0.6, false),
      (260, 0.1, true),
    ] {
      var guest = try Guest(gallery)
      guest.swipe(from: Point(350, 100), by: Vector(-distance, 0), at: 1, in: duration)
      #expect(guest.page == (goes ? "b" : "a"), "\(distance) in \(duration)")
      #expect(
        guest.events()
          == (goes
            ? ["swiped(page a, direction left) by finger", "page(page b) by finger"] : []))
      #expect(guest.engine.isMoving)
      guest.advance(to: 10)
      #expect(guest.transition == nil && guest.engine.isStill)
    }
  }

  @Test func `the page continues from the finger without jumping or reversing`() throws {
    var guest = try Guest(gallery)
    guest.swipe(from: Point(350, 100), by: Vector(-150, 0), at: 1)
    var last = 150.0
    for step in 0...40 {
      guest.advance(to: 1.2 + Double(step) / 100)
      guard case .slide(_, .left, let progress)? = guest.transition else { break }
      #expect(progress * 400 >= last - 1e-6 && progress * 400 - last < 60)
      if step == 0 { #expect(abs(progress * 400 - 150) < 1e-6) }
      last = progress * 400
    }
    #expect(last > 399)
  }

  @Test func `a page that the finger moved all the way does not leave twice`() throws {
    var guest = try Guest(gallery + "\ntransition: {slide, seconds: 0.5}")
    guest.swipe(from: Point(400, 140), by: Vector(-400, 0), at: 1)
    #expect(guest.page == "b" && guest.transition == nil && guest.engine.isStill)
  }

  @Test func `a page caught during a page change follows the finger`() throws {
    var guest = try Guest(gallery + "\ntransition: {slide, seconds: 1}")
    guest.engine.go(to: "c")
    guest.advance(to: 0.5)
    // The page is moving in from the right, which is also the side of its neighbour `home`.
    guest.swipe(from: Point(100, 140), by: Vector(60, 0), at: 0.5, in: 0.2, isLifted: false)
    let before = guest.offset(along: 400)
    guest.touch(.move, Point(40, 140), at: 0.8)
    #expect(guest.offset(along: 400) < before)
  }

  @Test func `controls on the neighbouring page move during a swipe`() throws {
    var guest = try Guest(
      """
      kiosk: waiting
      screen: {size: [400, 200]}
      pages:
        - {page: a, swipe: {left: b}, controls: [{label: l, at: [200, 20], text: A}]}
        - {page: b, controls: [{ring: r, at: [200, 100], radius: 60, spinning: true}]}
      """)
    guest.swipe(from: Point(390, 140), by: Vector(-100, 0), at: 1, isLifted: false)
    #expect(guest.engine.isMoving)
  }

  @Test func `swipes lead to the previous page and the first page`() throws {
    var guest = try Guest(gallery)
    let left = Vector(-200, 0)
    guest.swipe(from: Point(350, 100), by: left, at: 1)
    guest.swipe(from: Point(395, 10), by: left, at: 2)
    #expect(guest.page == "c")
    guest.swipe(from: Point(50, 10), by: Vector(200, 0), at: 3)
    #expect(guest.page == "b")
    guest.swipe(from: Point(20, 10), by: Vector(200, 0), at: 4)
    #expect(guest.page == "a")
    guest.engine.go(to: "c")
    guest.swipe(from: Point(350, 100), by: left, at: 5)
    #expect(guest.page == "a")
    guest.engine.go(to: "back")
    #expect(guest.page == "a")
  }

  @Test func `actions receive the direction, even without a neighbouring page`() throws {
    for (distance, direction) in [
      (Vector(-150, 0), "left"), (Vector(150, 0), "right"), (Vector(0, -120), "up"),
      (Vector(0, 50), "down"),
    ] {
      var guest = try Guest(gallery)
      guest.swipe(from: background, by: distance, at: 1)
      #expect(guest["swiped"] == .text(direction))
    }
  }

  @Test func `the next page accepts touches immediately`() throws {
    var guest = try Guest(gallery)
    guest.swipe(from: background, by: Vector(0, -120), at: 1)
    try guest.tap("wheel/w", at: 1.25)
    #expect(guest.events("wheel/w.selected").count == 1)
  }

  @Test func `a second swipe continues from the current picture`() throws {
    var guest = try Guest(gallery)
    guest.swipe(from: Point(350, 100), by: Vector(-200, 0), at: 1)
    guest.touch(.down, Point(350, 5), at: 1.22)
    guest.advance(to: 1.23)
    guard case .slide(_, .left, let progress)? = guest.transition else {
      Issue.record("does not come")
      return
    }
    let rest = (1 - progress) * 400
    guest.touch(.move, Point(330, 5), at: 1.23)
    #expect(abs(guest.offset(along: 400) - (rest - 20)) < 1)
    guest.touch(.move, Point(200, 5), at: 1.3)
    guest.touch(.up, Point(200, 5), at: 1.35)
    #expect(guest.page == "c")
  }

  // MARK: Starting and ending

  @Test(arguments: ["button", "l", "i"])
  func `a swipe starts on a label, an image or a button, whose press is cancelled`(
    control: String
  ) throws {
    var guest = try Guest(gallery)
    let place = try #require(Target(control)).point(in: guest.engine)
    guest.swipe(from: place, by: Vector(-300, 0), at: 1)
    #expect(guest.page == "b")
    let reported = guest.events().filter { $0.hasPrefix("button") }
    #expect(
      reported
        == (control == "button"
          ? ["button.pressed(label B) by finger", "button.cancelled(label B) by finger"] : []))
  }

  @Test func `a swipe starts on a wedge`() throws {
    var guest = try Guest(gallery)
    guest.engine.go(to: "d")
    let place = try #require(Target("wheel/x")).point(in: guest.engine)
    guest.swipe(from: place, by: Vector(-150, 0), at: 1)
    #expect(guest.page == "b" && guest.events("wheel/x.cancelled").count == 1)
  }

  @Test func `dials and disabled controls do not start swipes`() throws {
    for control in ["dial", "off"] {
      var guest = try Guest(gallery)
      guest.swipe(
        from: try #require(Target(control)).point(in: guest.engine), by: Vector(-150, 0), at: 1)
      #expect(guest.page == "a" && guest.events("swiped") == [])
    }
  }

  @Test func `a swipe across a list's scrolling axis changes the page`() throws {
    var guest = try Guest(gallery)
    guest.engine.go(to: "b")
    guest.swipe(from: Point(300, 100), by: Vector(-150, 10), at: 1)
    #expect(guest.page == "c" && guest.events("rows") == [])
    guest.engine.go(to: "b")
    let before = guest.engine.displayList.items
    guest.swipe(from: Point(300, 100), by: Vector(10, -60), at: 9)
    #expect(guest.page == "b" && guest.engine.displayList.items != before)
  }

  @Test func `a finger that first moves along the other axis does not swipe`() throws {
    var guest = try Guest(gallery)
    guest.engine.go(to: "c")
    guest.touch(.down, background, at: 1)
    guest.touch(.move, Point(200, 120), at: 1.05)
    guest.touch(.move, Point(20, 120), at: 1.1)
    guest.touch(.up, Point(20, 120), at: 1.2)
    #expect(guest.page == "c")
  }

  @Test func `a second finger ends a swipe`() throws {
    var guest = try Guest(gallery)
    guest.swipe(from: Point(350, 100), by: Vector(-300, 0), at: 1, isLifted: false)
    guest.touch(.down, Point(60, 60), at: 1.3, finger: 1)
    guest.touch(.move, Point(10, 140), at: 1.35)
    guest.touch(.up, Point(10, 140), at: 1.4)
    guest.touch(.up, Point(60, 60), at: 1.4, finger: 1)
    #expect(guest.page == "a" && guest.events("button.selected").count == 1)
    guest.advance(to: 5)
    #expect(guest.transition == nil)
  }

  @Test func `two fingers do not start a swipe`() throws {
    var guest = try Guest(gallery)
    guest.touch(.down, Point(330, 150), at: 0.5, finger: 1)
    guest.swipe(from: background, by: Vector(-150, 0), at: 1)
    #expect(guest.page == "a")
  }

  @Test func `losing the finger ends a swipe`() throws {
    let ends: [(inout Guest) throws -> Void] = [
      { $0.engine.cancelTouches(at: $0.engine.now) }, { $0.engine.go(to: "b") },
      { $0.engine.setBlank(true) },
      {
        try $0.engine.replace(
          with: Guest.description(gallery.replacing("page: a", with: "page: other")), seed: 1)
      },
      { try $0.engine.apply(.reset(nil)) },
    ]
    for end in ends {
      var guest = try Guest(gallery)
      guest.swipe(from: Point(350, 100), by: Vector(-100, 0), at: 1, isLifted: false)
      _ = guest.events()
      try end(&guest)
      guest.touch(.move, Point(10, 140), at: 2)
      guest.touch(.up, Point(10, 140), at: 2.1)
      guest.advance(to: 9)
      #expect(guest.events("swiped") == [] && guest.transition == nil)
    }
  }

  @Test func `a right-to-left language does not reverse swipes`() throws {
    let arabic = gallery.replacing(
      "screen: {size: [400, 200]}",
      with: "screen: {size: [400, 200], mirror: auto}\nlanguages: [ar]")
    var guest = try Guest(arabic)
    guest.swipe(from: Point(200, 190), by: Vector(-150, 0), at: 1)
    #expect(guest.page == "b" && guest["swiped"] == .text("left"))
  }

  @Test func `errors in swipes are reported`() {
    #expect(
      diagnostics(gallery.replacing("{left: b, up: d}", with: "{lefft: b}")) == [
        "unknown key \"lefft\" in swipe (expected left, right, up or down; did you mean \"left\"?)"
      ])
    #expect(
      diagnostics(gallery.replacing("{left: b, up: d}", with: "{left: bb}")).first?
        .hasPrefix("there is no page \"bb\"") == true)
    #expect(
      diagnostics(gallery.replacing("{left: b, up: d}", with: "{left: b, left: d}")).count == 1)
    #expect(
      diagnostics(
        gallery.replacing("swipe: {left: b, up: d}", with: "swipe: {left: b}\n    swipe: {up: d}")
      ).count == 1)
    #expect(diagnostics(gallery.replacing("{left: b, up: d}", with: "b")).count == 1)
  }

  // MARK: Laws

  @Test(arguments: 0..<6 as Range<UInt64>)
  func `random swipes lead to the same pages at any frame rate`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var guests = try [0, 30, 60, 144].map { (rate: $0, guest: try Guest(gallery)) }
    var (page, history) = ("a", [String]())
    let links: [String: [String: String]] = [
      "a": ["left": "b", "up": "d"], "b": ["left": "c", "right": "back"],
      "c": ["right": "back", "left": "home"], "d": ["down": "back", "left": "b"],
    ]
    for round in 0..<12 {
      let isAcross = Bool.random(using: &random)
      let side = isAcross ? 400.0 : 200
      let distance = Double.random(in: -side...side, using: &random)
      let slip = Double.random(in: -0.9...0.9, using: &random) * distance
      // A position on each page that hits only the background.
      let start = page == "b" || page == "d" ? Point(5, 5) : Point(200, 120)
      let duration = Double.random(in: 0.05...1, using: &random)
      let begin = Double(round) * 2 + 1
      for index in guests.indices {
        let rate = guests[index].rate
        func wait(_ guest: inout Guest, to seconds: Double) {
          guard rate > 0 else { return }
          let first = Int((guest.engine.now.seconds * Double(rate)).rounded(.up))
          let last = Int(seconds * Double(rate))
          guard first < last else { return }
          for frame in first..<last {
            guest.advance(to: Double(frame) / Double(rate))
            _ = guest.engine.displayList
          }
        }
        wait(&guests[index].guest, to: begin)
        guests[index].guest.touch(.down, start, at: begin)
        for step in 1...8 {
          let part = Double(step) / 8
          let place = start + (isAcross ? Vector(distance, slip) : Vector(slip, distance)) * part
          wait(&guests[index].guest, to: begin + duration * part)
          guests[index].guest.touch(.move, place, at: begin + duration * part)
        }
        let end = start + (isAcross ? Vector(distance, slip) : Vector(slip, distance))
        guests[index].guest.touch(.up, end, at: begin + duration)
      }
      // The expected result, computed independently.
      let direction = isAcross ? (distance < 0 ? "left" : "right") : (distance < 0 ? "up" : "down")
      let axis = isAcross ? ["left", "right"] : ["up", "down"]
      let isDeclared = page == "a" || axis.contains { links[page]?[$0] != nil }
      let isFar = abs(distance) >= side / 2 || abs(distance) >= side * 0.15 && duration <= 0.5
      if isDeclared, isFar, abs(distance) >= 16, let next = links[page]?[direction] {
        switch next {
        case "back": page = history.popLast() ?? page
        case "home": (page, history) = ("a", [])
        default:
          history.append(page)
          page = next
        }
      }
      for entry in guests { #expect(entry.guest.page == page, "round \(round) at \(entry.rate)") }
    }
    let reported = guests.indices.map { guests[$0].guest.events() }
    #expect(
      reported.allSatisfy { $0 == reported[0] } && reported[0].contains { $0.contains("swiped") })
  }
}

extension Instant {
  fileprivate var seconds: Double { Double(microseconds) / 1e6 }
}
