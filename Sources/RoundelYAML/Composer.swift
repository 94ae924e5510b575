// SPDX-License-Identifier: MIT

package import RoundelDeclarations

/// Builds a tree from a file's events.
package struct Composer: ~Copyable {
  /// The maximum number of `%TAG` and `%YAML` directives. libyaml compares each with all others.
  static let maximumDirectives = 16

  private var stream: EventStream
  private var anchors: [String: Node] = [:]
  private var depth = 0
  private var weight = 0
  private var textBytes = 0
  private let kind: String
  private let example: String
  private let limit: TimeLimit
  private let report: (_ what: String, _ mark: Mark) -> Void

  private init(
    _ stream: consuming EventStream, kind: String, example: String, limit: TimeLimit,
    report: @escaping (String, Mark) -> Void
  ) {
    self.stream = stream
    self.kind = kind
    self.example = example
    self.limit = limit
    self.report = report
  }

  /// Returns nil if errors leave nothing. `kind` and `example` are as in `Assembly.Compose`.
  package static func compose(
    _ text: [UInt8], file: Int = 0, kind: String, example: String, limit: TimeLimit = .none,
    report: @escaping (String, Mark) -> Void
  ) -> Node? {
    let start = Mark.start.inFile(file)
    guard text.count <= Assembly.maximumFileBytes else {
      report("the file is larger than \(Assembly.maximumFileBytes >> 20) MiB", start)
      return nil
    }
    if let place = text.startOfLine(maximumDirectives, beginningWith: UInt8(ascii: "%")) {
      report(
        "more than \(maximumDirectives) lines begin with % (expected none: tags are not supported)",
        Mark(after: text[..<place]).inFile(file))
      return nil
    }
    guard let stream = EventStream(text, file: file) else {
      report("not enough memory to read the file", start)
      return nil
    }
    var composer = Composer(stream, kind: kind, example: example, limit: limit, report: report)
    do throws(EventStream.SyntaxError) {
      return try composer.document()
    } catch {
      report(error.what, error.mark.inFile(file))
      return nil
    }
  }

  private mutating func document() throws(EventStream.SyntaxError) -> Node? {
    let (first, begin) = try stream.next()
    guard case .documentStart = first else {
      report(
        "the file is empty (expected a \(kind), such as \(example))",
        Mark.start.inFile(begin.file))
      return nil
    }
    let (event, mark) = try stream.next()
    let root = try node(event, mark)
    let (next, place) = try stream.next()
    if case .documentStart = next {
      report("a second YAML document begins here (expected one \(kind) per file)", place)
    }
    return root
  }

  private mutating func node(
    _ event: EventStream.Event, _ mark: Mark
  ) throws(EventStream.SyntaxError) -> Node {
    weight += 1
    guard !limit.isExceeded else { throw .init(what: limit.message, mark: mark) }
    guard weight <= Assembly.maximumNodes else {
      throw .init(what: "the file contains more than \(Assembly.maximumNodes) values", mark: mark)
    }
    switch event {
    case .scalar(let text, let isPlain, let tag, let anchor):
      check(tag, mark)
      if text.isEmpty, isPlain, let anchor {
        report(
          "the anchor \("&\(anchor)".quoted) has no value (expected a value, or quotes around a string that begins with &)",
          mark)
        return .unknown(at: mark)
      }
      guard text.utf8.count <= Assembly.maximumTextBytes else {
        throw .init(
          what: "a string is longer than \(Assembly.maximumTextBytes >> 10) KiB", mark: mark)
      }
      textBytes += text.utf8.count
      if text.utf8.contains(0) {
        report("\(text.quoted) contains a zero byte (expected a string)", mark)
      }
      return keep(Node(.scalar(text, isPlain: isPlain && tag != Self.stringTag), at: mark), anchor)
    case .listStart(let tag, let anchor):
      check(tag, mark)
      return keep(Node(.list(try list(mark)), at: mark), anchor)
    case .mapStart(let tag, let anchor):
      check(tag, mark)
      return keep(Node(.map(try map(mark)), at: mark), anchor)
    case .alias(let name):
      return try alias(name, mark)
    case .documentStart, .listEnd, .mapEnd, .end:
      throw .init(what: "a value is missing", mark: mark)
    }
  }

  private mutating func list(_ mark: Mark) throws(EventStream.SyntaxError) -> [Node] {
    try descend(0, mark)
    defer { depth -= 1 }
    var items: [Node] = []
    while true {
      let (event, place) = try stream.next()
      if case .listEnd = event { return items }
      items.append(try node(event, place))
    }
  }

  private mutating func map(_ mark: Mark) throws(EventStream.SyntaxError) -> [Node.Pair] {
    try descend(0, mark)
    defer { depth -= 1 }
    var pairs: [Node.Pair] = []
    var places: [String: Mark] = [:]
    while true {
      let (event, place) = try stream.next()
      if case .mapEnd = event { return pairs }
      let key = try node(event, place)
      let (valueEvent, valuePlace) = try stream.next()
      var value = try node(valueEvent, valuePlace)
      if value.kind == .nothing, let color = stream.commentedColor {
        report(color.what, color.mark)
        value = .unknown(at: valuePlace)
      }
      guard case .scalar(let name, _) = key.content else {
        report("a key is \(key.summary) (expected a string)", place)
        continue
      }
      if name == "<<", case .scalar(_, isPlain: true) = key.content {
        report(
          "\"<<\" is not supported (expected the keys, or \"include\" and the file that contains them)",
          place)
        continue
      }
      if let first = places[name] {
        report("duplicate key \(name.quoted) (first on line \(first.line))", place)
        continue
      }
      places[name] = place
      pairs.append(Node.Pair(key: name, keyMark: place, value: value))
    }
  }

  /// Shares the node, but counts it again, because a few lines could represent billions of values.
  private mutating func alias(_ name: String, _ mark: Mark) throws(EventStream.SyntaxError) -> Node
  {
    guard let node = anchors[name] else {
      throw .init(
        what:
          "there is no anchor \("&\(name)".quoted) before this alias (expected an anchor, or quotes around a string that begins with *)",
        mark: mark)
    }
    try descend(node.height - 1, mark)
    depth -= 1
    weight += node.weight - 1
    textBytes += node.textBytes
    guard textBytes <= Assembly.maximumFileBytes else {
      throw .init(
        what:
          "with its aliases expanded, the file is larger than \(Assembly.maximumFileBytes >> 20) MiB",
        mark: mark)
    }
    guard weight <= Assembly.maximumNodes else {
      throw .init(
        what:
          "with its aliases expanded, the file contains more than \(Assembly.maximumNodes) values",
        mark: mark)
    }
    return node
  }

  private mutating func descend(
    _ height: Int, _ mark: Mark
  ) throws(EventStream.SyntaxError) {
    depth += 1
    guard depth + height <= Assembly.maximumDepth else {
      throw .init(what: "values are nested deeper than \(Assembly.maximumDepth) levels", mark: mark)
    }
  }

  private mutating func keep(_ node: Node, _ anchor: String?) -> Node {
    if let anchor { anchors[anchor] = node }
    return node
  }

  private static let knownTags = Set(
    ["str", "int", "float", "bool", "null", "seq", "map"].map { "tag:yaml.org,2002:\($0)" })
  private static let stringTag = "tag:yaml.org,2002:str"

  private func check(_ tag: String?, _ mark: Mark) {
    guard let tag, tag != "!", !Self.knownTags.contains(tag) else { return }
    report(
      "unknown tag \(tag.quoted) (expected no tag; a string that begins with ! needs quotes)",
      mark)
  }
}

extension [UInt8] {
  /// The start of line `count`, from 0, among the lines with `byte` at the start, or nil.
  fileprivate func startOfLine(_ count: Int, beginningWith byte: UInt8) -> Int? {
    var found = 0
    var isLineStart = true
    for index in indices {
      if isLineStart, self[index] == byte {
        if found == count { return index }
        found += 1
      }
      isLineStart = self[index] == UInt8(ascii: "\n") || self[index] == UInt8(ascii: "\r")
    }
    return nil
  }
}
