// SPDX-License-Identifier: MIT

internal import Declarations
internal import Geometry
internal import Kiosk
internal import KioskFile
internal import Raster
internal import Review

/// The search for the warnings of a kiosk file that has been read. It takes as long as all of the reading does, and a
/// running kiosk does it part by part once it is shown.
package final class WarningSearch {
  /// Nil once the warnings have been told.
  private var kiosk: ParsedKiosk?
  private var review: Review?
  /// Begins the review.
  private var begin: (() -> Review)?

  /// Nil for a file with errors.
  ///
  /// - Parameter start: the kiosk at its start where something has been set.
  init?(of kiosk: ParsedKiosk, _ assets: Assets, _ panel: PixelSize?, from start: Engine? = nil) {
    guard let description = kiosk.description else { return nil }
    self.kiosk = kiosk
    begin = {
      Review(
        description, fonts: assets.fonts, images: assets.images.mapValues(\.mask), panel: panel,
        limit: .ofReview, from: start)
    }
  }

  /// Does a part of it, a few milliseconds for most kiosks; false where nothing is left.
  func proceed() -> Bool {
    if let begin = begin.take() { review = begin() }
    return review?.proceed() ?? false
  }

  /// Ends the search, and returns what it has found; `others` are mistakes to add them to. Nothing that it needed is
  /// kept.
  func end(besides others: [Mistake] = []) -> [Mistake] {
    guard var kiosk = kiosk.take() else { return others }
    while proceed() {}
    kiosk.mistakes = others
    kiosk.add(review.take()?.warnings ?? [])
    return kiosk.mistakes
  }
}
