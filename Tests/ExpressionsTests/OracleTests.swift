// SPDX-License-Identifier: MIT

import RoundelExpressions
import Foundation
import RoundelJSON
import Testing

/// Random cases with their results in Python, from Oracle/cases.py.
@Suite struct OracleTests {
  private static let cases: JSONValue = {
    let file =
      ProcessInfo.processInfo.environment["EXPRESSION_CASES"].map { URL(filePath: $0) }
      ?? URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Oracle/cases.json")
    do {
      return try JSONValue(parsing: Array(Data(contentsOf: file)))
    } catch {
      Issue.record(error)
      return .null
    }
  }()

  /// The rows of a table, which isn't empty.
  private static func rows(_ name: String) throws -> [[JSONValue]] {
    guard case .array(let rows) = try #require(cases[name]) else { return [] }
    try #require(!rows.isEmpty)
    return rows.compactMap { row in
      if case .array(let row) = row { row } else { nil }
    }
  }

  private static func value(_ json: JSONValue) throws -> Value {
    switch json {
    case .number(let number): .number(number)
    case .string(let text): .text(text)
    case .bool(let flag): .flag(flag)
    default: throw CocoaError(.fileReadCorruptFile)
    }
  }

  @Test func `a random expression has the value that Python computes`() throws {
    var names = Names(values: [:])
    for row in try Self.rows("names") {
      names.values[try #require(row[0].string)] = try Self.value(row[1])
    }
    for row in try Self.rows("expressions") {
      let text = try #require(row[0].string)
      let expression = try Expression(text)
      // The same expression, printed with few parentheses.
      for expression in [expression, try Expression(expression.description)] {
        var budget = Names.budget
        if row[1] == .null {
          #expect(throws: EvaluationError.self, "\(text)") {
            try expression.resolved(in: names).value(in: names, budget: &budget)
          }
        } else {
          let resolved = try expression.resolved(in: names)
          let value = try resolved.value(in: names, budget: &budget)
          #expect(try value == Self.value(row[1]), "\(text)")
          #expect(value.kind == resolved.kind)
        }
      }
      let printed = try Expression(expression.description).description
      #expect(printed == expression.description)
      #expect(printed.filter { $0 == "(" }.count <= text.filter { $0 == "(" }.count, "\(text)")
    }
  }

  /// Python's implementations of CEL; see Oracle/lists.py.
  @Test func `a random expression over lists has the value that CEL computes`() throws {
    let files =
      ProcessInfo.processInfo.environment["LIST_CASES"]?.split(separator: ":").map {
        URL(filePath: String($0))
      } ?? [
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Oracle/lists.json")
      ]
    for file in files {
      let table = try JSONValue(parsing: Array(Data(contentsOf: file)))
      var names = Names(values: [:])
      guard case .object(let members)? = table["names"], case .array(let rows)? = table["cases"]
      else { throw CocoaError(.fileReadCorruptFile) }
      for member in members { names.values[member.name] = Value(member.value) }
      try #require(!rows.isEmpty)
      for (index, row) in rows.enumerated() {
        guard case .array(let row) = row, let text = row[0].string else { continue }
        // Knowing more kinds in the checker doesn't change values.
        names.knowsElements = index.isMultiple(of: 2)
        names.dynamic = index.isMultiple(of: 3) ? Set(names.values.keys) : []
        var budget = Names.budget
        let expression = try Expression(text)
        let value = try? expression.resolved(in: names).value(in: names, budget: &budget)
        if value?.sorted != Value(row[1])?.sorted {
          Issue.record("\(text) is \(value?.display ?? "undefined"), not \(row[1].text)")
        }
      }
    }
  }

  @Test(arguments: ["numbers", "texts"])
  func `a format gives the same result as in Python`(_ table: String) throws {
    for row in try Self.rows(table) {
      let names = Names(values: ["x": try Self.value(row[0])])
      let format = try #require(row[1].string)
      #expect(try names.text("{x:\(format)}") == row[2].string, "\(row[0]) \(format)")
    }
  }

  @Test func `a time's format gives the same result as strftime`() throws {
    for row in try Self.rows("times") {
      let time = try #require(row[0].string.flatMap { CivilTime($0) })
      #expect(time.description == row[0].string)
      let names = Names(values: ["now": .time(time)])
      #expect(
        try names.text("{now:\(row[1].string ?? "")}") == row[2].string, "\(row[0]) \(row[1])")
    }
  }
}

extension Value {
  /// The order of members doesn't matter.
  fileprivate var sorted: Value {
    switch self {
    case .list(let values): .list(values.map(\.sorted))
    case .record(let fields):
      .record(
        fields.map { Field($0.name, $0.value.sorted) }.sorted { $0.name < $1.name })
    default: self
    }
  }
}
