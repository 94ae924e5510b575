// SPDX-License-Identifier: MIT

import RoundelDeclarations
import TestSupport
import Testing
import RoundelYAML

@testable import RoundelAuthoring

@Suite struct SyntaxTests {
  /// The tree from the file reader, or nil if the reader reports an error.
  private func composed(_ text: [UInt8]) -> Node? {
    var isGood = true
    let node = Composer.compose(text, kind: "kiosk", example: "x") { _, _ in isGood = false }
    return isGood ? node : nil
  }

  private func described(_ node: Node, _ depth: Int = 0) -> String {
    let mark = "\(node.mark.line):\(node.mark.column)"
    let indent = String(repeating: " ", count: depth)
    switch node.content {
    case .scalar(let text, let isPlain):
      return "\(indent)\(mark) \(text.debugDescription)\(isPlain ? "" : " quoted")\n"
    case .list(let items):
      return "\(indent)\(mark) list\n" + items.map { described($0, depth + 1) }.joined()
    case .map(let pairs):
      return "\(indent)\(mark) map\n"
        + pairs.map { pair in
          "\(indent)\(pair.keyMark.line):\(pair.keyMark.column) \(pair.key.debugDescription):\n"
            + described(pair.value, depth + 1)
        }.joined()
    }
  }

  /// Compares the syntax tree with the file reader. Returns false if the reader rejects the text.
  @discardableResult
  private func compare(_ text: [UInt8], _ name: String) -> Bool {
    guard let node = composed(text) else { return false }
    let tree = SyntaxTree(SourceFile(text))
    let own = tree.node().map { described($0) } ?? "nothing"
    let expected = described(node)
    if own != expected || !tree.isWellFormed {
      let first = zip(own.split(separator: "\n"), expected.split(separator: "\n"))
        .first { $0 != $1 }
      Issue.record(
        """
        \(name): well formed \(tree.isWellFormed), \(first.map { "\($0.0) instead of \($0.1)" } ?? "one is longer")
        \(String(decoding: text, as: UTF8.self).prefix(2000))
        """)
    }
    return true
  }

