// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelGeometry
internal import RoundelMotion

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
  mutating func put(_ number: Int, on holder: Finger.Holder, at position: Point, _ now: Instant) {
    fingers[number] = Finger(holder, at: position, now)
  }

  mutating func move(_ number: Int, to position: Point) { fingers[number]?.position = position }

  mutating func wait(_ number: Int, until due: Instant) { fingers[number]?.dwellTime = due }

  mutating func explore(_ number: Int) { fingers[number]?.explores = true }

  /// Records that a finger moved too far to start a swipe later.
  mutating func recordLeaving(of number: Int) { fingers[number]?.hasLeft = true }

  mutating func recordRest(of number: Int) { fingers[number]?.hasRested = true }

  mutating func hold(_ number: Int, until time: Instant?) { fingers[number]?.holdTime = time }

  mutating func record(_ press: Press?, of number: Int) { fingers[number]?.reportedPress = press }

  mutating func record(isAway: Bool, of number: Int) { fingers[number]?.isAway = isAway }

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
  mutating func adopt(restarted former: Touches) {
    fingers = former.fingers.mapValues(\.swallowed)
    moves = former.moves
  }

  /// Keeps fingers and the focus on their controls. `page` is the former page.
  mutating func adopt(_ mapping: PlanMapping, on page: Int) {
    func successor(of control: Engine.ControlLocation) -> Engine.ControlLocation? {
      mapping[control].flatMap { $0.page == mapping.page(control.page) ? $0 : nil }
    }
    for (number, finger) in fingers {
      guard case .control(let control) = finger.holder else {
        if mapping.page(page) == nil { swallow(number) }
        continue
      }
      if let next = successor(of: control) {
        fingers[number]?.holder = .control(next)
      } else {
        swallow(number)
      }
    }
    guard let focus else { return }
    guard let control = focus.control else {
      if mapping.page(page) == nil { set(nil) }
      return
    }
    let keepsPart = mapping.isSame(control) || mapping.isReflection
    set(successor(of: control).map { Focus(control: $0, part: keepsPart ? focus.part : nil) })
  }
}
