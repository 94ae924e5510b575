// SPDX-License-Identifier: MIT

import RoundelDeclarations
import RoundelJSON
import Kiosk
import LinuxIO
import RoundelMotion
import KioskService
import RoundelRuntime
import TestSupport
import Testing

/// Nearly valid requests to every method of a kiosk.
@Suite struct KioskFuzzTests {
  /// A request for each method in `help`, some with several sets of parameters.
  private static let requests = [
    #""blank""#, #""close","params":{"control":"drinks"}"#,
    #""drag","params":{"target":"minutes/0","to_target":"minutes/3","duration":0.01,"hold":0}"#,
    #""drag","params":{"at":[10,20],"by":[-30,4e1],"duration":0,"marker":true}"#,
    #""events","params":{"on":true}"#, #""failed","params":{"message":"no broker"}"#,
    #""typing","params":{"text":"4711"}"#, #""get","params":{"property":"minutes.value"}"#,
    #""frame","params":{"size":[40,40],"aspect":0.5}"#,
    #""notify","params":{"text":"Tea","title":"Kitchen","level":"alarm","seconds":3}"#,
    #""notify","params":["Tea"]"#, #""show","params":{"page":"two"}"#,
    #""go","params":{"page":"two"}"#, #""go","params":["one"]"#, #""help""#,
    #""latency""#, #""open","params":{"control":"drinks"}"#, #""record","params":{"on":true}"#,
    #""place","params":{"target":"shows/a"}"#, #""reload""#,
    #""restart","params":{"seed":7}"#, #""rotate","params":{"degrees":180}"#,
    #""screenshot","params":{"region":[0,0,40,20],"scale":0.5}"#,
    #""set","params":{"property":"minutes.value","value":3}"#,
    #""spin","params":{"control":"drinks"}"#, #""status""#, #""stop""#,
    #""tap","params":{"target":"shows/a","duration":0.001,"marker":true}"#,
    #""touch","params":{"recording":"{\"t\":0,\"down\":{\"finger\":3,\"x\":9,\"y\":9}}","more":true}"#,
    #""touch","params":{"recording":"{\"t\":0.1,\"shot\":\"a.png\"}","shots":true}"#,
    #""emit","params":{"name":"sold","fields":{"price":4.5}}"#, #""reset""#,
    #""reset","params":{"control":"drinks"}"#, #""shake""#, #""wake""#,
    #""key","params":{"key":"F1"}"#, #""scan","params":{"text":"47"}"#,
    #""jack","params":{"on":true}"#,
    #""publish","params":{"mqtt":"a/b","payload":"on","retain":true,"qos":2}"#,
    #""call","params":{"home":"light.turn_on","entity":"light.hall","data":{"level":4}}"#,
    #""bridge","params":{"connected":true}"#, #""calibrate","params":{"check":true}"#,
    #""tree","params":{"properties":true}"#,
    #""wait","params":{"expression":"cups > 2 && page == 'two' || 1 / cups < 3","timeout":0.01}"#,
    #""watch","params":{"expressions":["cups","minutes.label + '!'","uptime"]}"#,
    #""watch","params":{"on":false}"#, #""set","params":{"property":"cups","value":3}"#,
    #""tree""#, #""unblank""#, #""version""#, #""wait","params":{"page":"two","timeout":0.01}"#,
    #""wait","params":{"property":"minutes.value","value":3,"timeout":0}"#,
    #""wait","params":{"property":"minutes.value","value":{"min":3},"timeout":0}"#,
    #""wait","params":{"input":"glass","timeout":0.01}"#, #""wait","params":{"still":true}"#,
  ]

  @Test(arguments: 0..<4)
  func `a kiosk answers any request and keeps running`(_ seed: UInt64) throws {
    let fixture = try KioskFixture()
    var random = SeededGenerator(seed: seed)
    let seeds = Self.requests.map { Array(#"{"jsonrpc":"2.0","id":1,"method":\#($0)}"#.utf8) }
    for _ in Cases.of(20) {
      let wire = try fixture.connect()
      for _ in 0..<100 {
        guard let request = seeds.randomElement(using: &random) else { return }
        wire.send((Bool.random(using: &random) ? request.mutated(using: &random) : request) + [10])
        _ = fixture.cycle.turn()
        fixture.remote?.turn()
        try fixture.loop.turn(until: .zero)
        wire.read()
      }
      // Some clients disconnect midway; the answers to the others are JSON.
      #expect(wire.answers.count == wire.lines.count)
    }
    #expect(try fixture.ask("version")["version"] == "1.2.3")
    #expect(try fixture.run { fixture.cycle.engine.fingers.isEmpty })
  }

  @Test func `the requests cover each method`() throws {
    guard case .array(let methods) = try KioskFixture().ask("help") else {
      Issue.record("no list")
      return
    }
    for method in methods.compactMap({ $0["method"]?.text }) {
      #expect(Self.requests.contains { $0.hasPrefix(method) }, "\(method)")
    }
  }
}
