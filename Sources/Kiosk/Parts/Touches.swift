// SPDX-License-Identifier: MIT

internal import Controls
internal import Geometry
internal import Motion

/// Fingers on the panel, and the keyboard focus.
struct Touches: Sendable {
  private(set) var fingers: [Int: Finger] = [:]
  /// Nil until keys are used.
  private(set) var focus: Focus?
  /// The number of focus moves by keys.
  private(set) var moves: UInt64 = 0
  private(set) var revision: UInt64 = 0

  var numbers: [Int] { fingers.keys.sorted() }

  subscript(number: Int) -> Finger? { fingers[number] }

  /// Adds a finger, or starts its delayed effect.
  mutating func put(_ number: Int, on holder: Finger.Holder, at place: Point, _ now: Instant) {
    fingers[number] = Finger(holder, at: place, now)
  }

  mutating func move(_ number: Int, to place: Point) { fingers[number]?.place = place }

  mutating func wait(_ number: Int, until due: Instant) { fingers[number]?.dwellTime = due }

  mutating func explore(_ number: Int) { fingers[number]?.explores = true }

  /// Records that a finger moved too far to start a swipe later.
  mutating func noteLeaving(of number: Int) { fingers[number]?.hasLeft = true }

  mutating func noteRest(of number: Int) { fingers[number]?.hasRested = true }

  mutating func hold(_ number: Int, until time: Instant?) { fingers[number]?.holdTime = time }

  mutating func note(_ press: Press?, of number: Int) { fingers[number]?.told = press }

  mutating func swallow(_ number: Int) { fingers[number] = fingers[number]?.swallowed }

  mutating func lift(_ number: Int) { fingers[number] = nil }

  mutating func move(to focus: Focus?) {
    set(focus)
    moves &+= 1
  }

  mutating func set(_ focus: Focus?) {
    guard focus != self.focus else { return }
    self.focus = focus
    revision &+= 1
  }

  /// Adopts the fingers without their holders.
  mutating func follow(restarted former: Touches) {
    fingers = former.fingers.mapValues(\.swallowed)
    moves = former.moves
  }

  /// Keeps fingers and the focus on their controls. `page` is the former page.
  mutating func follow(_ succession: Succession, on page: Int) {
    func successor(of control: Int) -> (control: Int, isSame: Bool)? {
      let place = Engine.Place(page: page, control: control)
      guard let next = succession[place], next.page == succession.page(page) else { return nil }
      return (next.control, succession.isSame(place))
    }
    for (number, finger) in fingers {
      guard case .control(let control) = finger.holder else {
        if succession.page(page) == nil { swallow(number) }
        continue
      }
      if let next = successor(of: control) {
        fingers[number]?.holder = .control(next.control)
      } else {
        swallow(number)
      }
    }
    guard let focus, focus.control != Focus.ground || succession.page(page) == nil else { return }
    set(
      successor(of: focus.control).map {
        Focus(control: $0.control, part: $0.isSame || succession.isReflection ? focus.part : nil)
      })
  }
}
