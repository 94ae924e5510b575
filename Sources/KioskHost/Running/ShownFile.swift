// SPDX-License-Identifier: MIT

internal import Backends
internal import Geometry
internal import Kiosk
internal import KioskService
internal import LinuxIO
internal import Logging
internal import Motion
internal import Presentation
internal import Raster
internal import Runtime
internal import SystemPackage

/// The file of a running kiosk, which is shown as it was read last, and its stand-in where it cannot be
/// shown.
final class ShownFile {
  let path: String
  private let cycle: FrameCycle
  private let backend: any Backend
  private let machine: Machine
  /// Reads the file again, which takes long.
  private let reader: Worker
  private let ladder: Ladder?
  /// Why the file is not shown.
  private(set) var fault: Fault?
  /// The version of the file that is shown; nil for the page of faults.
  private(set) var identity: FileIdentity?
  /// Why the last edit of the file is not shown.
  private(set) var reloadError: String?
  /// The files that the kiosk was read from.
  private var files: [String]
  private var watch: FileWatch?
  private var requests = ReadingRequests()
  /// The rest of the search for the warnings of the file at the start.
  private var search: WarningSearch?
  /// From then on it goes on even while something moves.
  private let searchTime: Timestamp
  /// The canvas for which the size of the file was last chosen.
  private var canvas: PixelSize
  /// Called when another version of the file is shown.
  var onReplacement: () -> Void = {}
  /// Called when nothing is left of the search for warnings.
  var onSearched: () -> Void = {}

  /// Seconds after a start for which the search for warnings waits for a kiosk at rest.
  private static let restTime = 10.0
  /// Seconds between two looks at the machine's addresses, where a page says them.
  private static let pageInterval = 10.0

  init(
    _ start: Start, in cycle: FrameCycle, on backend: any Backend, _ machine: Machine,
    _ reader: Worker
  ) throws(Errno) {
    path = start.path
    self.cycle = cycle
    self.backend = backend
    self.machine = machine
    self.reader = reader
    ladder = start.ladder
    canvas = backend.display.canvasSize
    fault = start.opening.fault
    files = start.opening.files
    identity = start.opening.identity
    search = start.opening.search
    searchTime = machine.loop.now + Self.restTime
    watch = try FileWatch(watched(files), on: machine.loop) { [unowned self] in reload(by: .time) }
    if let fault {
      machine.outlets.log.error("\(fault.message)")
      cycle.reportFailure(fault.message, by: .time)
    }
    refreshPage()
    prove()
  }

  /// These files, and what may be laid over the kiosk's from now on.
  private func watched(_ files: [String]) -> [String] {
    let overlay = Assets.overlay(of: path)
    return files.contains(overlay) ? files : files + [overlay]
  }

  // MARK: Reading

  /// Reads the file again, with its fonts and images, while the running kiosk goes on, and calls
  /// `whenDone`.
  func reload(by cause: Cause, whenDone: @escaping ReadingRequests.Handler = { _ in }) {
    if requests.add(by: cause, whenDone) { read() }
  }

  /// Reads the file again where another of its sizes suits the panel better, whose canvas may have become
  /// another one.
  func layOut() {
    let canvas = backend.display.canvasSize
    guard canvas != self.canvas else { return }
    self.canvas = canvas
    let screen = cycle.content.description.screen
    if screen.size(on: canvas) != screen.size { reload(by: .time) }
  }

  private func read() {
    let canvas = backend.display.canvasSize
    reader.run { [path] in
      KioskReading(path, canvas: canvas).reviewed()
    } whenDone: { [unowned self] reading in
      let problem = replace(by: reading, cause: requests.cause)
      var (handlers, beginsAnother) = requests.end()
      if beginsAnother {
        // The next start reads the file again if the stand-in ends.
        if fault != nil, problem == nil { handlers += requests.end().handlers } else { read() }
      }
      for handler in handlers { handler(problem) }
    }
  }

  /// Shows what was read; returns what went wrong, if something did.
  private func replace(by reading: KioskReading, cause: Cause) -> String? {
    machine.outlets.report(reading.mistakes)
    do throws(Failure) {
      let content = try reading.content.get()
      if fault == nil {
        show(content, from: reading.files, by: cause)
        identity = reading.identity
      } else {
        endStandIn()
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
    // A rotation that was commanded since stays until the file says another.
    let rotation = content.description.screen.rotation
    if rotation != cycle.content.description.screen.rotation {
      backend.display.turn(by: backend.fixedRotation ?? rotation)
    }
    backend.display.depth = content.depth(backend.fixedDepth)
    cycle.replace(with: content, by: cause)
    onReplacement()
    prove()
    machine.outlets.log.info("\(path) was reloaded")
  }

  /// Lets the next start show the file: one of its own finds the values that the kiosk keeps, which its
  /// stand-in has not.
  private func endStandIn() {
    ladder?.forgetEnds()
    machine.outlets.log.info("\(path) is shown by the next start")
    machine.loop.stop()
  }

  /// Keeps what is shown, and says why.
  private func keep(_ error: Failure, _ reading: KioskReading, by cause: Cause) -> String {
    // A file that could not be used stays watched with the others: it may be fixed.
    let wasRead = Set(reading.files)
    watch?.watch(watched(reading.files + files.filter { !wasRead.contains($0) }))
    if fault?.page != nil { showPage(of: Fault(of: path, error, reading.reasons)) }
    let problem = "\(path) was not reloaded; the running kiosk stays. \(error.message)"
    machine.outlets.log.error("\(problem)")
    let message = ([problem] + reading.reasons).joined(separator: "\n")
    reloadError = message
    cycle.reportFailure(message, by: cause)
    return message
  }

  /// Goes on with the search for warnings, preferably while nothing moves: a kiosk is shown before it is judged.
  func turn() {
    guard let search, cycle.isStill || machine.loop.now >= searchTime else { return }
    if search.proceed() {
      machine.loop.wakeUp()
    } else {
      machine.outlets.report(search.end())
      self.search = nil
      onSearched()
    }
  }

  // MARK: Fallbacks

  /// Once what is shown has lasted, its files are those to go back to.
  private func prove() {
    guard let ladder else { return }
    let shown = cycle.content.fonts
    machine.loop.perform(at: machine.loop.now + Ladder.provingTime) { [weak self] in
      guard let self, cycle.content.fonts === shown else { return }
      ladder.noteLastingStart()
      // The file as it was before an edit with mistakes is no longer there to be copied.
      guard fault == nil, reloadError == nil, let copy = ladder.copy else { return }
      reader.run { [files] in
        Result { () throws(Failure) in try copy.save(files) }
      } whenDone: { [log = machine.outlets.log] result in
        if case .failure(let failure) = result {
          log.warning("no copy of \(copy.file) is kept: \(failure.message)")
        }
      }
    }
  }

  /// Lays the page of a fault out for the panel as it is now: it may be another, and the machine may be
  /// reached by other addresses.
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
    let opening = Opening(page: fault, path, files, on: backend.display.canvasSize)
    guard opening.fault?.page != self.fault?.page, let content = try? opening.content.get() else {
      return
    }
    self.fault = opening.fault
    identity = nil
    cycle.replace(with: content, by: .time)
  }

  /// Notes an end in good order, after which the next start shows the file.
  func noteEnd() { ladder?.forgetEnds() }
}
