// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelExpressions
import Kiosk
import KioskFile
import Testing

@Suite struct UnknownNameTests {
  /// A kiosk with a button, a dial and slots; `actions` belong to the button.
  private static func file(_ actions: String = "[blank: true]") -> String {
    """
    kiosk: k
    values: {cups: 1, guest: Ana}
    pages:
      - page: home
        controls:
          - {button: ok, at: [200, 200], size: [200, 200], text: OK, on: {selected: \(actions)}}
          - {dial: minutes, at: [800, 400], radius: 200, max: 9}
          - {slots: shows, at: [400, 700], size: [200, 99], reels: [{id: r, items: [a, b]}]}
      - {page: ready, controls: [{button: back, at: [200, 200], size: [200, 200], text: Back}]}
    """
  }

  /// An action in a file, the equivalent command from a client or a recording, and their error.
  private static let cases: [(action: String, command: Command, diagnostic: String)] = [
    (
      "go: redy", .go(page: "redy"),
      "there is no page \"redy\" (expected home or ready; did you mean \"ready\"?)"
    ),
    (
      "reset: minuets", .reset("minuets"),
      "there is no control \"minuets\" (expected ok, minutes, shows or back; "
        + "did you mean \"minutes\"?)"
    ),
    (
      "spin: show", .perform("spin", control: "show"),
      "there is no control \"show\" (expected shows; did you mean \"shows\"?)"
    ),
    (
      "spin: minutes", .perform("spin", control: "minutes"),
      "\"minutes\" is a dial, which does not spin (expected shows)"
    ),
    (
      "open: minutes", .perform("open", control: "minutes"),
      "\"minutes\" is a dial, which does not open (expected a control that does)"
    ),
    (
      "set: {cpus: 2}", .set(.value("cpus"), .number(2)),
      "there is no value \"cpus\" (expected control.property, cups or guest; "
        + "did you mean \"cups\"?)"
    ),
    (
      "set: {minuets.value: 2}",
      .set(.property(PropertyPath(control: "minuets", property: "value")), .number(2)),
      "there is no control \"minuets\" (expected ok, minutes, shows or back; "
        + "did you mean \"minutes\"?)"
    ),
    (
      "set: {cups.much: 2}",
      .set(.property(PropertyPath(control: "cups", property: "much")), .number(2)),
      "the value \"cups\" has no property \"much\" (expected cups, or control.property)"
    ),
  ]

  @Test(arguments: cases)
  func `an unknown name has the same message in files and commands`(
    _ action: String, _ command: Command, _ diagnostic: String
  ) throws {
    #expect(diagnostics(Self.file("[{\(action)}]")) == [diagnostic])
    var guest = try Guest(Self.file())
    #expect(throws: UnknownName.self) { try guest.engine.find(namesOf: command) }
    do throws(CommandError) {
      try guest.engine.apply(command)
      Issue.record("it is carried out")
    } catch {
      #expect("\(error)" == diagnostic)
    }
  }

  @Test func `an unknown property is reported with the control's properties`() throws {
    let diagnostic = "\"minutes\" has no property \"vlaue\" (expected value, label, angle, "
    let found = diagnostics(Self.file("[{set: {minutes.vlaue: 2}}]"))
    #expect(found.count == 1 && found[0].hasPrefix(diagnostic))
    let guest = try Guest(Self.file())
    let name = Reference.property(PropertyPath(control: "minutes", property: "vlaue"))
    do throws(UnknownName) {
      _ = try guest.engine.kind(named: name)
      Issue.record("it is found")
    } catch {
      #expect("\(error)" == found.first)
      #expect("\(error)".hasSuffix("; did you mean \"value\"?)"))
    }
  }

  @Test(arguments: ["cups", "guest", "now", "language", "page", "theme", "text_scale"])
  func `an unknown property of a value is reported for the value, not for a control`(_ name: String)
  {
    #expect(
      diagnostics(Self.file("[{emit: {name: x, y: \"{\(name).much}\"}}]")) == [
        "the value \"\(name)\" has no property \"much\" (expected \(name), or control.property)"
      ])
  }

  @Test func `an unknown item is reported with the existing ones`() throws {
    let guest = try Guest(Self.file())
    do throws(UnknownName) {
      try guest.engine.find(Target(control: "ok", item: "x"))
      Issue.record("it is found")
    } catch {
      #expect("\(error)" == "\"ok\" has no item \"x\" (expected no item)")
    }
  }
}
