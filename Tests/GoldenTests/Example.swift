// SPDX-License-Identifier: MIT

import RoundelDeclarations
import RoundelDrawing
import Foundation
import RoundelGeometry
import Kiosk
import KioskFile
import RoundelMotion
import RoundelPresentation
import RoundelRaster
import RoundelRuntime
import RoundelSession
import SystemFonts
import Testing
import RoundelText

/// The example kiosks of `deploy/examples/kiosks` and their recordings.
enum Example: String, CaseIterable {
  case shows, topics, timer, stats, dinner, resistor, home
  case museum, coffee, thermostat
  case shower, sauna

  /// The screenshots of its recording that are goldens: each control at rest and in motion.
  var kept: [String] {
    switch self {
    case .shows: ["rest", "lit"]
    case .topics: ["pressed"]
    case .timer: ["rest", "turning"]
    case .stats: ["rest", "bursting", "chosen"]
    case .dinner: ["rest", "fast"]
    case .resistor: ["rest", "flung"]
    case .home: []
    case .museum: ["clock"]
    case .coffee: ["brewing"]
    case .thermostat: ["cool"]
    case .shower: ["held"]
    case .sauna: ["turning", "bright"]
    }
  }

  /// Whether `home` contains its page, as for each single-control example.
  var isPartOfHome: Bool {
    ![.home, .museum, .coffee, .thermostat, .shower, .sauna].contains(self)
  }

  /// Whether the example shows the time of day, which changes constantly.
  var hasClock: Bool { [.museum, .coffee, .thermostat, .shower].contains(self) }

  func reading() throws -> ParsedKiosk {
    let path = "deploy/examples/kiosks/\(rawValue).yaml"
    return ParsedKiosk(try bytes(path), path: path, assets: Kiosks())
  }

  func description() throws -> Description {
    let reading = try reading()
    return try #require(reading.description, "\(reading.diagnostics)")
  }

  func recording() throws -> Recording {
    let path = "deploy/examples/recordings/\(rawValue).jsonl"
    return try Recording(try bytes(path), path: path)
  }

  /// Plays the recording and returns the final stage.
  @discardableResult
  func replay(
    framesPerSecond: Double = 60, _ sink: (Replay.Outcome) throws -> Void = { _ in }
  ) throws -> Stage {
    let stage = Stage(Content(try description(), fonts: FontLibrary()), seed: 0)
    try Replay(try recording(), on: stage, framesPerSecond: framesPerSecond).run(sink)
    return stage
  }

  /// Plays the recording on an unrotated canvas of `size` and on panels in every rotation, and
  /// calls `look` at each screenshot. Frames in between are painted by damage, on `threads` if
  /// given.
  func play(
    at size: PixelSize, threads: ThreadPool? = nil,
    _ look: (_ shot: String, _ panels: [Rotation: Canvas]) throws -> Void
  ) throws {
    let reading = try reading()
    let fonts = try FontLibrary(of: reading)
    var content = Content(try #require(reading.description, "\(reading.diagnostics)"), fonts: fonts)
    content.threads = threads
    let stage = Stage(content, seed: 0)
    let displays = Rotation.allCases.map { rotation in
      HeadlessDisplay(
        size: rotation.applied(to: size), rotation: rotation, refreshInterval: 0, clock: { .zero })
    }
    func show() throws {
      for display in displays { _ = try display.present(stage.picture(size)) }
    }
    try Replay(try recording(), on: stage, framesPerSecond: 5).run { outcome in
      switch outcome {
      case .frame: try show()
      case .shot(let name):
        try show()
        let panels = zip(Rotation.allCases, displays).map { ($0, $1.panel) }
        try look(
          String(name.dropLast(".png".count)), Dictionary(uniqueKeysWithValues: panels))
      case .line: break
      case .refusal(let reason, _): Issue.record("\(reason)")
      }
    }
  }
}

/// The assets of the examples, which contain only shapes, text and files in their folder.
struct Kiosks: AssetLoader {
  func loadImage(at path: String) throws(AssetError) {
    throw AssetError("the tests know no images")
  }
  func loadFont(_ face: FaceName) {}
  func loadText(at path: String, inside folder: String) throws(AssetError) -> [UInt8] {
    do {
      return try bytes(path)
    } catch {
      throw AssetError("\(error)")
    }
  }
  func findProgram(_ name: String, for kiosk: String) throws(AssetError) {
    throw AssetError("the tests know no programs")
  }
}

extension FontLibrary {
  /// The fonts of a kiosk.
  convenience init(of reading: ParsedKiosk) throws {
    self.init()
    let system = try SystemFonts()
    for font in reading.fonts {
      let file = try system.file(for: font.family, weight: font.weight)
      try add(font, bytes: try FontFile.read(file.path), faceIndex: file.faceIndex)
    }
  }
}

/// The directory that contains Package.swift.
let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

func bytes(_ path: String) throws -> [UInt8] {
  Array(try Data(contentsOf: repository.appending(path: path)))
}
