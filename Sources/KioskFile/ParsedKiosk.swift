// SPDX-License-Identifier: MIT

internal import RoundelControls
package import RoundelDeclarations
internal import RoundelYAML
package import RoundelDrawing
internal import RoundelExpressions
package import RoundelGeometry
package import Kiosk

package struct ParsedKiosk: Sendable {
  /// Nil if there are errors.
  package let description: Description?
  /// The errors and warnings in file order.
  package var diagnostics: [Diagnostic]
  /// The paths of images, as used in the description.
  package let images: [String]
  /// The paths of the sounds that are known from the file.
  package let sounds: [String]
  package let fonts: [FaceName]
  package let programs: [String]
  /// The paths of included files, even if they don't exist.
  package let includedFiles: [String]
  let filePaths: [String]
  /// The design pixels per millimetre, or nil if the file doesn't have the panel's size.
  package let pixelsPerMillimeter: Double?
  let pageMarks: [String: Mark]
  let nodes: [String: Node]

  private static let example = "\"kiosk: hello\" and \"pages: …\""

  /// Other files are relative to `path`, and `assets` loads them.
  ///
  /// Accepts arbitrary bytes: the result has either a description or an error. The unrotated canvas
  /// selects one of several sizes, and nil the first.
  package init(
    _ text: [UInt8], path: String, assets: some AssetLoader, limit: TimeLimit = .none,
    canvas: PixelSize? = nil, source: KioskSource = .file
  ) {
    self = ControlType.$all.withValue(ControlType.all + source.types) {
      ParsedKiosk(text, path, assets, limit, canvas, source)
    }
  }

  private init(
    _ text: [UInt8], _ path: String, _ assets: some AssetLoader, _ limit: TimeLimit,
    _ canvas: PixelSize?, _ source: KioskSource
  ) {
    let pass = KioskPass(file: path, end: Mark(endOf: text), limit: limit)
    let assembly = Assembly(
      pass, kind: "kiosk", example: Self.example, expressionKeys: ["when"],
      compose: { text, file, kind, example, limit, report in
        if file == 0, let tree = source.tree(pass) { return tree }
        return Composer.compose(
          text, file: file, kind: kind, example: example, limit: limit, report: report
        ).flatMap { file == 0 && pass.takesForSuite($0) ? nil : $0 }
      }
    ) { path, folder throws(Assembly.LoadError) in
      do throws(AssetError) {
        return try assets.loadText(at: path, inside: folder)
      } catch {
        throw Assembly.LoadError(error.description)
      }
    }
    let tree =
      pass.takesForRecording(text)
      ? nil : assembly.parsed(text, under: Self.overlay(of: path, assets, pass))
    let declared = tree.map { tree in
      pass.declared(pass.outlined(pass.assembled(tree, by: assembly, for: canvas)))
    }
    let linked = declared.flatMap { pass.linked($0) }
    let screen = declared?.outline.screen ?? DeclaredScreen()
    let checks = pass.checked(linked, on: screen, assets)

    diagnostics = pass.diagnostics
    description = pass.hasError ? nil : linked
    images = checks.names(.image)
    sounds = checks.names(.sound)
    fonts = checks.fonts
    programs = checks.names(.program)
    includedFiles = pass.includedFiles
    filePaths = pass.filePaths
    pixelsPerMillimeter = screen.panelDiagonal.map { _ in screen.pixelsPerMillimeter }
    pageMarks = declared?.pages.marks ?? [:]
    nodes = declared?.pages.nodes ?? [:]
  }
}

extension ParsedKiosk {
  package static let overlayKeys = ["values", "texts", "screen"]

  private static func overlay(
    of path: String, _ assets: some AssetLoader, _ reader: KioskPass
  ) -> Overlay? {
    do throws(AssetError) {
      return try assets.loadOverlay(of: path).map {
        Overlay(path: $0.path, text: $0.text, keys: overlayKeys)
      }
    } catch {
      reader.report("cannot apply this machine's overlay: \(error)", at: .start)
      return nil
    }
  }
}

extension KioskPass {
  fileprivate func takesForRecording(_ text: [UInt8]) -> Bool {
    let start = text.lazy.filter { !" \t\r\n".utf8.contains($0) }.prefix(4)
    guard start.elementsEqual("{\"t\"".utf8) else { return false }
    report(
      "the file is a recording", at: .start,
      expected: "a kiosk file; roundel replay plays recordings")
    return true
  }

  fileprivate func takesForSuite(_ root: Node) -> Bool {
    guard root["pages"] == nil, let pair = root.pairs.first(where: { $0.key == "suite" }) else {
      return false
    }
    report(
      "the file is a suite", at: pair.keyMark, expected: "a kiosk file; roundel test runs suites")
    return true
  }
}
