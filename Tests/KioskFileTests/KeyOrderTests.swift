// SPDX-License-Identifier: MIT

import RoundelDeclarations
import Foundation
import RoundelJSON
import Kiosk
import TestSupport
import Testing
import RoundelYAML

@testable import KioskFile

/// The order of keys has no meaning, neither in a file nor in a table.
@Suite struct KeyOrderTests {
  /// The example kiosks and the kiosks in the tests of the language, some with errors.
  private static func corpus(
    _ part: Int, of parts: Int, _ random: inout SeededGenerator
  ) throws -> [Node] {
    let folder = repository.appending(path: "Tests/LanguageTests")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
    let tests = try names.sorted().flatMap { name in
      try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        .components(separatedBy: "\"\"\"").filter { $0.contains("kiosk:") && !$0.contains("\\(") }
    }
    let nodes = (try Corpus.all() + tests).compactMap { text in
      Composer.compose(Array(text.utf8), kind: "kiosk", example: "") { _, _ in }
    }
    #expect(nodes.count > 30)
    return nodes.enumerated().filter { $0.offset % parts == part }.flatMap { _, node in
      [node, node.spoiled(&random)]
    }
  }

  private func read(_ node: Node) -> ParsedKiosk {
    ParsedKiosk(Array(node.flow.utf8), path: "k.yaml", assets: StubAssets(texts: Corpus.parts))
  }

  /// The errors without locations, in an order that doesn't depend on the order of keys.
  private func messages(_ kiosk: ParsedKiosk) -> [[String]] {
    kiosk.diagnostics.map { diagnostic in
      diagnostic.message.contains("depends on itself")
        ? ["circle"] : diagnostic.message.split { " ,()".contains($0) }.map(String.init).sorted()
    }.sorted { $0.lexicographicallyPrecedes($1) }
  }

  @Test(arguments: Cases.of(6))
  func `a file with its keys in another order gives the same kiosk and errors`(_ part: Int) throws {
    var random = SeededGenerator(seed: UInt64(part))
    for node in try Self.corpus(part, of: 6, &random) {
      let (first, other) = (read(node), read(node.shuffled(&random)))
      #expect(messages(first) == messages(other), "\(node.flow)")
      #expect(
        first.description.map { canonical($0) } == other.description.map { canonical($0) },
        "\(node.flow)")
    }
  }

  @Test(arguments: Cases.of(6))
  func `tables read backwards give the same kiosk and errors`(_ part: Int) throws {
    var random = SeededGenerator(seed: UInt64(part))
    for node in try Self.corpus(part, of: 6, &random) {
      let (first, other) = (read(node), Report.$isReversed.withValue(true) { read(node) })
      #expect(
        first.diagnostics.map(\.description).sorted()
          == other.diagnostics.map(\.description).sorted())
      #expect(
        first.description.map { canonical($0) } == other.description.map { canonical($0) },
        "\(node.flow)")
      #expect(first.images == other.images && first.fonts == other.fonts)
    }
  }
}

extension Node {
  /// The node as YAML on one line.
  fileprivate var flow: String {
    switch content {
    case .scalar(let text, _):
      number != nil || flag != nil || kind == .nothing ? text : JSONValue.string(text).text
    case .list(let items): "[" + items.map(\.flow).joined(separator: ", ") + "]"
    case .map(let pairs):
      "{"
        + pairs.map { "\(JSONValue.string($0.key).text): \($0.value.flow)" }
        .joined(separator: ", ") + "}"
    }
  }

  /// Maps whose order is significant: cases, commands, fields and values.
  private static let ordered: Set = ["for", "set", "emit", "values"]

  /// The node, a value of `key`, with its keys shuffled. A control's type stays first.
  fileprivate func shuffled(_ random: inout SeededGenerator, of key: String = "") -> Node {
    guard !Self.ordered.contains(key) else { return self }
    switch content {
    case .scalar: return self
    case .list(let items):
      return Node(.list(items.map { $0.shuffled(&random, of: key) }), at: mark)
    case .map(var pairs):
      let type = pairs.firstIndex { key == "controls" && !["for", "as", "if"].contains($0.key) }
      let first = type.map { [pairs.remove(at: $0)] } ?? []
      let new = (first + pairs.shuffled(using: &random)).map { pair in
        Pair(
          key: pair.key, keyMark: pair.keyMark,
          value: pair.value.shuffled(&random, of: pair.key))
      }
      return Node(.map(new), at: mark)
    }
  }

  /// The node, possibly with an error.
  fileprivate func spoiled(_ random: inout SeededGenerator) -> Node {
    switch content {
    case .scalar:
      let texts = ["x", "-1", "{nobody.value}", "[", "true", ""]
      return Node(.scalar(texts.randomElement(using: &random) ?? "", isPlain: false), at: mark)
    case .list(var items):
      guard let place = items.indices.randomElement(using: &random) else { return self }
      items[place] = items[place].spoiled(&random)
      return Node(.list(items), at: mark)
    case .map(var pairs):
      guard let place = pairs.indices.randomElement(using: &random) else { return self }
      switch Int.random(in: 0..<12, using: &random) {
      case 0: pairs.remove(at: place)
      case 1: pairs[place].key += "x"
      default: pairs[place].value = pairs[place].value.spoiled(&random)
      }
      return Node(.map(pairs), at: mark)
    }
  }
}

/// A value as text without locations, and with unordered parts sorted.
private func canonical(_ value: Any, _ label: String? = nil) -> String {
  let mirror = Mirror(reflecting: value)
  if label == "source" || mirror.displayStyle == .class { return "" }
  var parts = mirror.children.map { child in
    let text = canonical(child.value, child.label)
    return child.label.map { "\($0): \(text)" } ?? text
  }
  let isUnordered = [.dictionary, .set].contains(mirror.displayStyle) || label == "values"
  if isUnordered { parts.sort() }
  guard parts.isEmpty else {
    let name = mirror.displayStyle == .enum ? "" : "\(type(of: value))"
    return "\(name)(\(parts.joined(separator: ", ")))"
  }
  return "\(value)"
}
