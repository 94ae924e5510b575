// SPDX-License-Identifier: MIT

import RoundelDeclarations
import RoundelDrawing
import Foundation
@testable import KioskFile

/// Finds one image, all fonts except a few, and all programs except lost ones.
struct StubAssets: AssetLoader {
  var lostFamilies = ["Wingdings"]
  /// The files that can be included, by path.
  var texts: [String: String] = [:]

  func loadImage(at path: String) throws(AssetError) {
    if !path.hasSuffix("wall.png") { throw AssetError("no such file") }
  }

  func loadFont(_ face: FaceName) throws(AssetError) {
    if lostFamilies.contains(face.family) || face.family.hasSuffix("lost.ttf") {
      throw AssetError("not found")
    }
  }

  func findIcon(_ name: String) throws(AssetError) {
    if name == "lok" { throw AssetError("there is no such icon; did you mean lock?") }
  }

  func loadText(at path: String, inside folder: String) throws(AssetError) -> [UInt8] {
    guard let text = texts[path] else { throw AssetError("no such file") }
    return Array(text.utf8)
  }

  func loadOverlay(of path: String) -> (path: String, text: [UInt8])? {
    texts["k.overlay.yaml"].map { ("k.overlay.yaml", Array($0.utf8)) }
  }

  func findProgram(_ name: String, for kiosk: String) throws(AssetError) {
    if name.hasSuffix("lost") { throw AssetError("there is none for \(kiosk)") }
  }
}

func read(_ text: String, path: String = "k.yaml") -> ParsedKiosk {
  ParsedKiosk(Array(text.utf8), path: path, assets: StubAssets())
}

/// The errors of a file, each on its own line, without the file's name.
func diagnostics(_ text: String) -> [String] {
  read(text).diagnostics.map { String($0.description.dropFirst("k.yaml:".count)) }
}

/// The directory that contains Package.swift.
let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

/// Returns the contents of a file in the repository.
func file(_ path: String) throws -> String {
  try String(contentsOf: repository.appending(path: path), encoding: .utf8)
}
