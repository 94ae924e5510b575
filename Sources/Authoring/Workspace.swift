// SPDX-License-Identifier: MIT

internal import Declarations
internal import JSON
package import KioskFile
internal import Suites

/// A kind of file that authors write.
package enum FileKind: Hashable, Sendable {
  case kiosk, suite, recording
  /// A file that a kiosk includes.
  case part
}

/// A file and its tree.
package final class Document {
  package let path: String
  package let source: SourceFile
  package let kind: FileKind
  package private(set) lazy var tree = SyntaxTree(source)
  /// Each scalar by where it begins, keys included.
  private(set) lazy var scalars = findScalars()

  /// A file, whose first words tell its kind; if they do not, it has the kind that it had before.
  init(_ path: String, _ bytes: [UInt8], formerly: FileKind? = nil) {
    self.path = path
    source = SourceFile(bytes)
    let own = Self.kind(path, bytes)
    kind = own == .part ? formerly ?? own : own
  }

  private static func kind(_ path: String, _ bytes: [UInt8]) -> FileKind {
    if path.hasSuffix(".jsonl") { return .recording }
    // The key stands at the beginning of a line, or of a file in braces.
    func has(_ key: String) -> Bool {
      let lines = bytes.split { $0 == 10 || $0 == 13 }
      return lines.contains { line in
        let text = line.drop { $0 == 0xef || $0 == 0xbb || $0 == 0xbf }
        return text.starts(with: "\(key):".utf8)
          || text.drop { " {\"".utf8.contains($0) }.starts(with: "\(key)\"".utf8)
          || (text.first == UInt8(ascii: "{") && text.dropFirst().starts(with: "\(key):".utf8))
      }
    }
    if has("suite") { return .suite }
    return has("kiosk") ? .kiosk : .part
  }

  private func findScalars() -> [Int: SyntaxNode] {
    var found: [Int: SyntaxNode] = [:]
    func add(_ node: SyntaxNode) {
      switch node.content {
      case .scalar: found[node.start] = node
      case .list(let items, _): items.forEach(add)
      case .map(let pairs, _):
        for pair in pairs {
          add(pair.key)
          add(pair.value)
        }
      case .nothing, .alias: break
      }
    }
    add(tree.root)
    return found
  }
}

