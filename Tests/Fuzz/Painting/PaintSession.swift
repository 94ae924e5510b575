// SPDX-License-Identifier: MIT

import RoundelDrawing
import RoundelGeometry
import Kiosk
import KioskFile
import RoundelPresentation
import RoundelRaster
import RoundelRuntime
import RoundelSession
import SystemFonts
import TestSupport
import RoundelText
import RoundelDeclarations

/// A random kiosk file that is painted on a random panel while a random recording plays. Everything
/// is derived from one number.
package struct PaintSession {
  private var random: SeededGenerator
  private let file: RandomFile
  private let recording: RandomRecording
  private var panel: GuardedPanel
  private let font: [UInt8]
  /// Painting a picture of the largest panel takes a long time.
  private let maximumPictures: Int

  /// - Parameter number: The session's number. Every 50th has one of the largest panels.
  package init(number: UInt64, font: [UInt8]) {
    let isLargest = number % 50 == 49
    random = SeededGenerator(seed: number)
    file = RandomFile(&random)
    recording = RandomRecording(&random)
    panel = GuardedPanel(&random, isLargest: isLargest)
    maximumPictures = isLargest ? 2 : 40
    self.font = font
  }

  /// The kiosk file, the recording and the panel.
  package var description: String {
    """
    \(file.text)
    \(recording.text)
    panel: \(panel.layout.size), \(panel.layout.format), turned by \(panel.layout.rotation.rawValue)°
    """
  }

  private struct Violation: Error {
    var what: String
  }

  /// Returns the violation, if any.
  package mutating func run() throws -> String? {
    do {
      try play()
      return nil
    } catch let violation as Violation {
      return violation.what
    }
  }

  private mutating func play() throws {
    let reading = ParsedKiosk(Array(file.text.utf8), path: "k.yaml", assets: AllAssets())
    guard let description = reading.description else {
      throw Violation(what: "refused: \(reading.diagnostics.first?.description ?? "")")
    }
    let loader = FontLoader()
    loader.loadFallback()
    for name in reading.fonts { try loader.library.add(name, bytes: font) }
    var content = Content(description, fonts: loader.library, images: images)
    content.imagePreparation = Bool.random(using: &random) ? .later : .atOnce
    // The reference picture is painted by one thread.
    content.threads = ThreadPool(width: .random(in: 1...4, using: &random), minimumShare: 64)
    let stage = Stage(content, seed: 1)
    let steps = try Recording(Array(recording.text.utf8), path: "r.jsonl")
    var pictures = 0
    try Replay(steps, on: stage, framesPerSecond: 12).run { _ in
      guard pictures < maximumPictures else { return }
      pictures += 1
      try change(stage)
      try show(stage)
    }
    try check(stage)
  }

  /// A random change of a stage between two pictures.
  private mutating func change(_ stage: Stage) throws {
    let size = panel.layout.canvasSize
    switch Int.random(in: 0..<32, using: &random) {
    case 0: stage.replace(with: stage.content)
    case 1: stage.restart()
    case 2: panel.turn(&random)
    case 3:
      stage.pointer = Point(
        .random(in: -30...Double(size.width), using: &random),
        .random(in: -30...Double(size.height), using: &random))
    case 4..<12: _ = makeImage(stage)
    default: break
    }
  }

  /// Prepares the next pending image. Returns false if there isn't one.
  private func makeImage(_ stage: Stage) -> Bool {
    let size = panel.layout.canvasSize
    guard let work = stage.takeImageWork(on: size, withOtherPages: true) else { return false }
    stage.shownPicture(size).finish(work.run())
    return true
  }

  private mutating func show(_ stage: Stage) throws {
    if let what = panel.show(stage.picture(panel.layout.canvasSize)) { throw Violation(what: what) }
  }

  /// The same list gives the same pixels, however it is painted and whatever was shown before.
  private mutating func check(_ stage: Stage) throws {
    let size = panel.layout.canvasSize
    guard size.width * size.height <= 1 << 16 else { return }
    stage.pointer = nil
    try show(stage)
    while makeImage(stage) {}
    try show(stage)
    let anew = Painter(
      size: size, viewport: stage.viewport(on: size), fonts: stage.content.fonts,
      images: stage.content.images)
    anew.show(stage.engine.displayList)
    var other = GuardedPanel(panel.layout)
    if let what = other.show(anew) { throw Violation(what: what) }
    guard panel.hasSamePixels(as: other) else {
      throw Violation(what: "the picture depends on what was shown before")
    }
    guard anew.canvas().bitmap().pixels == anew.block(PixelRect(size: size)).pixels else {
      throw Violation(what: "the picture depends on where it is painted")
    }
  }

  private var images: [String: ImageFile] {
    mutating get {
      let sizes = [
        PixelSize(1, 8192), PixelSize(9, 4), PixelSize(100, 80), PixelSize(640, 1), PixelSize(1, 1),
      ].shuffled(using: &random)
      var images: [String: ImageFile] = [:]
      for (name, size) in zip(["a.png", "b.png"], sizes) {
        let alpha: UInt32 = Bool.random(using: &random) ? 0xff00_0000 : 0x8000_0000
        images[name] = ImageFile(
          Bitmap(
            size: size,
            pixels: (0..<size.width * size.height).map { alpha | UInt32($0) & 0x7f_7f7f }))
      }
      return images
    }
  }
}

/// Finds every asset.
struct AllAssets: AssetLoader {
  func loadImage(at path: String) {}
  func loadFont(_ face: FaceName) {}
  func loadText(at path: String, inside folder: String) -> [UInt8] { [] }
  func findProgram(_ name: String, for kiosk: String) {}
}
