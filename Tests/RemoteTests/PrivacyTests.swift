// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDeclarations
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import RoundelJSON
import Kiosk
import KioskService
import RoundelMotion
import RoundelPresentation
import RoundelRaster
import RoundelRuntime
import RoundelSession
import TestSupport
import Testing

/// The content of private values and controls at the socket.
@Suite struct PrivacyTests {
  private static let secret = "Hildegard"

  /// A private value, a value computed from it, a label that shows both, and a private dial.
  private static var kiosk: Description {
    func template(_ text: String) -> TextTemplate? {
      try? Template(text).resolved(in: Names(Description(name: "k", pages: [], values: values)))
    }
    var values = Self.values
    values[1].template = template("{name} of Bingen")
    var dial = PlacedControl(
      id: "year", kind: "dial",
      control: Dial(center: Point(300, 100), radius: 90, labels: [secret + "1", secret + "2"]))
    dial.isPrivate = true
    let label = PlacedControl(
      id: "shown", kind: "label",
      control: Label(center: Point(100, 100), text: secret, size: Size(180, 60)),
      bindings: ["text": (try? Template("{full}")) ?? Template(literal: "")])
    return Description(
      name: "stand", screen: Screen(size: Size(400, 200), background: .black),
      pages: [
        Page(name: "one", controls: [dial, label]),
        Page(
          name: "two",
          controls: [
            PlacedControl(
              id: "end", kind: "button",
              control: Button(center: Point(200, 100), size: Size(80, 60), text: "End"))
          ]),
      ],
      values: values)
  }

  private static var values: [ValueDeclaration] {
    var name = ValueDeclaration(name: "name", initial: .text(""))
    name.isPrivate = true
    return [
      name, ValueDeclaration(name: "full", initial: .text("")),
      ValueDeclaration(name: "cups", initial: .number(1)),
    ]
  }

  private func fixture() throws -> KioskFixture {
    let fixture = try KioskFixture(kiosk: Self.kiosk)
    _ = try fixture.ask("set", #"{"property":"name","value":"\#(Self.secret)"}"#)
    return fixture
  }

  @Test func `get, tree, wait and place have no private content`() throws {
    let fixture = try fixture()
    #expect(fixture.cycle.engine.value(of: .value("full")) == .text("Hildegard of Bingen"))
    for name in ["name", "full", "shown.text", "year.value", "year.label"] {
      let answer = try fixture.ask("get", #"{"property":"\#(name)"}"#)
      #expect(answer["value"] == .null, "\(name): \(answer)")
    }
    #expect(try fixture.ask("get", #"{"property":"cups"}"#)["value"] == 1)
    for parameters in ["{}", #"{"properties":true}"#] {
      let tree = try fixture.ask("tree", parameters)
      #expect(!tree.text.contains(Self.secret), "\(tree.text)")
      #expect(tree["values"]?["name"] == .null)
    }
    let wait = try fixture.ask(
      "wait", #"{"expression":"name == 'Hildegard'","timeout":0.05}"#)
    #expect(wait["holds"] != true, "\(wait)")
  }

  @Test func `subscribers get null, and the program of logic gets the content`() throws {
    let fixture = try fixture()
    let wire = try fixture.connect()
    _ = try fixture.ask("events", #"{"on":true}"#, on: wire)
    _ = try fixture.ask("record", #"{"on":true}"#, on: wire)
    _ = try fixture.ask(
      "watch", #"{"expressions":["name","full + '!'","size(shown.text)","cups"]}"#, on: wire)
    fixture.remote?.logic.run(
      LogicProgram.Command(
        name: "brain",
        arguments: ["/bin/sh", "-c", #"while read -r line; do echo "$line" >&2; done"#]))
    _ = try fixture.run { fixture.log.contains { $0.hasPrefix("started") } }
    _ = try fixture.ask("set", #"{"property":"name","value":"\#(Self.secret)a"}"#, on: wire)
    fixture.cycle.handle(
      Touch(finger: 0, phase: .down, position: Point(300, 30)), at: fixture.cycle.now)
    fixture.cycle.handle(
      Touch(finger: 0, phase: .move, position: Point(380, 100)), at: fixture.cycle.now)
    fixture.cycle.handle(
      Touch(finger: 0, phase: .up, position: Point(380, 100)), at: fixture.cycle.now)
    _ = try fixture.ask("wait", #"{"still":true}"#, on: wire)
    #expect(try fixture.run { fixture.log.contains { $0.contains("settled") } })
    wire.read()
    let all = wire.answers.map(\.text).joined(separator: "\n")
    #expect(all.contains(#""event":"settled""#), "\(all)")
    #expect(!all.contains(Self.secret), "\(all)")
    #expect(!all.contains("down"), "touches of a private control are not recorded: \(all)")
    #expect(fixture.log.contains { $0.contains(Self.secret) }, "\(fixture.log)")
  }

  @Test func `a client that sends targets gets private values with a target`() throws {
    var kiosk = Self.kiosk
    kiosk.values[0].target = ValueTarget(.mqtt, "guest")
    let fixture = try KioskFixture(kiosk: kiosk)
    _ = try fixture.ask("set", #"{"property":"name","value":"\#(Self.secret)"}"#)
    let wire = try fixture.connect()
    _ = try fixture.ask("watch", #"{"expressions":["name","full"],"targets":true}"#, on: wire)
    #expect(
      try fixture.run {
        wire.read()
        return wire.answers.count { $0.text.contains(#""watch":"#) } >= 2
      })
    let all = wire.answers.map(\.text).joined(separator: "\n")
    #expect(all.contains(#""watch":"name","value":"Hildegard""#), "\(all)")
    #expect(!all.contains("Bingen"), "\(all)")
  }

  @Test func `a screenshot masks private controls, but the panel shows them`() throws {
    let fixture = try fixture()
    _ = try fixture.ask("wait", #"{"still":true}"#)
    let answer = try fixture.ask("screenshot")
    let png = try #require(answer["png"]?.string.flatMap { Base64.decode($0) })
    let picture = try PNG.decode(png)
    var differs = false
    for y in 0..<200 {
      for x in 210..<390 {
        let shown = fixture.display.panel[x, y]
        let sent = picture.pixels[y * 400 + x]
        #expect(sent == 0xff80_8080 || sent == 0xff00_0000, "\(x),\(y)")
        differs = differs || shown != sent
      }
    }
    #expect(differs)
    _ = try fixture.ask("go", #"{"page":"two"}"#)
    _ = try fixture.ask("wait", #"{"still":true}"#)
    let other = try fixture.ask("screenshot")
    let whole = try PNG.decode(
      try #require(other["png"]?.string.flatMap { Base64.decode($0) }))
    #expect(whole.pixels[100 * 400 + 200] == fixture.display.panel[200, 100])
  }
}
