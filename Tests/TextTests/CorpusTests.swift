// SPDX-License-Identifier: MIT

import RoundelDrawing
import Foundation
import RoundelGeometry
import SystemFonts
import Testing

@testable import RoundelText

/// Compares shaped text in 62 languages with the results of HarfBuzz's own program.
@Suite struct CorpusTests {
  /// A line of the corpus: its language, font and text.
  struct Sample: CustomTestStringConvertible, Sendable {
    var language: String
    var family: String
    var text: String
    var testDescription: String { "\(language) in \(family)" }

    static let all: [Sample] = {
      let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Corpus/languages.tsv")
      let lines = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
      return lines.split(separator: "\n").map { line in
        let fields = line.split(separator: "\t").map(String.init)
        return Sample(language: fields[0], family: fields[1], text: fields[2])
      }
    }()
  }

  /// A glyph and its origin, in ems.
  private struct Placed: Equatable, CustomStringConvertible {
    var glyph: UInt32
    var x: Double
    var y: Double
    var description: String { "\(glyph) at \(x), \(y)" }

    static func == (a: Placed, b: Placed) -> Bool {
      a.glyph == b.glyph && abs(a.x - b.x) < 1e-9 && abs(a.y - b.y) < 1e-9
    }
  }

  private struct ReferenceGlyph: Decodable {
    // The names used by hb-shape.
    var g: UInt32
    var dx: Double
    var dy: Double
    var ax: Double
  }

  /// The result of hb-shape.
  private func reference(_ sample: Sample, _ font: String, unitsPerEm: Double) throws -> [Placed] {
    let program = Process()
    program.executableURL = URL(filePath: "/usr/bin/hb-shape")
    program.arguments = [
      "--font-funcs=ot", "--output-format=json", "--no-glyph-names", "--no-clusters",
      "--language=\(sample.language)", font, sample.text,
    ]
    let output = Pipe()
    program.standardOutput = output
    do {
      try program.run()
    } catch {
      // Without the program, reading from the pipe would never end.
      Issue.record("there is no hb-shape: install libharfbuzz-bin, as deploy/test does")
      throw error
    }
    let json = try output.fileHandleForReading.readToEnd()
    program.waitUntilExit()
    let glyphs = try JSONDecoder().decode([ReferenceGlyph].self, from: #require(json))
    var pen = 0.0
    return glyphs.map { glyph in
      defer { pen += glyph.ax }
      return Placed(
        glyph: glyph.g, x: (pen + glyph.dx) / unitsPerEm, y: glyph.dy / unitsPerEm)
    }
  }

  @Test(arguments: Sample.all)
  func `glyphs and positions match hb-shape`(_ sample: Sample) throws {
    let font = Font(sample.family, language: sample.language)
    let installed = try? SystemFonts().file(for: sample.family)
    let file = try #require(
      installed, "there is no \(sample.family): install the fonts that deploy/test does")
    let library = FontLibrary()
    try library.add(font.faces[0], bytes: FontFile.read(file.path), faceIndex: file.faceIndex)
    let block = try #require(
      library.layout(TextRun(sample.text, font: font, size: 20, at: .zero)))
    let line = try #require(block.lines.first)
    #expect(block.lines.count == 1 && !line.glyphs.contains { $0.glyph.index == 0 })
    let unitsPerEm = try #require(line.glyphs.first).glyph.unitsPerEm
    #expect(
      try line.glyphs.map { Placed(glyph: $0.glyph.index, x: $0.x, y: $0.y) }
        == reference(sample, file.path, unitsPerEm: unitsPerEm))
  }

  @Test func `the corpus contains many languages`() {
    #expect(Set(Sample.all.map(\.language)).count >= 40)
  }
}
