// SPDX-License-Identifier: MIT

import RoundelDrawing
import RoundelExpressions
import RoundelJSON
import Kiosk
import KioskFile

/// The cost of setting a list with one new row, from the request to the display list.
struct ListCosts {
  static func print() {
    Swift.print("\na list with a new row                  bytes    parse µs     set µs    draw µs")
    for count in [10, 100, 1000, 18_000] {
      let rows = (0..<count).map { index in
        #"{"id":"r\#(index)","label":"Row \#(index)","detail":"\#(index % 60) min"}"#
      }
      measure("of \(count) rows, the middle one", rows) { $0[count / 2] = $1 }
      if count == 1000 {
        measure("of \(count) rows, all moved by one", rows) {
          $0.removeFirst()
          $0.append($1)
        }
      }
    }
    measure("of 100000 strings, the middle one", (0..<100_000).map { #""\#($0)""# }) {
      $0[50_000] = #""n\#($1.filter(\.isNumber))""#
    }
  }

  private static func measure(
    _ name: String, _ rows: [String], change: (inout [String], String) -> Void
  ) {
    var engine = engine()
    var rows = rows
    func text() -> [UInt8] { Array("[\(rows.joined(separator: ","))]".utf8) }
    func set(_ value: Value) {
      do {
        try engine.set(.value("rows"), to: value)
      } catch {
        fatalError("\(error)")
      }
      let events = engine.takeEvents()
      precondition(!events.contains { $0.name == "failed" }, "\(events)")
    }
    set(value(text()))
    let rounds = 30
    var costs: [[Double]] = [[], [], []]
    for round in 0..<rounds {
      change(&rows, #"{"id":"n\#(round)","label":"New \#(round)","detail":"\#(round) min"}"#)
      let bytes = text()
      var (json, given): (Value?, Value?) = (nil, nil)
      costs[0].append(Measure.once { json = value(bytes) })
      given = json
      json = nil
      costs[1].append(
        Measure.once {
          if let given { set(given) }
        })
      given = nil
      costs[2].append(Measure.once { _ = engine.displayList })
    }
    let medians = costs.map { $0.sorted()[rounds / 2] }
    let columns = [String(text().count)] + medians.map(Measure.number)
    func padded(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: max(1, width - text.count)) + text
    }
    Swift.print(
      name + padded(columns[0], 44 - name.count)
        + columns.dropFirst().map { padded($0, 12) }.joined())
  }

  private static func value(_ bytes: [UInt8]) -> Value {
    guard let json = try? JSONValue(parsing: bytes), let value = Value(json) else {
      fatalError("no JSON")
    }
    return value
  }

  private static func engine() -> Engine {
    let text = """
      kiosk: rows
      screen: {size: [800, 800], font: DejaVu Sans}
      values: {rows: []}
      pages:
        - page: p
          controls:
            - {list: x, at: [400, 400], size: [400, 400], row_height: 40, items: "{rows}"}
      """
    guard
      let description = ParsedKiosk(Array(text.utf8), path: "k.yaml", assets: NoAssets())
        .description
    else { fatalError("no kiosk") }
    return Engine(description, seed: 1)
  }
}
