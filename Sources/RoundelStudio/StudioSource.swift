// SPDX-License-Identifier: MIT

internal import RoundelAuthoring
internal import RoundelDeclarations
internal import RoundelGeometry
internal import RoundelJSON
internal import JSONRPC
internal import KioskFile
internal import KioskHost
internal import LanguageServer
internal import LinuxIO
internal import RoundelMotion
internal import RoundelRuntime

/// A kiosk file in the studio: its current text and its diagnostics.
///
/// Pages also hold the text, and send each edit. For changes in the picture, the program sends
/// edits to a page, which applies and returns them, so that its undo includes them.
final class StudioSource {
  /// Called after each valid change.
  var onContent: (Content) -> Void = { _ in }
  /// Called when the diagnostics of changed text are known.
  var onChange: () -> Void = {}
  var onFilesChange: () -> Void = {}
  var onSave: (_ reply: Reply<SaveAnswer>) -> Void = { $0.give(SaveAnswer()) }
  var onReview: () -> Void = {}

  let path: String
  /// The unrotated canvas, which selects one of the kiosk's sizes, or nil for the first.
  var canvas: PixelSize? { didSet { if canvas != oldValue { read() } } }
  /// The remote kiosk's file that this file represents or replaces.
  let remote: RemoteSource?
  let checker = FileChecker()
  let service: LanguageService
  private let pages: StudioPages
  private let loop: EventLoop
  private var saved: [UInt8]
  /// Whether the text was valid since it was opened.
  private var wasValid = false
  private var isDeleted = false
  /// The digests of the files written by `put`, by name.
  private var added: [String: String] = [:]
  private var watch: FileWatch?
  /// Incremented with each change.
  private(set) var revision = 0
  private var diagnostics: [Diagnostic] = []
  private var review: EventLoop.Token?

  /// Seconds between the last change and the review.
  private static let pause = 0.4

  init(
    _ path: String, of remote: RemoteSource? = nil, for pages: StudioPages, on loop: EventLoop
  ) throws(Failure) {
    self.path = path
    self.remote = remote
    self.pages = pages
    self.loop = loop
    saved = try Files.read(path, .kiosk)
    service = LanguageService(checker.workspace)
    checker.workspace.put(saved, at: path)
    if let remote, remote.bytes != saved { remote.requireConfirmation() }
    watch = try? FileWatch([path], on: loop) { [unowned self] in changedOnDisk() }
    remote?.onChange = { [unowned self] in changedThere(from: $0) }
    // The copied files may not have existed before.
    remote?.onFilesChange = { [unowned self] in
      if isCopy { self.remote?.allowOverwritingFiles() }
      read(afresh: true)
      onChange()
    }
  }

  var bytes: [UInt8] { checker.workspace.bytes(path) ?? saved }
  var isCopy: Bool { path == remote?.copy }
  private var isSaved: Bool {
    bytes == saved && !isDeleted && remote.map { $0.bytes == bytes && !hasOthers } ?? true
  }
  /// Whether attached files differ from their remote versions.
  private var hasOthers = false
  private var source: SourceFile { checker.workspace.document(path)?.source ?? SourceFile(saved) }

  /// With `afresh`, also reads all attached files.
  func read(afresh: Bool = false) {
    let reading = checker.read(path, bytes, isThorough: afresh, canvas: canvas)
    diagnostics = reading.kiosk.diagnostics
    if let content = Self.content(of: reading) {
      wasValid = true
      onContent(content)
    } else if !wasValid, let content = repairedContent {
      onContent(content)
    }
    review = loop.schedule(at: loop.now + Self.pause) { [unowned self] in
      let kiosk = checker.read(
        path, bytes, isThorough: true, leavingAssets: true, canvas: canvas
      ).kiosk
      diagnostics = kiosk.diagnostics
      watch?.watch(kiosk.files(of: path) + checker.workspace.suites(of: path))
      let wasSaved = isSaved
      hasOthers = remote.map { !$0.others(of: attachedFiles(of: kiosk)).isEmpty } ?? false
      if isSaved != wasSaved { pages.notify(savedNotice) }
      onReview()
    }
  }

  /// The content of a file that was never valid, as if its errors were fixed.
  private var repairedContent: Content? {
    let first = bytes
    defer { checker.workspace.put(first, at: path) }
    for _ in 0..<Self.maximumRepairs {
      let reading = checker.read(path, bytes, isThorough: false, canvas: canvas)
      if let content = Self.content(of: reading) { return content }
      let errors = reading.kiosk.diagnostics.filter { $0.severity == .error && $0.file == path }
      // A misspelt key is also reported as a missing one.
      let misspelt = errors.filter { $0.message.contains("did you mean") }
      let edits = (misspelt.isEmpty ? errors : misspelt).compactMap {
        service.repairs(of: $0, in: path).first?.edits
      }.joined().sorted { $0.range.lowerBound < $1.range.lowerBound }
      guard !edits.isEmpty,
        zip(edits, edits.dropFirst()).allSatisfy({ $0.range.upperBound <= $1.range.lowerBound })
      else { return nil }
      checker.workspace.put(source.applying(edits).bytes, at: path)
    }
    return nil
  }

