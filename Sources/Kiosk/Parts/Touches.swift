// SPDX-License-Identifier: MIT

internal import Controls
internal import Geometry
internal import Motion

/// Fingers on the panel, and the focus of keys.
struct Touches: Sendable {
  private(set) var fingers: [Int: Finger] = [:]
  /// The place that keys go to, or nil if no keys are used.
  private(set) var focus: Focus?
  /// The number of moves of the focus by keys.
  private(set) var moves: UInt64 = 0
  /// Increases with each visible change.
  private(set) var revision: UInt64 = 0

  /// The numbers of the fingers, in order.
  var numbers: [Int] { fingers.keys.sorted() }

  subscript(number: Int) -> Finger? { fingers[number] }

  /// A finger comes down, or counts only from now on, at a place.
  mutating func put(_ number: Int, on holder: Finger.Holder, at place: Point, _ now: Instant) {
    fingers[number] = Finger(holder, at: place, now)
  }

  mutating func move(_ number: Int, to place: Point) { fingers[number]?.place = place }

  /// A finger that doesn't count before `due`.
  mutating func wait(_ number: Int, until due: Instant) { fingers[number]?.dwellTime = due }

  /// A finger that only explores.
  mutating func explore(_ number: Int) { fingers[number]?.explores = true }

  /// Notes that a finger has moved too far for another decision about a swipe.
  mutating func noteLeaving(of number: Int) { fingers[number]?.hasLeft = true }

  /// Notes that a resting finger has begun or ended speech.
  mutating func noteRest(of number: Int) { fingers[number]?.hasRested = true }

  /// A press of a finger that counts as held at `time`.
  mutating func hold(_ number: Int, until time: Instant?) { fingers[number]?.holdTime = time }

  /// A press of a finger that the engine has reported, or nil if it reports none any more.
  mutating func note(_ press: Press?, of number: Int) { fingers[number]?.told = press }

  /// A finger holds nothing from now on.
  mutating func swallow(_ number: Int) { fingers[number] = fingers[number]?.swallowed }

  mutating func lift(_ number: Int) { fingers[number] = nil }

  /// Moves the focus by a key.
  mutating func move(to focus: Focus?) {
    set(focus)
    moves &+= 1
  }

  mutating func set(_ focus: Focus?) {
    guard focus != self.focus else { return }
    self.focus = focus
    revision &+= 1
  }

  /// Takes over the fingers of the kiosk before a restart, which hold nothing any more.
  mutating func follow(restarted former: Touches) {
    fingers = former.fingers.mapValues(\.swallowed)
    moves = former.moves
  }

  /// Continues with the next plan: fingers and the focus stay on their controls. `page` is the former page.
  mutating func follow(_ succession: Succession, on page: Int) {
    func successor(of control: Int) -> (control: Int, isSame: Bool)? {
      let place = Engine.Place(page: page, control: control)
      guard let next = succession[place], next.page == succession.page(page) else { return nil }
      return (next.control, succession.isSame(place))
    }
    for (number, finger) in fingers {
      guard case .control(let control) = finger.holder else { continue }
      if let next = successor(of: control) {
        fingers[number]?.holder = .control(next.control)
      } else {
        swallow(number)
      }
    }
    guard let focus, focus.control != Focus.ground || succession.page(page) == nil else { return }
    set(
      successor(of: focus.control).map {
        Focus(control: $0.control, part: $0.isSame ? focus.part : nil)
      })
  }
}
