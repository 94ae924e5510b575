// SPDX-License-Identifier: MIT

package import RoundelDeclarations
package import RoundelGeometry
internal import RoundelJSON
package import Kiosk
internal import RoundelYAML

package struct SuiteReading: Sendable {
  package let suite: TestSuite?
  /// The errors in the order of the file.
  package let diagnostics: [Diagnostic]

  private static let example = "\"suite: hello\", \"kiosk: hello.yaml\" and \"tests: …\""

  /// `kiosk` returns the kiosk at a path relative to `path` for a canvas of `size` pixels, or nil.
  ///
  /// The bytes may be arbitrary.
  package init(
    _ text: [UInt8], path: String,
    kiosk: @escaping (_ path: String, _ size: PixelSize?) -> Description?
  ) {
    let reader = SuiteReader(file: path, end: Mark(endOf: text), kiosk: kiosk)
    let root = Composer.compose(text, kind: "suite", example: Self.example) { what, mark in
      reader.report(what, at: mark)
    }
    let suite: TestSuite?
    if let root, root["suite"] == nil, let pages = root.pairs.first(where: { $0.key == "pages" }) {
      reader.report(
        "the file is a kiosk file", at: pages.keyMark,
        expected: "a suite; roundel check reads kiosk files")
      suite = nil
    } else {
      suite = root.flatMap { Table<TestSuite>.suite.form.read($0, reader) }
    }
    reader.reportMissing()
    diagnostics = reader.diagnostics
    self.suite = diagnostics.isEmpty ? suite : nil
  }
}

package enum SuiteSchema {
  /// The schema (JSON Schema draft 2020-12), ending with a line feed.
  package static var json: String { schema.indented() + "\n" }

  static var schema: JSONValue {
    var definitions = Definitions()
    let root = Table.suite.form.schema(&definitions)
    let head: JSONValue = [
      "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "urn:roundel:suite:4",
      "title": "Roundel test suite",
    ]
    let parts = zip(definitions.members, definitions.members.admittingParameters).map {
      $0.name == "suite" ? $0 : $1
    }
    let parameter: JSONValue = [
      "description": "A name from the test's \"for\".", "type": "string", "pattern": "\\$",
    ]
    return head.with(root).with(["$defs": .object(parts + [.init("parameter", parameter)])])
  }
}
