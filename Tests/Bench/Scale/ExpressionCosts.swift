// SPDX-License-Identifier: MIT

import RoundelExpressions
import RoundelJSON
import Kiosk
import KioskFile

/// The cost of expressions, and of one changed member among many items that expressions read.
struct ExpressionCosts {
  static func print() {
    Swift.print("\nan expression                                                      ns")
    for text in [
      "x", "x + 1", "order.price", "orders[500].price", "texts[key]", "x in [1, 2, 3]",
      "orders.filter(o, o.open).map(o, o.price)", "sum(orders.map(o, o.price))",
      "orders.exists(o, o.id == 'r999')", "orders.map(o, o.name).distinct().sort().join(', ')",
    ] {
      row(text, Values().cost(of: text))
    }
    Swift.print(
      "\none changed member of one item                    items    set µs    ratio to 10")
    for (name, control) in shown {
      var least: Double?
      for count in [10, 100, 1000] {
        let cost = cost(of: control(count), count)
        least = least ?? cost
        let ratio = Measure.number(cost / (least ?? cost))
        Swift.print(
          name.padded(50) + "\(count)".padded(8) + Measure.number(cost).padded(10) + ratio)
      }
    }
  }

  private static func row(_ name: String, _ cost: Double) {
    Swift.print(name.padded(62) + Measure.number(cost))
  }

  // MARK: Expressions

  /// The least costly scope, so that the figures are of the expressions.
  private struct Values: NameSpace, Scope {
    private let names = ["x", "order", "orders", "texts", "key"]
    private let values: [Value] = [
      .number(3), .record([Field("id", .text("a")), Field("price", .number(2))]),
      .list(
        (0..<1000).map { index in
          .record([
            Field("id", .text("r\(index)")), Field("name", .text("Item \(index % 50)")),
            Field("price", .number(Double(index))), Field("open", .flag(index % 2 == 0)),
          ])
        }),
      .record([Field("a", .text("A")), Field("b", .text("B"))]), .text("b"),
    ]

    func find(_ path: NamePath) -> (name: Int, kind: Value.Kind)? {
      names.firstIndex(of: "\(path)").map { ($0, values[$0].kind) }
    }

    func elementKind(of name: Int) -> Value.Kind { values[name].elementKind }

    func value(of name: Int, budget: inout WorkBudget) throws(EvaluationError) -> Value {
      values[name]
    }

    /// In nanoseconds.
    func cost(of text: String) -> Double {
      guard let expression = try? Expression(text).resolved(in: self) else {
        fatalError("no expression")
      }
      func evaluate(_ count: Int) {
        for _ in 0..<count {
          var budget = WorkBudget(1 << 20)
          guard (try? expression.value(in: self, budget: &budget)) != nil else {
            fatalError("no value")
          }
        }
      }
      let count = Measure.once { evaluate(1) } > 20 ? 50 : 20_000
      let costs = (0..<9).map { _ in Measure.once { evaluate(count) } }
      return (costs.min() ?? 0) * 1000 / Double(count)
    }
  }

  // MARK: One changed member

  private static let shown: [(name: String, control: @Sendable (Int) -> String)] = [
    (
      "a list",
      { _ in
        "{list: x, at: [400, 400], size: [400, 400], row_height: 40, items: \"{rows}\"}"
      }
    ),
    (
      "a list of computed items",
      { _ in
        "{list: x, at: [400, 400], size: [400, 400], row_height: 40, items: "
          + "\"{rows.map(r, {'id': r.id, 'label': r.label + '!'})}\"}"
      }
    ),
    (
      "a label for each item",
      { count in
        "{for: \"{lists.range(\(count))}\", as: i, label: l$i, at: [400, 400], "
          + "text: \"{rows[$i].label}\"}"
      }
    ),
  ]

  /// In microseconds, from the request to the display list.
  private static func cost(of control: String, _ count: Int) -> Double {
    let text = """
      kiosk: rows
      screen: {size: [800, 800], font: DejaVu Sans}
      values: {rows: [{id: r0, label: Row}]}
      pages: [{page: p, controls: [\(control)]}]
      """
    let parsed = ParsedKiosk(Array(text.utf8), path: "k.yaml", assets: NoAssets())
    guard let description = parsed.description else { fatalError("\(parsed.diagnostics)") }
    var engine = Engine(description, seed: 1)
    var rows = (0..<count).map { index in
      Value.record([Field("id", .text("r\(index)")), Field("label", .text("Row \(index)"))])
    }
    func set() { try? engine.set(.value("rows"), to: .list(rows)) }
    set()
    let costs = (0..<200).map { round in
      rows[count / 2] = .record([
        Field("id", .text("r\(count / 2)")), Field("label", .text("New \(round)")),
      ])
      return Measure.once {
        set()
        _ = engine.displayList
      }
    }
    return costs.sorted()[costs.count / 2]
  }
}

extension String {
  fileprivate func padded(_ width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