/// The files that an editor has open, with their unsaved changes, and those beside them.
package final class Workspace {
  /// The bytes of a file on the disk; nil where there is none.
  private let read: (String) -> [UInt8]?
  /// The files in a folder, by name.
  private let list: (String) -> [String]
  private var open: [String: Document] = [:]
  /// The files that were read from the disk, kept until the current question is answered.
  private var closed: [String: Document] = [:]
  private var drafts: [String: KioskDraft] = [:]
  /// The drafts before the last changes.
  private var oldDrafts: [String: KioskDraft] = [:]
  private var indexes: [String: NameIndex] = [:]
  private var owners: [String: String] = [:]

  package init(read: @escaping (String) -> [UInt8]?, list: @escaping (String) -> [String]) {
    self.read = read
    self.list = list
  }

  private var openPaths: [String] { open.keys.sorted() }

  package func isOpen(_ path: String) -> Bool { open[path] != nil }

  /// Takes a file's content from the editor from now on.
  package func put(_ bytes: [UInt8], at path: String) {
    forget(path)
    open[path] = Document(path, bytes, formerly: open[path]?.kind)
  }

  /// Takes a file's content from the disk again.
  package func close(_ path: String) {
    forget(path)
    open[path] = nil
  }

  /// Reads files again that may have changed on the disk.
  package func refresh() {
    closed = [:]
    oldDrafts.merge(drafts) { $1 }
    drafts = [:]
    indexes = [:]
    owners = [:]
  }

  private func forget(_ path: String) {
    let affected = drafts.filter { $0.key == path || $0.value.filePaths.contains(path) }.map(\.key)
    for kiosk in affected {
      oldDrafts[kiosk] = drafts.removeValue(forKey: kiosk)
      indexes[kiosk] = nil
    }
    // A file may have begun or ceased to include another.
    owners = [:]
    closed[path] = nil
  }

  package func document(_ path: String) -> Document? {
    if let known = open[path] ?? closed[path] { return known }
    guard let bytes = read(path) else { return nil }
    let document = Document(path, bytes)
    closed[path] = document
    return document
  }

  /// The bytes of a file as the editor has it, else as it is on the disk.
  package func bytes(_ path: String) -> [UInt8]? { document(path)?.source.bytes }

  /// A kiosk file, as far as it can be read; nil where there is no file.
  package func draft(_ path: String) -> KioskDraft? {
    if let known = drafts[path] { return known }
    guard let document = document(path) else { return nil }
    let draft = KioskDraft(
      document.source.bytes, path: path,
      compose: { [weak self] bytes, file, _, _, _, _ in
        // A file that the editor has is not read again.
        if file == 0, let node = self?.document(path)?.tree.node(file: file) { return node }
        return SyntaxTree(SourceFile(bytes)).node(file: file)
      },
      load: { [weak self] path, _ throws(Assembly.LoadError) in
        guard let bytes = self?.bytes(path) else { throw Assembly.LoadError("no such file") }
        return bytes
      })
    drafts[path] = draft
    oldDrafts[path] = nil
    return draft
  }

  /// The draft, perhaps from before the last changes: reading a long file at each typed letter would take too long.
  func lastDraft(_ path: String) -> KioskDraft? { drafts[path] ?? oldDrafts[path] ?? draft(path) }

  func index(_ kiosk: String) -> NameIndex? {
    if let known = indexes[kiosk] { return known }
    guard let draft = draft(kiosk) else { return nil }
    let index = NameIndex(draft, in: self)
    indexes[kiosk] = index
    return index
  }

  /// The kiosk that a file is about: itself, the one that a suite tests, or one that includes it.
  package func kiosk(of path: String) -> String? {
    guard let document = document(path) else { return nil }
    switch document.kind {
    case .kiosk: return path
    case .suite:
      return document.tree.root["kiosk"]?.text.map { Self.resolve($0, from: path) }
    case .part:
      if let known = owners[path] { return known }
      let candidates = open.values.filter { $0.kind == .kiosk }.map(\.path).sorted() + above(path)
      let owner = candidates.first { lastDraft($0)?.filePaths.contains(path) == true }
      owners[path] = owner
      return owner
    case .recording:
      let name = path.split(separator: "/").last.map(String.init) ?? ""
      let stem = name.dropLast(".jsonl".count)
      let near = Self.folder(path)
      return [near + "\(stem).yaml", near + "../kiosks/\(stem).yaml"].map(Self.normal)
        .first { self.document($0)?.kind == .kiosk }
    }
  }

  /// The kiosk files in the folder of a file, and in the two above it.
  private func above(_ path: String) -> [String] {
    var folder = Self.folder(path)
    var found: [String] = []
    for _ in 0..<3 {
      found += files(in: folder).filter { document($0)?.kind == .kiosk }
      let parts = folder.split(separator: "/")
      guard !parts.isEmpty else { break }
      folder = (folder.hasPrefix("/") ? "/" : "") + parts.dropLast().map { "\($0)/" }.joined()
    }
    return found
  }

  /// The files of YAML in a folder, few enough to look at.
  private func files(in folder: String) -> [String] {
    list(folder).filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }.sorted().prefix(200)
      .map { folder + $0 }
  }

  /// The suites that test a kiosk, beside it or in a folder of its own.
  package func suites(of kiosk: String) -> [String] {
    let folder = Self.folder(kiosk)
    let near = [
      folder, folder + "suites/", folder + "tests/", Self.normal(folder + "../suites/") + "/",
    ]
    let all = openPaths + near.flatMap { files(in: $0) }
    var seen: Set<String> = []
    return all.filter {
      seen.insert($0).inserted && document($0)?.kind == .suite && self.kiosk(of: $0) == kiosk
    }
  }

  /// The names of files that a key of a file may name, relative to it.
  func fileNames(near path: String, endings: [String]) -> [String] {
    let folder = Self.folder(path)
    var found: [String] = []
    func add(_ part: String, _ depth: Int) {
      for name in list(folder + part).sorted() where !name.hasPrefix(".") && found.count < 500 {
        if endings.contains(where: { name.lowercased().hasSuffix($0) }) {
          found.append(part + name)
        } else if depth < 2, !name.contains(".") {
          add("\(part)\(name)/", depth + 1)
        }
      }
    }
    add("", 0)
    return found
  }

  // MARK: Paths

  static func folder(_ path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  /// The path of a file that another one names.
  static func resolve(_ name: String, from path: String) -> String {
    normal(name.hasPrefix("/") ? name : folder(path) + name)
  }

  /// A path without `.` and `..`.
  package static func normal(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." {
        parts.removeLast()
      } else {
        parts.append(part)
      }
    }
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }
}
