// SPDX-License-Identifier: MIT

import RoundelGeometry
import RoundelJSON
import KioskClients
import KioskProtocol
import JSONRPC
import Testing
import RoundelDeclarations

@Suite struct TextTests {
  @Test func `members are on separate lines, with nested ones indented`() {
    let json: JSONValue = [
      "kiosk": "wall", "clients": 2, "display": ["state": "showing", "size": [800, 480]],
      "fault": .null, "name": "a\u{1b}b",
    ]
    #expect(
      json.table == """
        kiosk    wall
        clients  2
        display
          state  showing
          size   800, 480
        fault    -
        name     a\\u{1b}b

        """)
  }

  @Test func `each stage of a touch has its row, without times if there was no touch`() {
    var times = Durations()
    times.count = 12
    (times.median, times.p95, times.p99, times.worst) = (0.0101234, 0.02, 0.03, 0.0412)
    let table = LatencyAnswer([("to_flip", times), ("to_frame", Durations())]).table
    let rows = table.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(rows[0] == ["touches", "median", "95", "%", "99", "%", "worst"])
    #expect(rows[1] == ["to", "flip", "12", "10.12", "20.0", "30.0", "41.2"])
    #expect(rows[2] == ["to", "frame", "0", "-", "-", "-", "-"])
  }

  @Test func `a tree has a line for each control and item, or for each property`() throws {
    let tree = try #require(
      TreeAnswer(
        try JSONValue(
          parsing: Array(
            #"""
            {"page": "one", "size": [640, 400], "language": "de", "values": {"cups": 1},
             "pages": [{"page": "one", "shown": true, "controls": [
               {"id": "go", "kind": "button", "at": [640, 400], "enabled": false, "visible": true,
                "moving": true, "properties": {"text": "Go"},
                "items": [{"id": "a", "at": [1, 2], "enabled": false}]},
               {"id": "note", "kind": "label", "at": null, "enabled": true, "visible": false,
                "moving": false}]}]}
            """#.utf8))))
    #expect(
      tree.text(eachOnItsLine: false) == """
        language="de"
        cups=1
        one (shown)
          button go at 640,400 disabled moving text="Go"
            /a at 1,2 disabled
          label note hidden

        """)
    #expect(tree.text(eachOnItsLine: true).contains("disabled moving\n    go.text=\"Go\"\n"))
  }
}
