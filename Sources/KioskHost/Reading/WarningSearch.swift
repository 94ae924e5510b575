// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelGeometry
internal import Kiosk
internal import KioskFile
internal import RoundelRaster
internal import RoundelReview

/// A search as slow as reading the file, so a running kiosk does it in steps after the first frame.
package final class WarningSearch {
  /// The kiosk, or nil after the search.
  private var kiosk: ParsedKiosk?
  private var review: Review?
  private var begin: (() -> Review)?

  /// Returns nil if the file has errors.
  ///
  /// - Parameter start: The kiosk's initial state, if some properties have been set.
  init?(of kiosk: ParsedKiosk, _ assets: Assets, _ panel: PixelSize?, from start: Engine? = nil) {
    guard let description = kiosk.description else { return nil }
    self.kiosk = kiosk
    begin = {
      Review(
        description, fonts: assets.fonts, images: assets.images.mapValues(\.mask), panel: panel,
        limit: .ofReview, from: start)
    }
  }

  /// Takes a few milliseconds for most kiosks. Returns false if no work is left.
  func proceed() -> Bool {
    if let begin = begin.take() { review = begin() }
    return review?.proceed() ?? false
  }

  /// Completes the search and releases its memory.
  func end(merging others: [Diagnostic] = []) -> [Diagnostic] {
    guard var kiosk = kiosk.take() else { return others }
    while proceed() {}
    kiosk.diagnostics = others
    kiosk.add(review.take()?.warnings ?? [])
    return kiosk.diagnostics
  }
}
