// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelJSON
internal import JSONRPC
package import LinuxIO
internal import Kiosk
package import KioskProtocol
internal import RoundelMotion
internal import RoundelRuntime

/// A kiosk file in the studio: the source, the live kiosk, its suites, a remote kiosk's panel, and
/// pages' requests.
package final class StudioSession {
  let pages: StudioPages
  private let source: StudioSource
  private let kiosk: StudioKiosk
  private let remote: RemoteKiosk?
  /// Whether pages show the remote panel.
  private var showsRemote = false

  /// A file with errors has no picture until they are fixed.
  package convenience init(_ path: String, on loop: EventLoop) throws(Failure) {
    let pages = StudioPages()
    self.init(pages, try StudioSource(path, for: pages, on: loop), nil, on: loop)
  }

  package convenience init(
    runningAt address: KioskAddress, file: String?, on loop: EventLoop
  ) throws(Failure) {
    let pages = StudioPages()
    let kiosk = try RemoteKiosk(at: address, on: loop)
    if let file, Self.name(of: file) != Self.name(of: kiosk.file) {
      throw Failure(
        .usage,
        "\(kiosk.host) shows \(kiosk.file), not \(Self.name(of: file)); omit \(Self.name(of: file)) to "
          + "edit the remote file")
    }
    let source = try RemoteSource(kiosk.file, on: kiosk.host, loop)
    kiosk.onReload = { [unowned source] in source.refresh() }
    self.init(
      pages, try StudioSource(file ?? source.copy, of: source, for: pages, on: loop), kiosk,
      on: loop)
  }

  private static func name(of path: String) -> Substring { path.split(separator: "/").last ?? "" }

  private init(
    _ pages: StudioPages, _ source: StudioSource, _ remote: RemoteKiosk?, on loop: EventLoop
  ) {
    self.pages = pages
    self.source = source
    self.remote = remote
    kiosk = StudioKiosk(for: pages, on: loop)
    showsRemote = remote != nil
    source.onContent = { [kiosk] in kiosk.show($0) }
    kiosk.onCanvas = { [source] in source.canvas = $0 }
    source.onChange = { [unowned self] in
      pages.notify(diagnosticsNotice)
      publishState()
    }
    source.onReview = { [unowned self] in pages.notify(diagnosticsNotice) }
    source.onFilesChange = { [unowned self] in pages.notify(suitesNotice) }
    if let remote { source.onSave = { [unowned remote] in remote.reload($0) } }
    kiosk.onEvent = { [unowned self] in
      if !showsRemote { pages.notify(EventNotice(event: $0)) }
    }
    remote?.onEvent = { [unowned self] in
      if showsRemote { pages.notify(EventNotice(event: $0)) }
    }
    remote?.onChange = { [unowned self] in if showsRemote { publishState() } }
    remote?.onProblem = { [unowned self] in pages.notify(hostNotice) }
    source.read()
  }

  // MARK: Picture

  func advance() -> Timestamp? {
    if let running { return running.advance() }
    kiosk.advance()
    return kiosk.nextChange
  }

  func picture(since old: SeenPicture?) -> (parts: [[UInt8]], seen: SeenPicture)? {
    if let running { return running.picture.parts(since: old) }
    return kiosk.picture(since: old)
  }

  private func show(remote isWanted: Bool) {
    showsRemote = isWanted && remote != nil
    pages.notify(hostNotice)
    pages.notify(diagnosticsNotice)
    publishState()
  }

  private var running: RemoteKiosk? { showsRemote ? remote : nil }

  // MARK: Notices

  func sendInitialState(_ page: ClientID) {
    pages.notify(source.fileNotice) { $0 == page }
    pages.notify(hostNotice) { $0 == page }
    pages.notify(diagnosticsNotice) { $0 == page }
    if let state { pages.notify(state) { $0 == page } }
    pages.notify(kiosk.recordingNotice) { $0 == page }
  }

  private var diagnosticsNotice: DiagnosticsNotice {
    DiagnosticsNotice(
      diagnostics: source.locatedDiagnostics, hasPicture: showsRemote || kiosk.stage != nil,
      revision: source.revision)
  }

  private var state: KioskState? { running?.state(besides: kiosk.engine) ?? kiosk.state }

  private func publishState() {
    if let state { pages.notify(state) }
  }

  private var hostNotice: HostNotice {
    HostNotice(host: remote?.host, isShown: showsRemote, problem: remote?.problem)
  }

  private var suitesNotice: SuitesNotice {
    SuitesNotice(suites: suites.paths, own: suites.ownPaths, areCopies: source.isCopy)
  }

  // MARK: Requests

  var methods: [ServedMethod] {
    typealias Methods = PageMethods
    return [
      served(Methods.edit) { [source] in try source.edit($0, $1) },
      served(Methods.save) { [source] in try source.save($0, $1) },
      served(Methods.put) { [source] in try source.put($0) },
      doing(Methods.unput) { [source] in source.unput($0.name) },
      doing(Methods.resolve) { [source] _ in source.acceptDisk() },
      doing(Methods.saveCopy) { [source] in try source.saveCopy($0.name) },
      served(Methods.copy) { [source] in try source.copy($0) },
      served(Methods.outline) { [source] _ in source.outline },
      served(Methods.locate) { [source] in source.locate($0) },
      served(Methods.completeKey) { [source] in source.completeKey($0) },
      served(Methods.complete) { [source] in source.complete($0) },
      served(Methods.hover) { [source] in source.hover($0) },
      served(Methods.select) { [source, kiosk] in source.select($0, on: kiosk) },
      changing(Methods.set) { [source, kiosk] in try source.set($0, on: kiosk) },
      changing(Methods.setAll) { [source, kiosk] in try source.setAll($0, on: kiosk) },
      changing(Methods.removeAll) { [source] in try source.removeAll($0) },
      changing(Methods.duplicateAll) { [source] in try source.duplicateAll($0) },
      changing(Methods.paste) { [source, kiosk] in try source.paste($0, on: kiosk) },
      changing(Methods.place) { [source] in try source.place($0) },
      changing(Methods.add) { [source, kiosk] in try source.add($0, to: kiosk) },
      changing(Methods.begin) { [source] in try source.begin($0) },
      changing(Methods.addPage) { [source, kiosk] in try source.addPage($0, to: kiosk) },
      changing(Methods.remove) { [source] in try source.remove($0) },
      changing(Methods.move) { [source] in try source.move($0) },
      changing(Methods.duplicate) { [source] in try source.duplicate($0) },
      changing(Methods.addItem) { [source] in try source.addItem($0) },
      changing(Methods.addAction) { [source] in try source.addAction($0) },
      changing(Methods.addReaction) { [source] in try source.addReaction($0) },
      changing(Methods.choose) { [source] in try source.choose($0) },
      doing(Methods.show) { [unowned self] in show(remote: $0.isRemote) },
      served(Methods.kiosk) { [unowned self] _ in KioskAnswer(state: state) },
      served(Methods.palette) { [kiosk] _ in kiosk.palette.answer },
      served(Methods.pages) { [kiosk] _ in kiosk.pagesAnswer },
      either(Methods.touch) {
        $0.touch($1, $2)
      } or: {
        $0.touch($1)
      },
      either(Methods.go) {
        $0.go(to: $1.text, $2)
      } or: {
        $0.go(to: $1.text)
      },
      either(Methods.value) {
        $0.setValue($1, $2)
      } or: {
        try $0.setValue($1)
      },
      either(Methods.restart) { kiosk, _, reply in
        kiosk.restart(reply)
      } or: { kiosk, _ in
        try kiosk.restart()
      },
      doing(Methods.panel) { [kiosk] in kiosk.changePanel($0) },
      doing(Methods.theme) { [kiosk] in kiosk.choose(theme: $0.text) },
      doing(Methods.speed) { [kiosk] in kiosk.setSpeed($0.speed) },
      doing(Methods.clock) { [kiosk] in try kiosk.setClock($0.text) },
      doing(Methods.record) { [unowned self] _ in
        show(remote: false)
        try kiosk.record()
      },
      doing(Methods.discard) { [kiosk] _ in kiosk.endRecording() },
      served(Methods.steps) { [kiosk] given, reply in
        kiosk.change(steps: given.text, from: reply.client)
        reply.give(Done())
      },
      served(Methods.seen) { [kiosk] _ in kiosk.seen },
      doing(Methods.expect) { [kiosk] in kiosk.expect($0.text) },
      doing(Methods.suites) { [unowned self] _ in pages.notify(suitesNotice) },
      served(Methods.run) { [unowned self] in try run($0) },
      served(Methods.keep) { [unowned self] in try keep($0) },
    ]
  }

  /// Answers immediately.
  private func served<Parameters, Answer>(
    _ method: Method<Parameters, Answer>, _ answer: @escaping (Parameters) throws -> Answer
  ) -> ServedMethod {
    served(method) { $1.give(try answer($0)) }
  }

  /// Answers at any time. Errors become refusals.
  private func served<Parameters, Answer>(
    _ method: Method<Parameters, Answer>,
    _ handle: @escaping (Parameters, Reply<Answer>) throws -> Void
  ) -> ServedMethod {
    ServedMethod(method) { given, reply in
      do {
        try handle(given, reply)
        return .later
      } catch {
        throw error as? RemoteError ?? RemoteError(.failed, "\(error)")
      }
    }
  }

  private func doing<Parameters>(
    _ method: Method<Parameters, Done>, _ perform: @escaping (Parameters) throws -> Void
  ) -> ServedMethod {
    served(method) {
      try perform($0)
      return Done()
    }
  }

  /// Returns no edits if the page has another revision.
  private func changing(
    _ method: Method<ChangeParameters, ChangeAnswer>,
    _ change: @escaping (ChangeParameters) throws -> ChangeAnswer
  ) -> ServedMethod {
    served(method) { [source] given in
      given.revision == source.revision
        ? try change(given) : ChangeAnswer(revision: source.revision)
    }
  }

  /// Handles the current kiosk, either local or remote.
  private func either<Parameters>(
    _ method: Method<Parameters, Done>,
    _ handle: @escaping (RemoteKiosk, Parameters, Reply<Done>) -> Void,
    or perform: @escaping (StudioKiosk, Parameters) throws -> Void
  ) -> ServedMethod {
    served(method) { [unowned self] given, reply in
      if let running { return handle(running, given, reply) }
      try perform(kiosk, given)
      reply.give(Done())
    }
  }

  // MARK: Suites

  private var suites: StudioSuites {
    StudioSuites(kiosk: source.path, checker: source.checker, service: source.service)
  }

  private func run(_ given: RunParameters) throws -> ResultsAnswer {
    guard kiosk.stage != nil else { throw RemoteError(.failed, StudioKiosk.lacking) }
    return try suites.run(given.path, on: source.content, accepting: given.accepted)
  }

  private func keep(_ given: KeepParameters) throws -> KeptAnswer {
    guard let screen = kiosk.engine?.screen else {
      throw RemoteError(.failed, StudioKiosk.lacking)
    }
    // Positions depend on the size, if there are several.
    let suite = try suites.keep(
      given.name, steps: given.steps, in: given.path,
      at: screen.sizes.isEmpty ? nil : source.canvas, of: source.content)
    kiosk.endRecording()
    pages.notify(suitesNotice)
    return KeptAnswer(path: suite, text: source.isCopy ? suites.text(of: suite) : nil)
  }
}
