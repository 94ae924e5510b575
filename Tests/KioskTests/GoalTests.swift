// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelExpressions
import RoundelGeometry
import Kiosk
import RoundelMotion
import Testing

@Suite struct GoalTests {
  /// A dial from 0 to 20 without bindings, a value `cups`, and two pages.
  private static let description: Description? = Scale(from: 0, to: 20, step: 1).map { scale in
    let dial = Dial(center: Point(200, 200), radius: 150, scale: scale)
    return Description(
      name: "k", screen: Screen(size: Size(400, 400)),
      pages: [
        Page(name: "first", controls: [PlacedControl(id: "dial", control: dial)]),
        Page(name: "second", controls: []),
      ], values: [ValueDeclaration(name: "cups", initial: .number(1))])
  }

  private func engine() throws -> Engine { Engine(try #require(Self.description), seed: 0) }

  private func condition(_ text: String) throws -> Condition {
    try Expression(text).resolved(in: Names(try #require(Self.description)))
  }

  @Test func `a goal is reached when the kiosk is in that state`() throws {
    var engine = try engine()
    let goals: [Goal<Condition>] = [
      .that(try condition("cups > 2")), .property(.value("cups"), .range(min: 3, max: nil)),
      .page("second"),
    ]
    for goal in goals { #expect(!engine.holds(goal)) }
    try engine.apply(.set(.value("cups"), .number(3)))
    try engine.apply(.go(page: "second"))
    for goal in goals { #expect(engine.holds(goal)) }
  }

  @Test func `a set control is settled at the end of its turn, unless a finger holds it`() throws {
    var engine = try engine()
    #expect(engine.holds(.settled(["dial"])) && engine.holds(.still))
    try engine.set("value", of: "dial", to: .number(10))
    engine.advance(to: Instant(seconds: 0.1))
    #expect(!engine.holds(.settled(["dial"])) && !engine.holds(.still))
    engine.advance(to: Instant(seconds: 9))
    #expect(engine.holds(.settled(["dial"])) && engine.holds(.still))
    engine.handle(
      Touch(finger: 0, phase: .down, position: Point(200, 90)), at: Instant(seconds: 10))
    engine.advance(to: Instant(seconds: 19))
    #expect(!engine.holds(.settled(["dial"])))
  }

  @Test func `devices and the display are queried only for goals that need them`() throws {
    let engine = try engine()
    let environment = GoalEnvironment(inputs: { ["Goodix"] }, isShown: { false })
    #expect(engine.holds(.input("Goodix"), in: environment))
    #expect(!engine.holds(.input("Goodix")) && !engine.holds(.input("Elan"), in: environment))
    #expect(!engine.holds(.still, in: environment))
    #expect(engine.state(of: .input("Elan"), in: environment).value == .list([.text("Goodix")]))
    let unasked = GoalEnvironment {
      Issue.record("no goal needs the devices")
      return []
    } isShown: {
      Issue.record("no goal needs the display")
      return true
    }
    #expect(engine.holds(.page("first"), in: unasked))
  }

  @Test func `time alone may reach a goal that reads the clock`() throws {
    let engine = try engine()
    #expect(engine.updateInterval(of: .that(try condition("uptime > 3"))) != nil)
    #expect(engine.updateInterval(of: .property(.now, .not(.value(.text(""))))) != nil)
    #expect(engine.updateInterval(of: .that(try condition("cups > 3"))) == nil)
    #expect(engine.updateInterval(of: .still) == nil)
  }

  @Test func `a missed goal reports the actual state`() throws {
    let engine = try engine()
    func unmetGoal(_ goal: Goal<Condition>) -> UnmetGoal {
      goal.unmetGoal(engine.state(of: goal))
    }
    let that = unmetGoal(.that(try condition("cups > 2")))
    #expect(that.what == "cups > 2 is not true" && that.readings == "cups is 1")
    let property = unmetGoal(.property(.value("cups"), .range(min: 3, max: 5)))
    #expect(property.what == "cups is 1" && property.expected == "from 3 to 5")
    let page = unmetGoal(.page("second"))
    #expect(page.what == "the page is first" && page.expected == "second")
    #expect(unmetGoal(.settled(["dial"])).what == "dial still moves")
    #expect(Goal<String>.still.unmetGoal(GoalState(nil)).what == "the kiosk still moves")
  }
}
