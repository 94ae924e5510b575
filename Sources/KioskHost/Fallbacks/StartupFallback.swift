// SPDX-License-Identifier: MIT

internal import Kiosk
internal import RoundelDeclarations
package import RoundelGeometry
internal import Glibc
internal import KioskService
internal import LinuxIO
internal import RoundelRuntime

/// A managed kiosk's stages: the file, the last working copy, and a page with the errors. The
/// file's errors or repeated failures lead to the next.
///
/// The unit's ExecStopPost appends a line to a file each time the program crashes, hangs or runs
/// out of memory:
///
///     failures   0 1 2 | 3 4 5 | 6 …
///     shown       file | copy  | page
///
/// A successful start reduces the lines to the minimum of its stage. An orderly stop removes them.
package struct StartupFallback: Sendable {
  private enum Stage: Int { case file, copy, page }

  private let path: String
  private let ends: StateFile?
  package let copy: KioskCopy?

  /// Seconds until a start counts as successful.
  package static let stabilityTime = 10.0
  private static let endsPerStage = 3
  private static let maximumBytes = 1 << 16

  package init(for path: String, in folders: StateFolders) {
    self.path = path
    copy = KioskCopy(of: path, in: folders)
    ends = folders.passingFile(of: path, "ends", maximumBytes: Self.maximumBytes)
  }

  /// The failures from the oldest to the latest.
  private var endings: [String] {
    let bytes = (try? ends?.read()) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Pass nil if the size of the unrotated canvas is unknown.
  package func initialContent(on canvas: PixelSize? = nil) -> InitialContent {
    let endings = endings
    let stage =
      Stage(rawValue: min(endings.count / Self.endsPerStage, Stage.page.rawValue)) ?? .page
    guard stage == .file else {
      // The file may be the cause of the failures.
      let fault = Fault(
        "cannot show \(path): the last \(endings.count) starts failed, most recently by \(endings.last ?? "")"
      )
      return workingCopy(for: fault, files: [path], from: stage, on: canvas)
        ?? InitialContent(page: fault, path, [path], languages: languages)
    }
    let reading = KioskReading(path, canvas: canvas)
    guard case .failure(let failure) = reading.content else { return InitialContent(reading) }
    let fault = Fault(of: path, failure, reading.reasons)
    return workingCopy(
      for: fault, files: reading.files, from: .copy, on: canvas, diagnostics: reading.diagnostics)
      ?? InitialContent(
        page: fault, path, reading.files, diagnostics: reading.diagnostics, languages: languages)
  }

  /// The last working copy's languages, or an empty array.
  package var languages: [String] {
    guard let copy, Folder.isAnythingAt(copy.file),
      case .success(let content) = KioskReading(copy.file, copyOf: path, canvas: nil).content
    else { return [] }
    return content.description.languages
  }

  /// Returns nil if the copy can't be shown.
  private func workingCopy(
    for fault: Fault, files: [String], from stage: Stage, on canvas: PixelSize?,
    diagnostics: [Diagnostic] = []
  ) -> InitialContent? {
    guard stage == .copy, let copy else { return nil }
    let reading = KioskReading(copy.file, copyOf: path, canvas: canvas)
    guard case .success = reading.content else { return nil }
    let originals = reading.files.map(copy.original(of:))
    return InitialContent(
      content: reading.content, diagnostics: diagnostics,
      files: files + originals.filter { !files.contains($0) },
      fault: fault, identity: reading.identity)
  }

  /// Keeps only the failures that led to this start's stage.
  package func recordSuccessfulStart() {
    let endings = endings
    let kept = min(endings.count / Self.endsPerStage, Stage.page.rawValue) * Self.endsPerStage
    if kept == 0 {
      forgetEnds()
    } else if kept < endings.count {
      try? ends?.write(Array((endings.prefix(kept).joined(separator: "\n") + "\n").utf8))
    }
  }

  package func forgetEnds() {
    if let ends { Files.remove(ends.path) }
  }
}