  @Test func `every example file is parsed as by the file reader`() throws {
    for path in try examples(in: "deploy") { #expect(compare(try bytes(path), path), "\(path)") }
  }

  @Test(arguments: [
    "a: 1", "a:\n- 1\n- - 2\n  - 3\nb: {c: [d, e: f], \"g\":1, h, i: }",
    "- |\n  a\n   b\n\n- >-\n  a\n  b\n\n  c\n",
    "a: &x {b: 1}\nc: *x\nd: &y\n  e: 1\nf: *y",
    "a: 'it''s'\nb: \"x\\n\\u00e9\\\n  y\"\n'c d': plain\n  goes on\n\n  here # not",
    "\u{feff}a: 1\r\nb:\r\n  - c\r\n", "---\na: b\n...\n", "a: !!str 12\nb: !!int 3",
    "{\"a\": [1, 2, {\"b\": null}]}",
    "a: http://x#y\nb: c:d\n? e\n: f\n", "é: ü\n\"日本\": [語, x]\n", "- a: 1\n  b:\n  - c\n  -\n- d",
    "a:   # comment\n  b\nc:\n", "a: >2\n    x\n  y\n",
    "a: |+\n  x\n\n\nb: 1", "a: - b", "a: [x y, 'z'] \nb: {}\n", "key: a\u{2028}  b\nnext: c",
  ])
  func `each construct is parsed as by the file reader`(_ text: String) {
    compare(Array(text.utf8), text)
  }

  @Test func `damaged files that the reader accepts are parsed the same`() throws {
    var random = SeededGenerator(seed: 7)
    let files = try ["kiosks", "suites"].flatMap {
      try examples(in: "deploy/examples/\($0)").map(bytes)
    }
    var count = 0
    for _ in 0..<1500 {
      guard let file = files.randomElement(using: &random) else { break }
      // Damage near the beginning of a file is more often relevant.
      let end = file.dropFirst(Int.random(in: 100..<600, using: &random)).firstIndex(of: 10)
      let part = Array(file[..<(end ?? file.count)]).mutated(using: &random)
      guard String(validating: part, as: UTF8.self) != nil else { continue }
      if compare(part, "part") { count += 1 }
    }
    #expect(count > 100)
  }

  @Test func `any bytes are parsed, with properly nested ranges`() throws {
    var random = SeededGenerator(seed: 8)
    let files = try ["kiosks", "suites"].flatMap {
      try examples(in: "deploy/examples/\($0)").map(bytes)
    }
    func check(_ node: SyntaxNode, _ range: Range<Int>) {
      #expect(range.lowerBound <= node.start && node.range.upperBound <= range.upperBound)
      #expect(node.start <= node.range.lowerBound)
      for item in node.items { check(item, node.range) }
      for pair in node.pairs {
        check(pair.key, pair.range)
        check(pair.value, pair.range)
        #expect(pair.range.upperBound <= node.range.upperBound)
      }
    }
    for _ in 0..<150 {
      let file = files.randomElement(using: &random)?.mutated(using: &random) ?? []
      let tree = SyntaxTree(SourceFile(file))
      check(tree.root, 0..<file.count)
      _ = tree.node()
    }
    for text in [
      "[[[[", String(repeating: "[", count: 100_000), String(repeating: "- ", count: 50_000),
    ] {
      _ = SyntaxTree(SourceFile(Array(text.utf8))).node()
    }
  }

  @Test(arguments: [
    // An incomplete key.
    ("kiosk: k\nsc\npages:\n  - page: a\n    controls: []\n", ["pages", "kiosk"]),
    // An unclosed quote.
    ("kiosk: \"k\nscreen: {size: [1, 2]}\npages: []\n", ["kiosk", "screen", "pages"]),
    // An unclosed bracket.
    ("kiosk: k\nscreen: {size: [1, 2\npages:\n  - page: a\n", ["screen", "pages"]),
    // One colon too many.
    ("kiosk: a: b\npages: []\n", ["kiosk", "pages"]),
    // A tab in the indentation.
    ("kiosk: k\nscreen:\n\tsize: [1, 2]\npages: []\n", ["kiosk", "screen", "pages"]),
  ])
  func `the rest of a broken file is parsed`(_ text: String, _ keys: [String]) {
    let tree = SyntaxTree(SourceFile(Array(text.utf8)))
    for key in keys { #expect(tree.root[key] != nil, "\(key) in \(tree.root)") }
    if keys.contains("screen") { #expect(tree.root["screen"]?.isMap == true) }
  }

  @Test func `a part ends at its last byte`() throws {
    func check(_ node: SyntaxNode, _ source: SourceFile) {
      if let end = source[node.range].unicodeScalars.last, node.style != .block {
        #expect(!end.properties.isWhitespace, "\(source[node.range].suffix(80).debugDescription)")
      }
      for item in node.items { check(item, source) }
      for pair in node.pairs {
        check(pair.key, source)
        check(pair.value, source)
      }
    }
    for path in try examples(in: "deploy") {
      let tree = SyntaxTree(SourceFile(try bytes(path)))
      check(tree.root, tree.source)
    }
  }

  @Test func `offsets and positions convert to each other`() {
    let text = "a: \"é😀x\"\r\nb: 1\nc"
    let file = SourceFile(Array(text.utf8))
    for offset in 0...file.bytes.count
    where offset == file.bytes.count || file.bytes[offset] & 0xc0 != 0x80 {
      let isBreak = offset > 0 && offset < file.bytes.count && file.bytes[offset - 1] == 13
      guard !isBreak else { continue }
      #expect(file.offset(of: file.mark(at: offset)) == offset)
      #expect(file.offset(of: file.position(at: offset)) == offset)
    }
    #expect(file.position(at: 10) == TextPosition(line: 0, column: 7))
    #expect(file.offset(of: TextPosition(line: 0, column: 6)) == 6, "the middle of a character")
    #expect(file.offset(of: TextPosition(line: 9, column: 6)) == file.bytes.count)
  }
}
