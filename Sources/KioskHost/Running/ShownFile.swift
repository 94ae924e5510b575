// SPDX-License-Identifier: MIT

internal import RoundelBackends
internal import RoundelGeometry
internal import Kiosk
internal import KioskFile
internal import KioskService
internal import LinuxIO
internal import Logging
internal import RoundelMotion
internal import RoundelPresentation
internal import RoundelRaster
internal import RoundelRuntime
internal import SystemPackage

/// The last valid version of a running kiosk's file, or a fallback.
final class ShownFile {
  let path: String
  private let source: KioskSource
  private let cycle: FrameCycle
  private let backend: any Backend
  private let machine: Machine
  private let reader: Worker
  private let fallback: StartupFallback?
  private(set) var fault: Fault?
  private(set) var identity: FileIdentity?
  private(set) var reloadError: String?
  private var files: [String]
  private var watch: FileWatch?
  private var requests = ReadingRequests()
  private var search: WarningSearch?
  private let searchTime: Timestamp
  /// The canvas of the file's last selected size.
  private var canvas: PixelSize
  var onReplacement: () -> Void = {}
  var onSearched: () -> Void = {}

  /// Seconds that the search for warnings waits for a still picture.
  private static let restTime = 10.0
  /// Seconds between updates of the addresses.
  private static let pageInterval = 10.0

  init(
    _ start: Start, in cycle: FrameCycle, on backend: any Backend, _ machine: Machine,
    _ reader: Worker
  ) throws(Errno) {
    path = start.path
    source = start.source
    self.cycle = cycle
    self.backend = backend
    self.machine = machine
    self.reader = reader
    fallback = start.fallback
    canvas = backend.display.canvasSize
    fault = start.initialContent.fault
    files = start.initialContent.files
    identity = start.initialContent.identity
    search = start.initialContent.search
    searchTime = machine.loop.now + Self.restTime
    watch = try FileWatch(watched(files), on: machine.loop) { [unowned self] in reload(by: .time) }
    if let fault {
      machine.outputs.log.error("\(fault.message)")
      cycle.reportFailure(fault.message, by: .time)
    }
    refreshPage()
    markAsStable()
  }

  /// Includes the machine's override file, which may be created later.
  private func watched(_ files: [String]) -> [String] {
    let overlay = Assets.overlay(of: path)
    return files.contains(overlay) ? files : files + [overlay]
  }

  // MARK: Reading

  /// Reads the file with its fonts and images while the kiosk runs.
  func reload(by cause: Cause, whenDone: @escaping ReadingRequests.Handler = { _ in }) {
    if requests.add(by: cause, whenDone) { read() }
  }

  /// Reloads if another of the file's sizes fits a new canvas better.
  func layOut() {
    let canvas = backend.display.canvasSize
    guard canvas != self.canvas else { return }
    self.canvas = canvas
    let screen = cycle.content.description.screen
    if screen.size(on: canvas) != screen.size { reload(by: .time) }
  }

  private func read() {
    let canvas = backend.display.canvasSize
    reader.run { [path, source] in
      KioskReading(path, canvas: canvas, source: source).reviewed()
    } whenDone: { [unowned self] reading in
      let problem = replace(by: reading, cause: requests.cause)
      var (handlers, beginsAnother) = requests.end()
      if beginsAnother {
        // After a fallback, the next process reads the file.
        if fault != nil, problem == nil { handlers += requests.end().handlers } else { read() }
      }
      for handler in handlers { handler(problem) }
    }
  }

  private func replace(by reading: KioskReading, cause: Cause) -> String? {
    machine.outputs.report(reading.diagnostics)
    do throws(Failure) {
      let content = try reading.content.get()
      if fault == nil {
        show(content, from: reading.files, by: cause)
        identity = reading.identity
      } else {
        endFallback()
      }
      return nil
    } catch {
      return keep(error, reading, by: cause)
    }
  }

  private func show(_ content: Content, from files: [String], by cause: Cause) {
    let content = content.running(in: machine)
    search = nil
    reloadError = nil
    self.files = files
    watch?.watch(watched(files))
    // Keep a commanded rotation until the file changes its own.
    let rotation = content.description.screen.rotation
    if rotation != cycle.content.description.screen.rotation {
      backend.display.turn(by: backend.fixedRotation ?? rotation)
    }
    backend.display.depth = content.depth(backend.fixedDepth)
    cycle.replace(with: content, by: cause)
    onReplacement()
    markAsStable()
    machine.outputs.log.info("\(path) was reloaded")
  }

  /// Ends the process, so that the next shows the file with persistent values, which a fallback
  /// lacks.
  private func endFallback() {
    fallback?.forgetEnds()
    machine.outputs.log.info("\(path) has no errors any more; restarting to show it")
    machine.loop.stop()
  }

  /// Returns the error message.
  private func keep(_ error: Failure, _ reading: KioskReading, by cause: Cause) -> String {
    // The file may be fixed.
    let wasRead = Set(reading.files)
    watch?.watch(watched(reading.files + files.filter { !wasRead.contains($0) }))
    if fault?.page != nil { showPage(of: Fault(of: path, error, reading.reasons)) }
    let problem = "cannot reload \(path); the running kiosk stays. \(error.message)"
    machine.outputs.log.error("\(problem)")
    let message = ([problem] + reading.reasons).joined(separator: "\n")
    reloadError = message
    cycle.reportFailure(message, by: cause)
    return message
  }

  func turn() {
    guard let search, cycle.isStill || machine.loop.now >= searchTime else { return }
    if search.proceed() {
      machine.loop.wakeUp()
    } else {
      machine.outputs.report(search.end())
      self.search = nil
      onSearched()
    }
  }

  // MARK: Fallbacks

  /// Saves a copy after `StartupFallback.stabilityTime`.
  private func markAsStable() {
    guard let fallback else { return }
    let shown = cycle.content.fonts
    machine.loop.perform(at: machine.loop.now + StartupFallback.stabilityTime) { [weak self] in
      guard let self, cycle.content.fonts === shown else { return }
      fallback.recordSuccessfulStart()
      // After an edit with errors, the shown version isn't on disk.
      guard fault == nil, reloadError == nil, let copy = fallback.copy else { return }
      reader.run { [files] in
        Result { () throws(Failure) in try copy.save(files) }
      } whenDone: { [log = machine.outputs.log] result in
        if case .failure(let failure) = result {
          log.warning("cannot save a working copy of \(copy.file): \(failure.message)")
        }
      }
    }
  }

  /// Updates the error page after changes of the panel or the addresses.
  func layOutPage() {
    if let fault, fault.page != nil { showPage(of: fault) }
  }

  private func refreshPage() {
    guard fault?.page != nil else { return }
    layOutPage()
    machine.loop.perform(at: machine.loop.now + Self.pageInterval) { [weak self] in
      self?.refreshPage()
    }
  }

  private func showPage(of fault: Fault) {
    let initialContent = InitialContent(
      page: fault, path, files, on: backend.display.canvasSize,
      languages: self.fault?.page?.languages ?? [])
    guard initialContent.fault?.page != self.fault?.page,
      let content = try? initialContent.content.get()
    else {
      return
    }
    self.fault = initialContent.fault
    identity = nil
    cycle.replace(with: content, by: .time)
  }

  func recordEnd() { fallback?.forgetEnds() }
}