  private static let maximumRepairs = 3

  /// Uses the first size if `canvas` is nil. Returns nil if the text has errors.
  func content(on canvas: PixelSize?) -> Content? {
    Self.content(of: checker.read(path, bytes, isThorough: false, canvas: canvas))
  }

  private static func content(of reading: (kiosk: ParsedKiosk, assets: Assets)) -> Content? {
    reading.kiosk.description.map {
      Content(
        $0, fonts: reading.assets.fonts, images: reading.assets.images,
        sounds: reading.assets.sounds)
    }
  }

  // MARK: Messages

  var fileNotice: FileNotice {
    FileNotice(
      path: name(of: path), text: String(decoding: bytes, as: UTF8.self), revision: revision,
      isSaved: isSaved)
  }

  private var savedNotice: SavedNotice { SavedNotice(isSaved: isSaved, isDeleted: isDeleted) }

  var locatedDiagnostics: [DiagnosticsNotice.LocatedDiagnostic] {
    diagnostics.map { diagnostic in
      let isOwn = Workspace.normal(diagnostic.file) == Workspace.normal(path)
      let document = isOwn ? checker.workspace.document(path) : nil
      let range = document.map { service.place(of: diagnostic, in: $0) }
      return .init(
        severity: diagnostic.severity.rawValue, message: diagnostic.message,
        file: isOwn ? nil : name(of: diagnostic.file), line: diagnostic.line,
        from: range.map { source.position(at: $0.lowerBound) },
        to: range.map { source.position(at: $0.upperBound) },
        fixes: isOwn
          ? service.repairs(of: diagnostic, in: path).map {
            .init(title: $0.title, edits: changes($0.edits))
          } : [])
    }
  }

  func name(of file: String) -> String {
    guard let remote, let original = remote.original(of: file) else { return file }
    return "\(remote.host):\(original)"
  }

  func changes(_ edits: [TextEdit]) -> [TextChange] {
    edits.map {
      TextChange(
        from: source.position(at: $0.range.lowerBound),
        to: source.position(at: $0.range.upperBound), text: $0.text)
    }
  }

  func position(at offset: Int) -> TextPosition { source.position(at: offset) }

  // MARK: Changes

  func edit(_ given: EditParameters, _ reply: Reply<EditAnswer>) throws {
    guard given.revision == revision else {
      // Another page changed the text first. This page has the new text, and sends its changes
      // again.
      return reply.give(EditAnswer())
    }
    var new = source
    let lineBreak = new.lineBreakText
    for change in given.changes {
      let start = new.offset(of: change.from)
      let own = change.text.split(separator: "\n", omittingEmptySubsequences: false)
        .joined(separator: lineBreak)
      new.replace(start..<max(start, new.offset(of: change.to)), with: own)
    }
    guard new.bytes.count <= Files.Kind.kiosk.maximumBytes else {
      throw RemoteError(.failed, "the file would be larger than 4 MiB")
    }
    revision += 1
    checker.workspace.put(new.bytes, at: path)
    reply.give(EditAnswer(revision: revision, isSaved: isSaved))
    pages.notify(fileNotice) { $0 != reply.client }
    read()
    onChange()
  }

  func save(_ given: SaveParameters, _ reply: Reply<SaveAnswer>) throws {
    let bytes = bytes
    let onDisk = try? Files.read(path, .init("the kiosk file", maximumBytes: 64 << 20))
    if !given.isForced, onDisk != saved {
      return reply.give(
        SaveAnswer(
          conflict: .init(
            text: onDisk == nil
              ? "The file was deleted on the disk." : "The file was changed on the disk.",
            theirs: onDisk.map { String(decoding: $0, as: UTF8.self) })))
    }
    if onDisk != bytes {
      try BundleFolder.refuse(path)
      try Files.write(bytes, to: path)
    }
    saved = bytes
    isDeleted = false
    pages.notify(ConflictNotice()) { $0 != reply.client }
    checker.workspace.refresh()
    let others =
      remote?.others(of: attachedFiles(of: checker.read(path, bytes, isThorough: true).kiosk)) ?? []
    guard let remote, remote.bytes != bytes || !others.isEmpty else {
      pages.notify(savedNotice)
      return reply.give(SaveAnswer())
    }
    guard others.reduce(bytes.count, { $0 + $1.bytes.count }) <= Self.maximumSaved else {
      throw RemoteError(
        .failed, "the files missing on \(remote.host) exceed 64 MiB")
    }
    remote.save(bytes, with: others, isForced: given.isForced) { [unowned self] outcome in
      switch outcome {
      case .saved:
        hasOthers = false
        if isSaved { pages.notify(savedNotice) }
        onSave(reply)
      case .conflict:
        let names = others.map { " or \($0.name)" }.joined()
        reply.give(
          SaveAnswer(
            conflict: .init(
              text: "\(remote.path)\(names) was changed on \(remote.host).",
              theirs: String(decoding: remote.bytes, as: UTF8.self))))
      case .refused(let reason):
        reply.refuse(RemoteError(.failed, "cannot save on \(remote.host): \(reason)"))
      }
    }
  }

