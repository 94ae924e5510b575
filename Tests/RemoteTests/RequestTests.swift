// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDeclarations
import RoundelExpressions
import RoundelGeometry
import RoundelJSON
import Kiosk
import KioskProtocol
import LinuxIO
import RoundelMotion
import JSONRPC
import KioskService
import RoundelRuntime
import Testing

/// Requests and answers, as written and read by both sides.
@Suite struct RequestTests {
  @Test func `a request contains the given parameters and omits defaults`() {
    let tap = TapRequest {
      $0.target = Target("shows/a")
      $0.duration = 1
    }
    #expect(tap.json.text == #"{"target":"shows/a","duration":1}"#)
    #expect(TapRequest().json.text == "{}")
    #expect(GetRequest(.value("cups")).json.text == #"{"property":"cups"}"#)
    let wait = WaitRequest {
      $0.property = .value("cups")
      $0.value = .object([.init("min", 3)])
      $0.timeout = 0
    }
    #expect(wait.json.text == #"{"property":"cups","value":{"min":3},"timeout":0}"#)
  }

  @Test func `unknown members of an answer are ignored, missing ones are detected`() {
    let answer = TouchAnswer(
      .object([
        .init("taken", true), .init("new", 7), .init("control", "shows"),
        .init("at", .array([1, 2])),
      ]))
    #expect(answer?.control == "shows" && answer?.place == Point(1, 2) && answer?.hasWoken == false)
    #expect(TouchAnswer(.object([.init("taken", true), .init("control", .null)])) != nil)
    #expect(TouchAnswer(.object([.init("control", "shows")])) == nil)
    #expect(TouchAnswer(.object([.init("taken", 1)])) == nil)
    #expect(TouchAnswer(true) == nil)
  }

  @Test func `large answers with custom encoders are read back correctly`() throws {
    let png: [UInt8] = [1, 2, 3, 250]
    let base64 = Base64.encode(png)
    func read<Answer: JSONConvertible>(_ bytes: [UInt8], as _: Answer.Type) throws -> Answer {
      try #require(Answer(try JSONValue(parsing: bytes)))
    }
    let screenshot = try read(
      ScreenshotAnswer.encoded(base64: base64, time: 1.25), as: ScreenshotAnswer.self)
    #expect(screenshot.png == png && screenshot.time == 1.25)
    let shot = try read(
      ShotNotice.encoded(name: "a\"b", base64: base64), as: ShotNotice.self)
    #expect(shot.name == "a\"b" && shot.png == png)
    let area = Rect(origin: Point(-1.5, 0), size: Size(400, 200))
    let frame = try read(
      FrameAnswer.encoded(size: PixelSize(40, 20), area: area, parts: [(3, 4, base64)]),
      as: FrameAnswer.self)
    #expect(frame.size == PixelSize(40, 20) && frame.area == area)
    #expect(frame.parts.map { [$0.x, $0.y] } == [[3, 4]] && frame.parts.first?.png == png)
    #expect(FrameAnswer().json.text == #"{"size":[0,0],"area":[0,0,0,0],"parts":[]}"#)
    #expect(FrameAnswer(FrameAnswer().json)?.size == PixelSize(0, 0))
    let recording = try read(
      RecordingAnswer.encoded(
        takers: ["shows", nil], answers: Array("1,2".utf8), refusals: Array("\"no\"".utf8)),
      as: RecordingAnswer.self)
    #expect(recording.takers == ["shows", nil] && recording.answers == [1, 2])
    #expect(recording.refusals == ["no"])
  }

  @Test func `every command of a client has its own method`() throws {
    let publish = try #require(CommandKind.named("publish"))
    let call = try #require(CommandKind.named("call"))
    let commands: [Command] = [
      .set(.value("cups"), .number(3)), .go(page: "two"), .perform("open", control: "drinks"),
      .perform("close", control: "drinks"), .perform("spin", control: "reels"),
      .show(page: "aid"),
      .notify(Message("Tea", title: "Kitchen", level: .alarm, seconds: 3)),
      .emit("sold", [Field("price", .number(4.5))]), .blank(true), .blank(false), .reset(nil),
      .reset("drinks"), .shake, .key(.enter), .scan("47"),
      .jack(true),
      Command(publish, [.text("a/b"), .text("on"), .flag(false), .number(1)]),
      Command(
        call, [.text("light.toggle"), .text("light.kitchen"), .record([Field("n", .number(1))])]),
    ]
    for command in commands {
      let request = try #require(command.request())
      #expect(command.kind.commands(of: request) == [command])
    }
    #expect(Command.run(["ls"]).request() == nil)
    #expect(Set(commands.map(\.kind)) == Set(CommandKind.remote))
  }

  @Test func `the answers of a running kiosk are read as written`() throws {
    let fixture = try KioskFixture()
    func answer<Request: MethodRequest>(_ request: Request) throws -> Request.Answer {
      let json = try fixture.ask(Request.method.name, request.json.text)
      let answer = try #require(Request.Answer(json), "\(json.text)")
      #expect(answer.json == json)
      return answer
    }
    #expect(try answer(VersionRequest()).version == "1.2.3")
    let status = try answer(StatusRequest())
    #expect(status.kiosk == "stand" && status.display.output == "HDMI-A-1")
    #expect(try answer(PlaceRequest(Target(control: "minutes", item: "3"))).place.x > 300)
    #expect(try answer(LatencyRequest()).stages.map(\.name).last == "total")
    let tree = try answer(TreeRequest { $0.properties = true })
    #expect(tree.pages.map(\.name) == ["one", "two"])
    #expect(tree.pages[0].controls.map(\.id) == ["shows", "minutes"])
    #expect(tree.pages[1].controls[0].items.map(\.id) == ["tea", "more", "more/x"])
    #expect(try answer(WaitRequest { $0.still = true }).holds)
    let tap = try answer(TapRequest { $0.target = Target("shows/a") })
    #expect(tap.isTaken && tap.control == "shows")
    #expect(try answer(RotateRequest { $0.degrees = .half }).json == true)
  }

  @Test func `an answer is sent in the turn that creates it`() throws {
    let fixture = try KioskFixture()
    let remote = try #require(fixture.remote)
    let wire = try fixture.connect()
    _ = try fixture.ask("version", on: wire)
    for line in [
      #""go","params":{"page":"two"}"#, #""set","params":["cups",3]"#, #""restart""#,
    ] {
      let before = wire.lines.count
      wire.send(line: "{\"jsonrpc\":\"2.0\",\"method\":\(line),\"id\":2}")
      // A request is handled after the kiosk's next turn, and answered in the following turn.
      try fixture.loop.turn(until: MonotonicClock.now + 5)
      _ = fixture.cycle.turn()
      remote.turn()
      wire.read()
      #expect(wire.lines.count == before + 1, "\(line)")
    }
  }

  @Test func `a long drag keeps no bytes, and a rejected tap releases its reservation`() throws {
    var limits = Limits()
    limits.maximumFingers = 1
    let fixture = try KioskFixture(limits: limits)
    let wire = try fixture.connect()
    wire.send(
      line:
        #"{"jsonrpc":"2.0","method":"drag","params":{"at":[5,5],"by":[9,9],"duration":60},"id":1}"#)
    #expect(try fixture.run { fixture.cycle.engine.fingers.count == 1 })
    #expect(try fixture.ask("status")["client_work"]?["kept_bytes"] == 0)
    let other = try fixture.connect()
    for _ in 0..<40 {
      let tap = try fixture.ask("tap", #"{"at":[5,5]}"#, on: other)
      #expect(tap["data"]?["limit"] == "maximumFingers")
    }
  }
}
