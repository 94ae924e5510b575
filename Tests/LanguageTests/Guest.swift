// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDeclarations
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import Kiosk
import KioskFile
import RoundelMotion
import Testing

/// Touches and commands on a kiosk, which is given as the text of its file.
struct Guest {
  var engine: Engine

  init(
    _ file: String, seed: UInt64 = 1, kept: [String: Value] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    engine = Engine(try Self.description(file, sourceLocation), seed: seed, persistentValues: kept)
  }

  static func description(
    _ file: String, _ sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Description {
    let reading = ParsedKiosk(Array(file.utf8), path: "k.yaml", assets: StubAssets())
    #expect(reading.diagnostics.map(\.description) == [], sourceLocation: sourceLocation)
    return try #require(reading.description, sourceLocation: sourceLocation)
  }

  // MARK: Input

  mutating func advance(to seconds: Double) { engine.advance(to: Instant(seconds: seconds)) }

  mutating func touch(_ phase: Touch.Phase, _ place: Point, at seconds: Double, finger: Int = 0) {
    engine.handle(
      Touch(finger: finger, phase: phase, position: place), at: Instant(seconds: seconds))
  }

  mutating func tap(_ place: Point, at seconds: Double) {
    touch(.down, place, at: seconds)
    touch(.up, place, at: seconds + 0.05)
  }

  /// Taps the centre of a control, or of an item written as `control/item`.
  mutating func tap(_ target: String, at seconds: Double) throws {
    advance(to: seconds)
    tap(try #require(Target(target)).point(in: engine), at: seconds)
  }

  mutating func set(_ name: String, _ value: Value) throws {
    try engine.set(try #require(Reference(name)), to: value)
  }

  mutating func reload(_ file: String) throws {
    engine.replace(with: try Guest.description(file), seed: 1)
  }

  // MARK: Results

  subscript(_ name: String) -> Value? { Reference(name).flatMap { engine.value(of: $0) } }

  var page: String { engine.pages[engine.shownPage].name }

  /// The events since the last call: `dial.settled(index 2, label 2) by finger`.
  mutating func events() -> [String] {
    engine.takeEvents().map { event in
      let head = [event.control, event.item].compactMap(\.self).joined(separator: "/")
      let fields = event.fields.map { "\($0.name) \($0.value.display)" }.joined(separator: ", ")
      return (head.isEmpty ? "" : "\(head).") + event.name
        + (fields.isEmpty ? "" : "(\(fields))") + " by \(event.cause.rawValue)"
    }
  }

  /// The events with this name since the last call.
  mutating func events(_ name: String) -> [String] {
    events().filter { $0.hasPrefix(name) || $0.contains(".\(name)") }
  }

  /// The drawn text runs, back to front.
  var texts: [String] {
    engine.displayList.items.flatMap(\.tiles).compactMap { tile in
      if case .text(let run) = tile.shape { run.text } else { nil }
    }
  }
}

/// Finds all images, sounds and fonts, except names that contain "lost".
struct StubAssets: AssetLoader {
  func loadImage(at path: String) throws(AssetError) {
    if path.contains("lost") { throw AssetError("no such file") }
  }
  func loadSound(at path: String) throws(AssetError) {
    if path.contains("lost") { throw AssetError("no such file") }
  }
  func loadFont(_ face: FaceName) throws(AssetError) {}
  func loadText(at path: String, inside folder: String) throws(AssetError) -> [UInt8] {
    throw AssetError("no such file")
  }
  func findProgram(_ name: String, for kiosk: String) {}
}

/// A file with one page of these controls.
func page(_ controls: String, _ head: String = "") -> String {
  let lines = controls.split(separator: "\n").map { "      \($0)\n" }.joined()
  return
    "kiosk: k\nscreen: {size: [400, 400]}\n\(head)\npages:\n  - page: home\n    controls:\n\(lines)"
}

extension Guest {
  /// The messages of failures since the last call.
  mutating func failures() -> [String] {
    engine.takeEvents().filter { $0.name == "failed" }.map {
      $0.fields.first { $0.name == "message" }?.value.display ?? ""
    }
  }
}
