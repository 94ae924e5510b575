// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelJSON
package import KioskFile
internal import RoundelSuites

package enum FileKind: Hashable, Sendable {
  case kiosk, suite, recording
  /// A file that a kiosk includes.
  case part
}

package final class Document {
  package let path: String
  package let source: SourceFile
  package let kind: FileKind
  package private(set) lazy var tree = SyntaxTree(source)
  /// Scalars by their start, including keys.
  private(set) lazy var scalars = findScalars()
  private(set) lazy var mayInclude = mentions("include")

  /// The content or a name such as `lunch.roundel.yaml` determines the kind, otherwise `formerly`.
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
    // A single scan, because a folder may have hundreds of large files.
    while start < bytes.count {
      if firstBytes.contains(bytes[start]) {
        let line = bytes[start...]
        if begins(line, with: suiteKey) { return .suite }
        if begins(line, with: kioskKey) { kind = .kiosk }
      }
      while start < bytes.count, bytes[start] != 10, bytes[start] != 13 { start += 1 }
      start += 1
    }
    return kind == .part && KioskFileName(path).isMarked ? .kiosk : kind
  }

  private static let firstBytes = Array("sk {\"\u{feff}".utf8)
  private static let suiteKey = Array("suite".utf8)
  private static let kioskKey = Array("kiosk".utf8)

  /// Skips the file's opening brace.
  private static func begins(_ line: ArraySlice<UInt8>, with key: [UInt8]) -> Bool {
    func stands(_ text: ArraySlice<UInt8>, before end: Character) -> Bool {
      text.starts(with: key) && text.dropFirst(key.count).first == end.asciiValue
    }
    let text = line.drop { $0 == 0xef || $0 == 0xbb || $0 == 0xbf }
    return stands(text, before: ":")
      || stands(text.drop { " {\"".utf8.contains($0) }, before: "\"")
      || text.first == UInt8(ascii: "{") && stands(text.dropFirst(), before: ":")
  }

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

/// The files in an editor, with unsaved changes, and the files next to them.
package final class Workspace {
  /// Returns nil if the file doesn't exist.
  private let read: (String) -> [UInt8]?
  private let list: (String) -> [String]
  private var open: [String: Document] = [:]
  /// The files read from disk until `refresh`.
  private var closed: [String: Document] = [:]
  private var drafts: [String: KioskDraft] = [:]
  private var oldDrafts: [String: KioskDraft] = [:]
  private var indexes: [String: NameIndex] = [:]
  /// The kinds of unrelated files.
  private var kinds: [String: FileKind] = [:]
  /// The kiosks that include parts, by the parts' paths.
  private var owners: [String: String] = [:]
  private var searches: [String: OwnerSearch] = [:]
  /// The bytes of all drafts, and a sixteenth of the bytes of all files.
  private var work = 0

  package init(read: @escaping (String) -> [UInt8]?, list: @escaping (String) -> [String]) {
    self.read = read
    self.list = list
  }

  private var openPaths: [String] { open.keys.sorted() }

  package func isOpen(_ path: String) -> Bool { open[path] != nil }

  package func put(_ bytes: [UInt8], at path: String) {
    forget(path)
    open[path] = Document(path, bytes, formerly: open[path]?.kind)
  }

  package func close(_ path: String) {
    forget(path)
    open[path] = nil
  }

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
    // The set of included files may have changed.
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

  /// Returns the kind without keeping unrelated files in memory.
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

  package func bytes(_ path: String) -> [UInt8]? { document(path)?.source.bytes }

  package func draft(_ path: String) -> KioskDraft? {
    if let known = drafts[path] { return known }
    guard let document = document(path) else { return nil }
    work += document.source.bytes.count
    let draft = KioskDraft(
      document.source.bytes, path: path,
      compose: { [weak self] bytes, file, _, _, _, _ in
        // A file in the editor isn't parsed again.
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

  /// May be older than the last changes, because parsing a long file per keystroke is slow.
  func lastDraft(_ path: String) -> KioskDraft? { drafts[path] ?? oldDrafts[path] ?? draft(path) }

  func index(_ kiosk: String) -> NameIndex? {
    if let known = indexes[kiosk] { return known }
    guard let draft = draft(kiosk) else { return nil }
    let index = NameIndex(draft, in: self)
    indexes[kiosk] = index
    return index
  }

  /// The file itself, the kiosk that a suite tests or a recording is named after, or a kiosk that
  /// includes the file.
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
      return [near, near + "../kiosks/"].flatMap { folder in
        [".yaml", ".roundel.yaml"].map { Self.normal("\(folder)\(stem)\($0)") }
      }.first { self.document($0)?.kind == .kiosk }
    }
  }

  // MARK: Owners

  /// Searches for a part's kiosk in its folder and two parent folders.
  private struct OwnerSearch {
    /// The remaining folders and files, in reverse order.
    var folders: [String]
    var files: [String] = []

    var isDone: Bool { folders.isEmpty && files.isEmpty }
  }

  /// Work of about 20 ms.
  private static let sliceWork = 1 << 16

  /// Each call of `kiosk(of:)` examines more files, so that no request waits for hundreds.
  package func isSearching(for part: String) -> Bool { searches[part]?.isDone == false }

  private func owner(of part: String) -> String? {
    let kiosks = open.values.filter { $0.kind == .kiosk }.map(\.path).sorted()
    owners[part] = (kiosks + [owners[part]].compactMap(\.self)).first { includes($0, part) }
    if owners[part] == nil { search(for: part) }
    return owners[part]
  }

  private func search(for part: String) {
    var search = searches[part] ?? OwnerSearch(folders: Self.folders(above: part).reversed())
    let end = work + Self.sliceWork
    while owners[part] == nil, work < end, !search.isDone {
      guard let file = search.files.popLast() else {
        search.files = search.folders.popLast().map { files(in: $0).reversed() } ?? []
        continue
      }
      // A draft takes a hundred times as long as a search for a word.
      if kind(of: file) == .kiosk, document(file)?.mayInclude == true, includes(file, part) {
        owners[part] = file
      }
    }
    searches[part] = search
  }

  private func includes(_ kiosk: String, _ part: String) -> Bool {
    lastDraft(kiosk)?.filePaths.contains(part) == true
  }

  private func files(in folder: String) -> [String] {
    list(folder).filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }.sorted().prefix(200)
      .map { folder + $0 }
  }

  /// Searches the kiosk's folder and the usual folders for suites.
  package func suites(of kiosk: String) -> [String] {
    let folder = Self.folder(kiosk)
    let near = [
      folder, folder + "suites/", folder + "tests/", Self.normal(folder + "../suites/") + "/",
    ]
    let all = openPaths + near.flatMap { files(in: $0) }
    var seen: Set<String> = []
    let name = kiosk.dropFirst(folder.utf8.count)
    return all.filter {
      // Parse only suites that mention the file's name.
      seen.insert($0).inserted && kind(of: $0) == .suite && document($0)?.mentions(name) == true
        && self.kiosk(of: $0) == kiosk
    }
  }

  /// Returns names relative to the file.
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

  static func resolve(_ name: String, from path: String) -> String {
    normal(name.hasPrefix("/") ? name : folder(path) + name)
  }

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
