// SPDX-License-Identifier: MIT

/// Tells whether the files and fonts that a kiosk names can be used; whoever reads the kiosk file
/// knows how to open them.
public protocol AssetProbe {
  /// Why the image at `path` cannot be shown, as `no such file`; nil where it can.
  func imageProblem(at path: String) -> String?

  /// Why text cannot be set in a font; nil where it can. `family` is a family's name, or the path of
  /// a file if it ends as font files do: in `.ttf`, `.otf`, `.ttc` or `.woff`.
  func fontProblem(_ family: String, bold: Bool) -> String?
}
