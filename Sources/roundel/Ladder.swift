// SPDX-License-Identifier: MIT

import Geometry
import Glibc
import KioskProtocol
import LinuxIO
import Runtime
import SystemPackage
import YAML

/// What is shown where a service manager starts a kiosk again whenever it ends: its file; where that has
/// mistakes or ends the program again and again, the last copy of it that worked; then a page that says
/// what is wrong.
///
/// The unit's ExecStopPost adds a line to a file each time that the program ends by a fault of its own:
///
///     ends   0 1 2 | 3 4 5 | 6 …
///     shown   file | copy  | page
///
/// A start that lasts takes the lines back down to those of its rung, and one that is stopped in good
/// order all of them.
struct Ladder: Sendable {
  private enum Rung: Int { case file, copy, page }

  private let path: String
  private let ends: StateFile?
  let copy: KioskCopy?

  /// Seconds that a start must last.
  static let provingTime = 10.0
  private static let endsOfRung = 3
  private static let maximumBytes = 1 << 16

  /// A ladder for the kiosk file at `path`.
  init(for path: String) {
    self.path = path
    copy = KioskCopy(of: path)
    ends = Service.runtimeFile(of: path, "ends", maximumBytes: Self.maximumBytes)
  }

  /// How the last starts have ended, the latest last.
  private var endings: [String] {
    let bytes = (try? ends?.read()) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// What a start shows.
  func opening() -> Opening {
    let endings = endings
    let rung = Rung(rawValue: min(endings.count / Self.endsOfRung, Rung.page.rawValue)) ?? .page
    guard rung == .file else {
      // The file is not read: perhaps that is what ends the program.
      let fault = Fault(
        "\(path) is not shown: \(endings.count) starts have ended early, the last by \(endings.last ?? "")"
      )
      return standIn(for: fault, files: [path], from: rung) ?? Opening(page: fault, path, [path])
    }
    let reading = KioskReading(path)
    guard case .failure(let failure) = reading.content else { return Opening(reading) }
    let fault = Fault(of: path, failure, reading.reasons)
    return standIn(for: fault, files: reading.files, from: .copy, mistakes: reading.mistakes)
      ?? Opening(page: fault, path, reading.files, mistakes: reading.mistakes)
  }

  /// The copy, where it can be shown.
  private func standIn(
    for fault: Fault, files: [String], from rung: Rung, mistakes: [Mistake] = []
  ) -> Opening? {
    guard rung == .copy, let copy else { return nil }
    let reading = KioskReading(copy.file, copyOf: path)
    guard case .success = reading.content else { return nil }
    let originals = reading.files.map(copy.original(of:))
    return Opening(
      content: reading.content, mistakes: mistakes,
      files: files + originals.filter { !files.contains($0) },
      fault: fault)
  }

  /// Forgets the ends before a start that has lasted, but those for which it shows what it shows.
  func noteLastingStart() {
    let endings = endings
    let kept = min(endings.count / Self.endsOfRung, Rung.page.rawValue) * Self.endsOfRung
    if kept == 0 {
      forgetEnds()
    } else if kept < endings.count {
      try? ends?.write(Array((endings.prefix(kept).joined(separator: "\n") + "\n").utf8))
    }
  }

  /// Lets the next start show the file.
  func forgetEnds() {
    if let ends { _ = unsafe unlink(ends.path) }
  }
}

/// Why a kiosk file is not shown.
struct Fault {
  private let problem: String
  /// What is wrong in detail, as lines.
  let reasons: [String]
  /// What says so on the panel; nil where the copy is shown.
  fileprivate(set) var page: FaultPage?

  fileprivate init(_ problem: String) {
    self.problem = problem
    reasons = [problem]
  }

  /// The mistakes of a kiosk file.
  init(of path: String, _ failure: Failure, _ reasons: [String]) {
    problem = failure.message.isEmpty ? "\(path) is not shown: it has mistakes" : failure.message
    self.reasons = reasons.isEmpty ? [problem] : reasons
  }

  /// What is shown.
  var standIn: StandIn { page == nil ? .copy : .page }

  /// What is wrong and what is shown, in a line.
  var message: String {
    "\(problem); \(standIn == .copy ? "the last copy that worked is shown" : "a page on the panel says so")"
  }
}

/// What a kiosk begins with.
struct Opening {
  let content: Result<Content, Failure>
  let mistakes: [Mistake]
  /// The files whose change makes another start worth while.
  let files: [String]
  /// Why it is not the kiosk's file; nil where it is.
  let fault: Fault?

  fileprivate init(
    content: Result<Content, Failure>, mistakes: [Mistake], files: [String], fault: Fault?
  ) {
    self.content = content
    self.mistakes = mistakes
    self.files = files
    self.fault = fault
  }

  /// A file as it was read.
  init(_ reading: KioskReading) {
    self.init(
      content: reading.content, mistakes: reading.mistakes, files: reading.files, fault: nil)
  }

  /// The page that says what is wrong, laid out for a panel.
  init(
    page fault: Fault, _ path: String, _ files: [String], mistakes: [Mistake] = [],
    on canvas: PixelSize = FaultPage.usualCanvas
  ) {
    let page = FaultPage(path, fault.reasons, on: canvas)
    var fault = fault
    fault.page = page
    let content = Result { () throws(Failure) in try page.content }
    self.init(content: content, mistakes: mistakes, files: files, fault: fault)
  }
}