  private static let maximumSaved = 64 << 20

  private var folder: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./" }

  /// The attached files, which saving also writes to another machine.
  private func attachedFiles(of kiosk: ParsedKiosk) -> [AttachedFile] {
    guard let top = try? Files.realPath(folder) else { return [] }
    // An overlay belongs to its machine.
    let left = [path, Assets.overlay(of: path)].map(Workspace.normal)
    return Set(kiosk.files(of: path)).sorted().compactMap { file in
      guard !left.contains(Workspace.normal(file)),
        let real = try? Files.realPath(file), real.hasPrefix(top == "/" ? top : top + "/"),
        let bytes = try? Files.read(real, .image)
      else { return nil }
      let place = Files.absolutePath(file)
      let own = Files.absolutePath(folder) + "/"
      return place.hasPrefix(own)
        ? AttachedFile(name: String(place.dropFirst(own.count)), bytes: bytes) : nil
    }
  }

  func put(_ file: PutParameters) throws -> Done {
    guard !file.name.contains("/"), AttachedFile.isPossible(file.name) else {
      throw RemoteError(
        .failed, "\(file.name) is not an image, sound, font or kiosk file")
    }
    guard !Folder.hasEntry(folder + file.name) else {
      throw RemoteError(.failed, "\(file.name) already exists in the kiosk's folder")
    }
    // All users who can read the kiosk file can read the new file.
    try Files.write(file.bytes, to: folder + file.name, access: .like(path))
    added[file.name] = SHA256.text(of: file.bytes)
    readFolder()
    return Done()
  }

  private func readFolder() {
    checker.workspace.refresh()
    read(afresh: true)
    onChange()
  }

  /// Removes an added file unless another program has changed it.
  func unput(_ name: String) {
    guard let digest = added.removeValue(forKey: name),
      let bytes = try? Files.read(folder + name, .image), SHA256.text(of: bytes) == digest
    else { return }
    Files.remove(folder + name)
    readFolder()
  }

  func saveCopy(_ name: String) throws {
    guard !name.contains("/"), AttachedFile.isPossible(name),
      name.hasSuffix(".yaml") || name.hasSuffix(".yml")
    else {
      throw RemoteError(.failed, "\(name) is not the name of a kiosk file, such as copy.yaml")
    }
    guard !Folder.hasEntry(folder + name) else {
      throw RemoteError(
        .failed, "\(name) already exists in the kiosk's folder; choose another name")
    }
    try Files.write(bytes, to: folder + name, access: .like(path))
  }

  /// A page then replaces the text with the disk's version, or saves it.
  func acceptDisk() {
    if let onDisk = try? Files.read(path, .kiosk) { saved = onDisk }
    remote?.allowOverwriting()
    pages.notify(ConflictNotice())
    pages.notify(savedNotice)
  }

  private func changedThere(from old: [UInt8]) {
    guard let remote else { return }
    guard bytes == old || bytes == remote.bytes else {
      return pages.notify(
        ConflictNotice(
          text: "\(remote.path) was changed both on \(remote.host) and here.",
          theirs: String(decoding: remote.bytes, as: UTF8.self)))
    }
    remote.allowOverwriting()
    if isCopy {
      try? Files.write(remote.bytes, to: path, isDurable: false)
      saved = remote.bytes
    }
    take(remote.bytes)
  }

  private func take(_ new: [UInt8]) {
    revision += 1
    checker.workspace.put(new, at: path)
    read()
    pages.notify(fileNotice)
    onChange()
  }

  /// Adopts another program's change of any file.
  private func changedOnDisk() {
    checker.workspace.refresh()
    let onDisk = try? Files.read(path, .kiosk)
    let wasDeleted = isDeleted
    isDeleted = !Folder.hasEntry(path)
    guard let onDisk, onDisk != saved else {
      read(afresh: true)
      onChange()
      if isDeleted != wasDeleted { pages.notify(savedNotice) }
      return onFilesChange()
    }
    guard bytes == saved || bytes == onDisk else {
      return pages.notify(
        ConflictNotice(
          text: "The file was changed both on the disk and here.",
          theirs: String(decoding: onDisk, as: UTF8.self)))
    }
    saved = onDisk
    take(onDisk)
  }

  // MARK: Help

  func complete(_ given: PlaceParameters) -> CompletionsAnswer {
    let found = service.completions(path, at: source.offset(of: given.place))
    return CompletionsAnswer(
      from: source.position(at: found.range.lowerBound),
      to: source.position(at: found.range.upperBound),
      items: found.items.prefix(300).map {
        .init(label: $0.label, text: $0.text, detail: $0.detail, about: $0.documentation)
      })
  }

  func hover(_ given: PlaceParameters) -> HoverAnswer {
    HoverAnswer(text: service.hover(path, at: source.offset(of: given.place))?.text)
  }
}
