// SPDX-License-Identifier: MIT

import RoundelExpressions
import RoundelJSON
import Testing
import RoundelDeclarations
import RoundelYAML

@testable import KioskFile

/// A recursive table, like a menu's.
private struct Branch: Hashable, Sendable {
  var name: String
  var leaves: [String]
  var branches: [Branch]

  static let table: Table<Branch> = Table("branch", "A part of a tree.") { keys in
    let name = keys.required("name", .word("a name"), "What it is called.")
    let leaves = keys.optional(
      "leaves",
      Form<Int>.integer(1...3).map { (0..<$0).map(String.init) }
        .or(Form<String>.text.list("names")),
      default: 1, "How many, or their names.")
    let branches = keys.optional(
      "branches", Form.table("a branch") { table }.list("branches"), "What grows on it.")
    return { fields in
      Branch(name: fields[name], leaves: fields[leaves], branches: fields[branches] ?? [])
    }
  }
}

@Suite struct TableTests {
  private func branch(_ text: String) throws -> (branch: Branch?, diagnostics: [String]) {
    let node = try #require(
      Composer.compose(Array(text.utf8), kind: "kiosk", example: "") { _, _ in })
    let reader = Reader(file: "b", end: Mark(line: 9, column: 1))
    return (Branch.table.form.read(node, reader), reader.diagnostics.map(\.description))
  }

  @Test func `a table may be recursive`() throws {
    let read = try branch("{name: a, leaves: [x, 2], branches: [{name: b, leaves: 3}, {name: c}]}")
    #expect(read.diagnostics == [])
    #expect(
      read.branch
        == Branch(
          name: "a", leaves: ["x", "2"],
          branches: [
            Branch(name: "b", leaves: ["0", "1", "2"], branches: []),
            Branch(name: "c", leaves: ["0"], branches: []),
          ]))
  }

  @Test func `an error in a value of two kinds names both kinds`() throws {
    let read = try branch("{name: a, leaves: {x: 1}, branches: [{name: b, leaves: 4}, {nam: c}]}")
    #expect(read.branch == nil)
    #expect(
      read.diagnostics == [
        "b:1:19: error: \"leaves\" has the wrong type: a map "
          + "(expected a whole number from 1 to 3, or a list of names)",
        "b:1:56: error: \"leaves\" is out of range: 4 (expected a number from 1 to 3)",
        "b:1:60: error: missing key \"name\" in branch (expected a name)",
        "b:1:61: error: unknown key \"nam\" in branch (expected name, leaves or branches; "
          + "did you mean \"name\"?)",
      ])
  }

  @Test func `the schema of a recursive table is finite`() {
    var definitions = Definitions()
    #expect(Branch.table.form.schema(&definitions) == ["$ref": "#/$defs/branch"])
    #expect(definitions.members.map(\.name) == ["branch"])
  }

  @Test(arguments: [
    ("radius", "radios", 1), ("radius", "raduis", 1), ("radius", "radi", 2), ("", "abc", 3),
    ("ca", "abc", 3), ("same", "same", 0),
  ])
  func `an edit is an inserted, deleted, changed or swapped character`(
    _ a: String, _ b: String, _ distance: Int
  ) {
    #expect(editDistance(a, b) == distance)
    #expect(editDistance(b, a) == distance)
  }

  @Test func `only similar names are suggested`() {
    let names = ["at", "radius", "text_color", "font_size"]
    let reader = Reader(file: "b", end: .start)
    #expect(names.nearest(to: "Radius", by: reader) == "radius")
    #expect(names.nearest(to: "textcolour", by: reader) == "text_color")
    #expect(names.nearest(to: "size", by: reader) == nil)
    #expect(names.nearest(to: "x", by: reader) == nil)
    #expect(names.nearest(to: String(repeating: "a", count: 1_000), by: reader) == nil)
  }
}
