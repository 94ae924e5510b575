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
  /// Whether the file may include other files.
  private(set) lazy var mayInclude = mentions("include")

  /// A file, whose first words tell its kind; if they do not, it has the kind that it had before.
  init(_ path: String, _ bytes: [UInt8], formerly: FileKind? = nil) {
    self.path = path
    source = SourceFile(bytes)
    let own = Self.kind(path, bytes)
    kind = own == .part ? formerly ?? own : own
  }

  private static func kind(_ path: String, _ bytes: [UInt8]) -> FileKind {
    if path.hasSuffix(".jsonl") { return .recording }
    var kind = FileKind.part
    var start = 0
    // One pass, since a folder may have hundreds of large files.
    while start < bytes.count {
      if firstBytes.contains(bytes[start]) {
        let line = bytes[start...]
        if begins(line, with: suiteKey) { return .suite }
        if begins(line, with: kioskKey) { kind = .kiosk }
      }
      while start < bytes.count, bytes[start] != 10, bytes[start] != 13 { start += 1 }
      start += 1
    }
    return kind
  }

  private static let firstBytes = Array("sk {\"\u{feff}".utf8)
  private static let suiteKey = Array("suite".utf8)
  private static let kioskKey = Array("kiosk".utf8)

  /// Whether a line begins with a key, perhaps after the file's opening brace.
  private static func begins(_ line: ArraySlice<UInt8>, with key: [UInt8]) -> Bool {
    func stands(_ text: ArraySlice<UInt8>, before end: Character) -> Bool {
      text.starts(with: key) && text.dropFirst(key.count).first == end.asciiValue
    }
    let text = line.drop { $0 == 0xef || $0 == 0xbb || $0 == 0xbf }
    return stands(text, before: ":")
      || stands(text.drop { " {\"".utf8.contains($0) }, before: "\"")
      || text.first == UInt8(ascii: "{") && stands(text.dropFirst(), before: ":")
  }

  /// Returns whether the file contains a word.
  func mentions(_ word: some StringProtocol) -> Bool { source.bytes.contains(word.utf8) }

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
  /// The kinds of files that were read only to learn them.
  private var kinds: [String: FileKind] = [:]
  /// The kiosks that include parts, by the parts' paths.
  private var owners: [String: String] = [:]
  private var searches: [String: OwnerSearch] = [:]
  /// The work so far: the bytes of all drafts, and a sixteenth of the bytes of all files.
  private var work = 0

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
    kinds = [:]
    searches = [:]
  }

  private func forget(_ path: String) {
    let affected = drafts.filter { $0.key == path || $0.value.filePaths.contains(path) }.map(\.key)
    for kiosk in affected {
      oldDrafts[kiosk] = drafts.removeValue(forKey: kiosk)
      indexes[kiosk] = nil
    }
    // A file may have begun or ceased to include another.
    if !affected.isEmpty { searches = [:] }
    closed[path] = nil
    kinds[path] = nil
  }

  package func document(_ path: String) -> Document? {
    if let known = open[path] ?? closed[path] { return known }
    guard let document = readDocument(path) else { return nil }
    closed[path] = document
    return document
  }

  /// The kind of a file. Foreign files do not stay in memory.
  private func kind(of path: String) -> FileKind? {
    if let known = (open[path] ?? closed[path])?.kind ?? kinds[path] { return known }
    guard let document = readDocument(path) else { return nil }
    kinds[path] = document.kind
    if document.kind != .part { closed[path] = document }
    return document.kind
  }

  private func readDocument(_ path: String) -> Document? {
    guard let bytes = read(path) else { return nil }
    work += bytes.count / 16
    return Document(path, bytes)
  }

  /// The bytes of a file as the editor has it, else as it is on the disk.
  package func bytes(_ path: String) -> [UInt8]? { document(path)?.source.bytes }

  /// A kiosk file, as far as it can be read; nil where there is no file.
  package func draft(_ path: String) -> KioskDraft? {
    if let known = drafts[path] { return known }
    guard let document = document(path) else { return nil }
    work += document.source.bytes.count
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
    case .part: return owner(of: path)
    case .recording:
      let name = path.split(separator: "/").last.map(String.init) ?? ""
      let stem = name.dropLast(".jsonl".count)
      let near = Self.folder(path)
      return [near + "\(stem).yaml", near + "../kiosks/\(stem).yaml"].map(Self.normal)
        .first { self.document($0)?.kind == .kiosk }
    }
  }

  // MARK: Owners

  /// The search for the kiosk that includes a part: in the part's folder, and in the two above it.
  private struct OwnerSearch {
    /// The remaining folders and files, the next one last.
    var folders: [String]
    var files: [String] = []

    var isDone: Bool { folders.isEmpty && files.isEmpty }
  }

  /// The work of a slice of a search: about 20 ms.
  private static let sliceWork = 1 << 16

  /// Whether the search for a part's kiosk continues. Each call of `kiosk(of:)` looks at some more files, so that no
  /// request waits for hundreds of them.
  package func isSearching(for part: String) -> Bool { searches[part]?.isDone == false }

  private func owner(of part: String) -> String? {
    let kiosks = open.values.filter { $0.kind == .kiosk }.map(\.path).sorted()
    owners[part] = (kiosks + [owners[part]].compactMap(\.self)).first { includes($0, part) }
    if owners[part] == nil { search(for: part) }
    return owners[part]
  }

  /// Does a slice of a search.
  private func search(for part: String) {
    var search = searches[part] ?? OwnerSearch(folders: Self.folders(above: part).reversed())
    let end = work + Self.sliceWork
    while owners[part] == nil, work < end, !search.isDone {
      guard let file = search.files.popLast() else {
        search.files = search.folders.popLast().map { files(in: $0).reversed() } ?? []
        continue
      }
      // A draft takes a hundred times as long as the search for a word.
      if kind(of: file) == .kiosk, document(file)?.mayInclude == true, includes(file, part) {
        owners[part] = file
      }
    }
    searches[part] = search
  }

  private func includes(_ kiosk: String, _ part: String) -> Bool {
    lastDraft(kiosk)?.filePaths.contains(part) == true
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
    let name = kiosk.dropFirst(folder.utf8.count)
    return all.filter {
      // Only suites that mention the file's name are parsed.
      seen.insert($0).inserted && kind(of: $0) == .suite && document($0)?.mentions(name) == true
        && self.kiosk(of: $0) == kiosk
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

  /// The folder of a file, and the two above it.
  private static func folders(above path: String) -> [String] {
    var folders = [folder(path)]
    while folders.count < 3 {
      let last = folders[folders.count - 1]
      let parts = last.split(separator: "/")
      guard !parts.isEmpty else { break }
      folders.append(
        (last.hasPrefix("/") ? "/" : "") + parts.dropLast().map { "\($0)/" }.joined())
    }
    return folders
  }

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
