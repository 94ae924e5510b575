// SPDX-License-Identifier: MIT

internal import RoundelExpressions

/// Assembles a file's tree by `for` and `include`. The result has the limits of a single file.
package final class Assembly {
  /// The maximum size in bytes. Larger files are accidents or attacks.
  package static let maximumFileBytes = 4 << 20
  package static let maximumNodes = 250_000
  package static let maximumDepth = 100
  /// The maximum size of one string. A page of a book has about three thousand bytes.
  package static let maximumTextBytes = 64 << 10

  /// An error that prevents including a file, such as `no such file`.
  package struct LoadError: Error {
    let reason: String

    package init(_ reason: String) { self.reason = reason }
  }

  /// Returns the bytes of the file at a path, which must be inside the folder.
  package typealias Load = (_ path: String, _ folder: String) throws(LoadError) -> [UInt8]

  /// Returns nil if nothing is left after errors. Reports name the `kind`, such as `kiosk`, and
  /// show an `example`'s beginning.
  package typealias Compose = (
    _ text: [UInt8], _ file: Int, _ kind: String, _ example: String, _ limit: TimeLimit,
    _ report: @escaping (String, Mark) -> Void
  ) -> Node?

  /// No kiosk needs as many files.
  static let maximumFiles = 256
  static let maximumIncludeDepth = 16

  private var reader: Reader
  private let kind: String
  private let example: String
  private let expressionKeys: Set<String>
  private let composeText: Compose
  private let load: Load
  /// The main file's folder with a final slash, or an empty string for the current folder.
  private let folder: String

  /// The files being included, the outermost first.
  private var open: [String]
  private var known: [String: Node] = [:]
  private var fileBytes = 0
  private var weight = 0
  private var textBytes = 0
  /// The location of the innermost `for` or `include`.
  private var cause = Mark.start

  /// Whether all files were found and each `for` was valid, so that no names are missing.
  package private(set) var isComplete = true

  /// The scalars of `expressionKeys` are expressions without braces.
  package init(
    _ reader: Reader, kind: String, example: String, expressionKeys: Set<String>,
    compose: @escaping Compose, load: @escaping Load
  ) {
    self.reader = reader
    self.kind = kind
    self.example = example
    self.expressionKeys = expressionKeys
    composeText = compose
    self.load = load
    folder = reader.file.lastIndex(of: "/").map { String(reader.file[...$0]) } ?? ""
    open = [reader.file]
  }

  /// A file and its overlay before assembly.
  package struct Tree {
    fileprivate var root: Node
    fileprivate var over: Node?
    fileprivate var ready: [Node.Pair] = []
  }

  /// Returns nil if nothing is left after errors.
  package func parsed(_ text: [UInt8], under overlay: Overlay? = nil) -> Tree? {
    fileBytes = text.count
    guard let root = compose(text, file: 0, kind: kind, example: example) else { return nil }
    return Tree(root: root, over: overlay.flatMap(tree(of:)))
  }

  /// Assembles a key's value before all others. Nil without the key.
  package func value(of key: String, outOf tree: inout Tree) -> Node? {
    let own = tree.root.take(key)
    let over = tree.over?.take(key)
    guard var pair = own ?? over else { return nil }
    pair.value = assembled(pair.value, nil, depth: 1)
    if own != nil, let over {
      pair.value = pair.value.covered(by: assembled(over.value, nil, depth: 1))
    }
    tree.ready.append(pair)
    return pair.value
  }

  package func assembled(_ tree: Tree, by reader: Reader) -> Node {
    self.reader = reader
    var whole = assembled(tree.root, nil, depth: 0)
    guard whole.kind == .map, !whole.isUnknown else { return whole }
    if let over = tree.over { whole = whole.covered(by: assembled(over, nil, depth: 0)) }
    return tree.ready.isEmpty ? whole : Node(.map(whole.pairs + tree.ready), at: whole.mark)
  }

  /// Returns the unassembled tree of an overlay, or nil after reporting errors.
  private func tree(of overlay: Overlay) -> Node? {
    let file = reader.add(file: overlay.path)
    reader.set(text: overlay.text, ofFile: file)
    fileBytes += overlay.text.count
    let example = overlay.keys.first.map { "\"\($0): …\"" } ?? ""
    guard
      let root = compose(overlay.text, file: file, kind: "overlay of a \(kind)", example: example)
    else { return nil }
    guard root.kind == .map else {
      reader.reportType(root, expected: "a map with \(overlay.keys.alternatives)")
      return nil
    }
    let others = root.pairs.filter { !overlay.keys.contains($0.key) }
    for pair in others {
      reader.report(
        "an overlay has no \(pair.key.quoted)", at: pair.keyMark,
        expected: overlay.keys.alternatives,
        suggestion: overlay.keys.nearest(to: pair.key, by: reader))
    }
    return others.isEmpty ? root : nil
  }

  private func compose(_ text: [UInt8], file: Int, kind: String, example: String) -> Node? {
    let reader = reader
    return composeText(text, file, kind, example, reader.log.limit) { reader.report($0, at: $1) }
  }

  // MARK: Nodes

  /// The node has `depth` ancestors.
  private func assembled(
    _ node: Node, _ parameters: LoopParameters?, depth: Int, isExpression: Bool = false
  ) -> Node {
    guard node.hasDirective || (node.hasDollar && parameters != nil) else {
      return take(node, depth) ? node : .unknown(at: node.mark)
    }
    guard reader.hasTime(at: node.mark) else { return .unknown(at: node.mark) }
    switch node.content {
    case .scalar:
      guard let parameters else { return node }
      let filled = parameters.scalar(node, isExpression: isExpression, reader)
      return take(filled, depth) ? filled : .unknown(at: node.mark)
    case .list(let items):
      guard take(1, 0, depth, at: node.mark) else { return .unknown(at: node.mark) }
      let whole = items.flatMap { assembled(item: $0, parameters, depth: depth + 1) }
      return Node(.list(whole), at: node.mark)
    case .map(let pairs):
      if let file = node.includedFile { return included(file, in: node, parameters, depth: depth) }
      guard take(1, 0, depth, at: node.mark) else { return .unknown(at: node.mark) }
      let whole = pairs.map { pair in
        let key = parameters?.key(pair, reader) ?? pair.key
        return Node.Pair(
          key: take(0, key.utf8.count, depth, at: pair.keyMark) ? key : "", keyMark: pair.keyMark,
          value: assembled(
            pair.value, parameters, depth: depth + 1,
            isExpression: expressionKeys.contains(pair.key)))
      }
      return Node(.map(whole), at: node.mark)
    }
  }

  /// Returns the repetitions of a list item, or an included file's items.
  private func assembled(item: Node, _ parameters: LoopParameters?, depth: Int) -> [Node] {
    guard item.hasDirective, case .map(let pairs) = item.content else {
      return [assembled(item, parameters, depth: depth)]
    }
    guard let cases = item[Node.Directive.repeat.rawValue] else {
      return once(item, parameters, depth: depth)
    }
    let outer = cause
    cause = cases.mark
    defer { cause = outer }
    let name = item[Node.Directive.name.rawValue]
    let all = LoopParameters.cases(assembled(cases, parameters, depth: depth + 1), as: name, reader)
    guard let all else {
      isComplete = false
      return [.unknown(at: item.mark)]
    }
    let directives = [Node.Directive.repeat, .name].map(\.rawValue)
    let repeated = Node(.map(pairs.filter { !directives.contains($0.key) }), at: item.mark)
    return all.flatMap { own in
      guard reader.hasTime(at: item.mark) else { return [] as [Node] }
      return once(repeated, own.within(parameters, notation: .templates), depth: depth)
    }
  }

  /// A list item without `for`, or one repetition. An included list's items join the surrounding
  /// list. A false `if` leaves none.
  private func once(_ item: Node, _ parameters: LoopParameters?, depth: Int) -> [Node] {
    var item = item
    if let written = item[Node.Directive.condition.rawValue] {
      let node = assembled(written, parameters, depth: depth + 1, isExpression: true)
      guard let isWanted = reader.constantCondition(node) else {
        isComplete = false
        return [.unknown(at: item.mark)]
      }
      guard isWanted else { return [] }
      item = Node(
        .map(item.pairs.filter { $0.key != Node.Directive.condition.rawValue }), at: item.mark)
    }
    let node = assembled(item, parameters, depth: depth)
    guard item.includedFile != nil, case .list(let items) = node.content else { return [node] }
    return items
  }

  // MARK: Files

  private func included(
    _ name: Node, in node: Node, _ parameters: LoopParameters?, depth: Int
  ) -> Node {
    let outer = cause
    cause = name.mark
    defer { cause = outer }
    let name = parameters?.scalar(name, isExpression: false, reader) ?? name
    guard !name.isUnknown, let path = path(name), let root = root(of: path, called: name) else {
      isComplete = false
      return .unknown(at: node.mark)
    }
    open.append(path)
    defer { open.removeLast() }
    return assembled(root, parameters, depth: depth)
  }

  private func path(_ name: Node) -> String? {
    let expected = "the name of a file in the folder of \(reader.file.quoted), or below"
    guard let text = name.text, !text.isEmpty, !text.utf8.contains(0) else {
      reader.report(
        "\"include\" is not a file name: \(name.summary)", at: name.mark, expected: expected)
      return nil
    }
    let includer = reader.path(of: name.mark).dropFirst(folder.count)
    var parts = Array(includer.split(separator: "/").dropLast())
    var isInside = !text.hasPrefix("/")
    for part in text.split(separator: "/") where part != "." {
      if part != ".." {
        parts.append(part)
      } else if parts.popLast() == nil {
        isInside = false
      }
    }
    guard isInside, !parts.isEmpty else {
      reader.report(
        "\(text.quoted) is outside the kiosk's folder", at: name.mark, expected: expected)
      return nil
    }
    return folder + parts.joined(separator: "/")
  }

  /// Reads each file once.
  private func root(of path: String, called name: Node) -> Node? {
    if let first = open.firstIndex(of: path) {
      let chain = open[(first + 1)...].map { String($0.dropFirst(folder.count)).quoted }
      let by = chain.isEmpty ? "" : " through \(chain.joined(separator: ", then "))"
      reader.report(
        "\(String(path.dropFirst(folder.count)).quoted) includes itself\(by)", at: name.mark,
        expected: "no cycle")
      return nil
    }
    guard open.count <= Self.maximumIncludeDepth else {
      reader.report(
        "files are included more than \(Self.maximumIncludeDepth) levels deep", at: name.mark)
      return nil
    }
    if let node = known[path] { return node.isUnknown ? nil : node }
    guard known.count < Self.maximumFiles else {
      reader.stop("more than \(Self.maximumFiles) files are included", at: name.mark)
      return nil
    }
    known[path] = .unknown(at: name.mark)
    let file = reader.add(file: path)
    let text: [UInt8]
    do throws(LoadError) {
      text = try load(path, folder)
    } catch {
      reader.report(
        "cannot include \((name.text ?? "").quoted): \(error.reason)", at: name.mark,
        expected: "a YAML file, relative to this one")
      return nil
    }
    reader.set(text: text, ofFile: file)
    fileBytes += text.count
    guard fileBytes <= Self.maximumFileBytes else {
      reader.stop(
        "with its included files, the file is larger than \(Self.maximumFileBytes >> 20) MiB",
        at: name.mark)
      return nil
    }
    let example = "\"label: hello\" or \"- label: hello\""
    guard let root = compose(text, file: file, kind: "part of a \(kind)", example: example) else {
      return nil
    }
    guard root.kind == .map || root.kind == .list else {
      reader.reportType(root, expected: "a map or a list")
      return nil
    }
    known[path] = root
    return root
  }

  // MARK: Limits

  private func take(_ node: Node, _ depth: Int) -> Bool {
    take(node.weight, node.textBytes, depth + node.height - 1, at: node.mark)
  }

  /// Returns false if a limit is exceeded.
  private func take(_ nodes: Int, _ bytes: Int, _ depth: Int, at mark: Mark) -> Bool {
    weight += nodes
    textBytes += bytes
    let (files, maximumBytes) = ("with included and repeated parts,", Self.maximumFileBytes)
    if depth >= Self.maximumDepth {
      reader.stop("values are nested deeper than \(Self.maximumDepth) levels", at: mark)
    } else if weight > Self.maximumNodes {
      reader.stop(
        "\(files) the file contains more than \(Self.maximumNodes) values", at: cause)
    } else if textBytes > maximumBytes {
      reader.stop("\(files) the file is larger than \(maximumBytes >> 20) MiB", at: cause)
    }
    return reader.hasTime(at: mark)
  }
}

extension Node {
  /// Removes the first pair with a key from a map.
  fileprivate mutating func take(_ key: String) -> Pair? {
    var rest = pairs
    guard let place = rest.firstIndex(where: { $0.key == key }) else { return nil }
    let pair = rest.remove(at: place)
    self = Node(.map(rest), at: mark)
    return pair
  }

  /// The value of `include`, if it is the map's only key.
  fileprivate var includedFile: Node? {
    guard case .map(let pairs) = content, pairs.count == 1,
      pairs[0].key == Node.Directive.include.rawValue
    else { return nil }
    return pairs[0].value
  }
}
