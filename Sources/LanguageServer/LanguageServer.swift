// SPDX-License-Identifier: MIT

package import RoundelAuthoring
package import RoundelDeclarations
package import RoundelJSON

/// Answers requests in order, and checks files when idle.
///
/// Source: the protocol's specification, 3.17.
package final class LanguageServer {
  /// Includes included files' diagnostics and paths. `isThorough` also finds layout warnings.
  package typealias Check =
    (_ path: String, _ kind: FileKind, _ isThorough: Bool) -> (
      diagnostics: [Diagnostic], files: [String]
    )

  struct Refusal: Error {
    var code: Int
    var message: String

    static let notInitialized = Refusal(
      code: -32002, message: "the server is not initialized (expected \"initialize\" first)")
    static let cancelled = Refusal(code: -32800, message: "the request was cancelled")
    static func invalidRequest(_ message: String) -> Refusal {
      .init(code: -32600, message: message)
    }
    static func unknown(_ method: String) -> Refusal {
      .init(code: -32601, message: "there is no method \(method.quoted)")
    }
    static func invalidParameters(_ message: String) -> Refusal {
      .init(code: -32602, message: message)
    }
    static func failed(_ message: String) -> Refusal { .init(code: -32803, message: message) }
  }

  private enum State {
    case new, running, shutDown
  }

  private let version: String
  private let check: Check
  private let send: (JSONValue) -> Void
  let workspace: Workspace
  let service: LanguageService

  private var state = State.new
  private var waiting: [JSONValue] = []
  var files: [String: (uri: String, version: Int)] = [:]
  /// Files that have changed since the last check.
  private var unchecked: Set<String> = []
  private var halfChecked: Set<String> = []
  private var searching: Set<String> = []
  /// The shown diagnostics, by checked file and by path.
  private(set) var diagnostics: [String: [String: [Diagnostic]]] = [:]
  /// Features that only some editors support.
  private(set) var abilities = Abilities()

  struct Abilities {
    var nestsSymbols = false
    var hasMarkdown = false
    var hasVersions = false
  }

  /// The status set by the client's `exit` notification: 0 after `shutdown`, otherwise 1.
  package private(set) var exitCode: Int32?

  package init(
    version: String, workspace: Workspace, check: @escaping Check,
    send: @escaping (JSONValue) -> Void
  ) {
    self.version = version
    self.workspace = workspace
    self.check = check
    self.send = send
    service = LanguageService(workspace)
  }

  // MARK: Messages

  package func take(_ frame: FrameReader.Frame) {
    switch frame {
    case .tooLong(let count):
      refuse(.null, .invalidRequest("a message of \(count) bytes is too long"))
    case .content(let bytes):
      guard let message = try? JSONValue(parsing: bytes, maximumValues: 2_000_000) else {
        refuse(.null, Refusal(code: -32700, message: "invalid JSON"))
        return
      }
      if message["method"]?.string == "$/cancelRequest", let id = message["params"]?["id"],
        let place = waiting.firstIndex(where: { $0["id"] == id && $0["method"] != nil })
      {
        waiting.remove(at: place)
        refuse(id, .cancelled)
        return
      }
      waiting.append(message)
    }
  }

  package var isBusy: Bool { !waiting.isEmpty }

  /// Whether files need a quick check. A thorough one follows after a pause without messages.
  package var needsCheck: Bool { !unchecked.isEmpty }
  package var needsThoroughCheck: Bool { !halfChecked.isEmpty }
  /// Whether `checkNext` can continue a search without a pause.
  package var isSearching: Bool { !searching.isEmpty }

  package func step() {
    guard !waiting.isEmpty else { return }
    let message = waiting.removeFirst()
    guard case .object = message, let method = message["method"]?.string else {
      // This server only sends notifications.
      if message["result"] == nil, message["error"] == nil {
        refuse(message["id"] ?? .null, .invalidRequest("the message has no method"))
      }
      return
    }
    let parameters = message["params"] ?? [:]
    guard let id = message["id"] else {
      notify(method, parameters)
      return
    }
    do throws(Refusal) {
      let result = try answer(method, parameters)
      send(["jsonrpc": "2.0", "id": id, "result": result])
    } catch {
      refuse(id, error)
    }
  }

  private func refuse(_ id: JSONValue, _ refusal: Refusal) {
    send([
      "jsonrpc": "2.0", "id": id,
      "error": [
        "code": .number(Double(refusal.code)), "message": .string(refusal.message),
      ],
    ])
  }

  private func notify(_ method: String, _ parameters: JSONValue) {
    if method == "exit" {
      exitCode = state == .shutDown ? 0 : 1
      return
    }
    guard state == .running else { return }
    switch method {
    case "textDocument/didOpen": open(parameters)
    case "textDocument/didChange": change(parameters)
    case "textDocument/didClose": close(parameters)
    case "textDocument/didSave", "workspace/didChangeWatchedFiles":
      workspace.refresh()
      unchecked.formUnion(files.keys)
    default: break
    }
  }

  private func answer(_ method: String, _ parameters: JSONValue) throws(Refusal) -> JSONValue {
    if method == "initialize" {
      guard state == .new else { throw .invalidRequest("the server is already initialized") }
      state = .running
      learn(parameters["capabilities"])
      return initialization
    }
    guard state != .new else { throw .notInitialized }
    guard state == .running else { throw .invalidRequest("the server is shut down") }
    if method == "shutdown" {
      state = .shutDown
      return .null
    }
    guard let answer = Self.methods[method] else { throw .unknown(method) }
    return try answer(self)(parameters)
  }

  private func learn(_ capabilities: JSONValue?) {
    let text = capabilities?["textDocument"]
    abilities.nestsSymbols =
      text?["documentSymbol"]?["hierarchicalDocumentSymbolSupport"]?.bool ?? false
    abilities.hasMarkdown =
      text?["hover"]?["contentFormat"].map { format in
        if case .array(let all) = format { all.contains("markdown") } else { false }
      } ?? false
    abilities.hasVersions = text?["publishDiagnostics"]?["versionSupport"]?.bool ?? false
  }

  private var initialization: JSONValue {
    [
      "capabilities": [
        "positionEncoding": "utf-16",
        "textDocumentSync": ["openClose": true, "change": 2, "save": true],
        "completionProvider": [
          "triggerCharacters": ["{", ".", "$", "/", " ", "\"", "'", "`"]
        ],
        "hoverProvider": true, "definitionProvider": true, "referencesProvider": true,
        "documentHighlightProvider": true, "documentSymbolProvider": true,
        "renameProvider": ["prepareProvider": true], "foldingRangeProvider": true,
        "selectionRangeProvider": true, "colorProvider": true,
        "codeActionProvider": ["codeActionKinds": ["quickfix"]],
        "documentFormattingProvider": true,
      ],
      "serverInfo": ["name": "roundel", "version": .string(version)],
    ]
  }

  // MARK: Files

  private func open(_ parameters: JSONValue) {
    guard let file = parameters["textDocument"], let uri = file["uri"]?.string,
      let text = file["text"]?.string
    else { return }
    let path = FileURI.path(of: uri)
    files[path] = (uri, file["version"]?.integer ?? 0)
    workspace.put(Array(text.utf8), at: path)
    unchecked.insert(path)
  }

  private func change(_ parameters: JSONValue) {
    guard let file = parameters["textDocument"], let uri = file["uri"]?.string,
      case .array(let changes)? = parameters["contentChanges"]
    else { return }
    let path = FileURI.path(of: uri)
    guard files[path] != nil, let document = workspace.document(path) else { return }
    var source = document.source
    for change in changes {
      guard let text = change["text"]?.string else { continue }
      if let range = change["range"].flatMap({ TextSpan($0) }) {
        source.replace(range.offsets(in: source), with: text)
      } else {
        source = SourceFile(Array(text.utf8))
      }
    }
    files[path]?.version = file["version"]?.integer ?? 0
    workspace.put(source.bytes, at: path)
    unchecked.insert(path)
  }

  private func close(_ parameters: JSONValue) {
    guard let uri = parameters["textDocument"]?["uri"]?.string else { return }
    let path = FileURI.path(of: uri)
    files[path] = nil
    workspace.close(path)
    unchecked.remove(path)
    halfChecked.remove(path)
    searching.remove(path)
    if diagnostics[path] != nil { show([:], by: path) }
    // The closed kiosk's check may have covered open parts.
    unchecked.formUnion(files.keys)
  }

  // MARK: Errors

  package func checkNext(isThorough: Bool) {
    guard let changed = isThorough ? halfChecked.min() : unchecked.min() ?? searching.min() else {
      return
    }
    searching.remove(changed)
    if isThorough { halfChecked.remove(changed) } else { unchecked.remove(changed) }
    guard files[changed] != nil, let document = workspace.document(changed) else { return }
    guard document.kind != .part else {
      // A part's diagnostics are found by checking its kiosk.
      if let owner = workspace.kiosk(of: changed) {
        look(at: owner, .kiosk, isThorough, for: changed)
      } else if workspace.isSearching(for: changed) {
        searching.insert(changed)
        return
      } else {
        show([changed: []], by: changed, for: changed)
      }
      if !isThorough { halfChecked.insert(changed) }
      return
    }
    look(at: changed, document.kind, isThorough, for: changed)
    if isThorough, let kiosk = workspace.kiosk(of: changed) { _ = workspace.draft(kiosk) }
    guard !isThorough, document.kind == .kiosk else { return }
    halfChecked.insert(changed)
    // Suites use names of the kiosk.
    for other in files.keys
    where workspace.document(other)?.kind == .suite && workspace.kiosk(of: other) == changed {
      unchecked.insert(other)
    }
  }

  private func look(
    at path: String, _ kind: FileKind, _ isThorough: Bool, for changed: String
  ) {
    let found = check(path, kind, isThorough)
    var all = Dictionary(grouping: found.diagnostics) { Workspace.normal($0.file) }
    for file in found.files.map(Workspace.normal) + [path] where all[file] == nil { all[file] = [] }
    show(all, by: path, for: changed)
  }

  /// Always publishes the file that has `changed`, because its version is new.
  private func show(
    _ found: [String: [Diagnostic]], by checked: String, for changed: String? = nil
  ) {
    let before = diagnostics[checked] ?? [:]
    diagnostics[checked] = found.isEmpty ? nil : found
    for path in Set(before.keys).union(found.keys).sorted()
    where before[path] != found[path] || path == changed { publish(path) }
  }

  func allDiagnostics(in path: String) -> [Diagnostic] {
    var seen: Set<Diagnostic> = []
    return diagnostics.keys.sorted().flatMap { diagnostics[$0]?[path] ?? [] }
      .filter { seen.insert($0).inserted }
  }

  private func publish(_ path: String) {
    let all = allDiagnostics(in: path).map { lspDiagnostic($0, in: path) }
    var members: [JSONValue.Member] = [
      .init("uri", .string(uri(of: path))), .init("diagnostics", .array(all)),
    ]
    if let file = files[path], abilities.hasVersions {
      members.append(.init("version", .number(Double(file.version))))
    }
    send([
      "jsonrpc": "2.0", "method": "textDocument/publishDiagnostics", "params": .object(members),
    ])
  }

  func uri(of path: String) -> String { files[path]?.uri ?? FileURI.uri(of: path) }

  func lspDiagnostic(_ diagnostic: Diagnostic, in path: String) -> JSONValue {
    [
      "range": service.span(of: diagnostic, in: path).json,
      "severity": diagnostic.severity == .error ? 1 : 2, "source": "roundel",
      "message": .string(diagnostic.message),
    ]
  }
}

extension LanguageService {
  func span(of diagnostic: Diagnostic, in path: String) -> TextSpan {
    guard let document = workspace.document(path) else {
      let place = TextPosition(line: diagnostic.line - 1, column: diagnostic.column - 1)
      return TextSpan(start: place, end: place)
    }
    return TextSpan(place(of: diagnostic, in: document), in: document.source)
  }
}
