// SPDX-License-Identifier: MIT

import RoundelDrawing
import Foundation
import RoundelJSON
import Kiosk
import KioskFile
import TestSupport
import SchemaValidator
import Testing
import RoundelDeclarations
import RoundelYAML

@testable import RoundelSuites

/// The suites in `deploy` and their kiosks.
private enum Corpus {
  static let repository = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static func suites() throws -> [(path: String, text: [UInt8])] {
    let folder = repository.appending(path: "deploy/examples/suites")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path())
      .filter { $0.hasSuffix(".yaml") }.sorted().map { name in
        let suite = try Data(contentsOf: folder.appending(path: name))
        return ("deploy/examples/suites/\(name)", Array(suite))
      }
  }

  static func read(_ text: [UInt8], path: String) -> SuiteReading {
    SuiteReading(text, path: path) { kiosk, _ in
      (try? Data(contentsOf: repository.appending(path: kiosk))).flatMap { data in
        ParsedKiosk(Array(data), path: kiosk, assets: Assets()).description
      }
    }
  }
}

private struct Assets: AssetLoader {
  func loadImage(at path: String) throws(AssetError) {
    guard FileManager.default.fileExists(atPath: Corpus.repository.appending(path: path).path())
    else { throw AssetError("no such file") }
  }
  func loadFont(_ face: FaceName) {}
  func loadText(at path: String, inside folder: String) throws(AssetError) -> [UInt8] {
    guard let data = try? Data(contentsOf: Corpus.repository.appending(path: path)) else {
      throw AssetError("no such file")
    }
    return Array(data)
  }
  func findProgram(_ name: String, for kiosk: String) throws(AssetError) {
    throw AssetError("the tests know no programs")
  }
}

@Suite struct SuiteSchemaTests {
  /// If UPDATE_SCHEMA is set in the environment, writes the file. The test then still fails once.
  @Test func `the schema for editors is up to date in deploy`() throws {
    let file = Corpus.repository.appending(path: "deploy/suite.schema.json")
    if ProcessInfo.processInfo.environment["UPDATE_SCHEMA"] != nil {
      try SuiteSchema.json.write(to: file, atomically: true, encoding: .utf8)
      Issue.record("wrote \(file.path)")
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == SuiteSchema.json)
  }

  @Test func `the schema accepts the example suites, which have no errors`() throws {
    let validator = Validator(SuiteSchema.schema)
    for (path, text) in try Corpus.suites() {
      #expect(Corpus.read(text, path: path).diagnostics.map(\.description) == [])
      let node = try #require(
        Composer.compose(text, kind: "suite", example: "") { _, _ in })
      #expect(validator.problem(JSONValue(node)) == nil, "\(path)")
    }
  }

  @Test(arguments: [
    "{tpa: left}", "{tap: 3, go: x}", "{drag: {to: left}}", "{wait: soon}", "{set: {left.: 3}}",
    "{expect: {evnt.: pressed}}", "{expect: {picture: a/b}}", "{expect: {event: a, lable: x}}",
    "{touch: []}", "{release: 10}", "{shake: false}", "{reset: [dial]}", "{emit: {price: 3}}",
    "{clock: 8}", "{expect: {exactly: pressed}}",
  ])
  func `the schema rejects what the reader rejects`(_ step: String) throws {
    let text = Array("suite: s\nkiosk: k.yaml\ntests: [{test: t, steps: [\(step)]}]".utf8)
    let node = try #require(Composer.compose(text, kind: "suite", example: "") { _, _ in })
    #expect(Validator(SuiteSchema.schema).problem(JSONValue(node)) != nil)
    #expect(SuiteReading(text, path: "s.yaml") { _, _ in makeKiosk() }.suite == nil)
  }
}

@Suite struct SuiteFuzzTests {
  @Test(arguments: 0..<4 as Range<UInt64>)
  func `any bytes are either a suite or have an error in one of their lines`(_ seed: UInt64) throws
  {
    var random = SeededGenerator(seed: seed)
    let suites = try Corpus.suites()
    for round in 0..<150 {
      let (path, original) = suites[round % suites.count]
      let text = original.mutated(using: &random)
      let reading = Corpus.read(text, path: path)
      #expect((reading.suite == nil) == !reading.diagnostics.isEmpty)
      let lines = max(1, text.split(separator: 10, omittingEmptySubsequences: false).count)
      #expect(reading.diagnostics.allSatisfy { (1...lines).contains($0.line) && $0.column >= 1 })
    }
  }
}
