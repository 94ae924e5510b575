// SPDX-License-Identifier: MIT

internal import Declarations
package import Geometry
internal import Glibc
internal import KioskService
internal import LinuxIO

/// The fallbacks of a kiosk that a service manager starts again whenever it ends: its file; where that has
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
package struct Ladder: Sendable {
  private enum Rung: Int { case file, copy, page }

  private let path: String
  private let ends: StateFile?
  package let copy: KioskCopy?

  /// Seconds that a start must last.
  package static let provingTime = 10.0
  private static let endsOfRung = 3
  private static let maximumBytes = 1 << 16

  /// A ladder for the kiosk file at `path`.
  package init(for path: String, in folders: StateFolders) {
    self.path = path
    copy = KioskCopy(of: path, in: folders)
    ends = folders.passingFile(of: path, "ends", maximumBytes: Self.maximumBytes)
  }

  /// How the last starts have ended, the latest last.
  private var endings: [String] {
    let bytes = (try? ends?.read()) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// The kiosk that a start shows, on an upright canvas where that is known.
  package func opening(on canvas: PixelSize? = nil) -> Opening {
    let endings = endings
    let rung = Rung(rawValue: min(endings.count / Self.endsOfRung, Rung.page.rawValue)) ?? .page
    guard rung == .file else {
      // The file is not read: perhaps that is what ends the program.
      let fault = Fault(
        "\(path) is not shown: the last \(endings.count) starts failed, most recently by \(endings.last ?? "")"
      )
      return standIn(for: fault, files: [path], from: rung, on: canvas)
        ?? Opening(page: fault, path, [path])
    }
    let reading = KioskReading(path, canvas: canvas)
    guard case .failure(let failure) = reading.content else { return Opening(reading) }
    let fault = Fault(of: path, failure, reading.reasons)
    return standIn(
      for: fault, files: reading.files, from: .copy, on: canvas, mistakes: reading.mistakes)
      ?? Opening(page: fault, path, reading.files, mistakes: reading.mistakes)
  }

  /// The copy, where it can be shown.
  private func standIn(
    for fault: Fault, files: [String], from rung: Rung, on canvas: PixelSize?,
    mistakes: [Mistake] = []
  ) -> Opening? {
    guard rung == .copy, let copy else { return nil }
    let reading = KioskReading(copy.file, copyOf: path, canvas: canvas)
    guard case .success = reading.content else { return nil }
    let originals = reading.files.map(copy.original(of:))
    return Opening(
      content: reading.content, mistakes: mistakes,
      files: files + originals.filter { !files.contains($0) },
      fault: fault, identity: reading.identity)
  }

  /// Forgets the ends before a start that has lasted, except those that have led to its rung.
  package func noteLastingStart() {
    let endings = endings
    let kept = min(endings.count / Self.endsOfRung, Rung.page.rawValue) * Self.endsOfRung
    if kept == 0 {
      forgetEnds()
    } else if kept < endings.count {
      try? ends?.write(Array((endings.prefix(kept).joined(separator: "\n") + "\n").utf8))
    }
  }

  /// Lets the next start show the file.
  package func forgetEnds() {
    if let ends { Files.remove(ends.path) }
  }
}
