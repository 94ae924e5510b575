// SPDX-License-Identifier: MIT

import RoundelRaster
import TestSupport
import Testing

/// Colour information in files, apart from the pixels.
@Suite struct ProfileTests {
  /// The columns of a profile's matrix, one row per colour.
  private static let sRGB = [
    0.4361, 0.2225, 0.0139, 0.3851, 0.7169, 0.0971, 0.1431, 0.0606, 0.7141,
  ]
  private static let displayP3 = [
    0.5151, 0.2412, -0.0011, 0.2919, 0.6922, 0.0419, 0.1572, 0.0666, 0.7841,
  ]

  private static func fixed(_ value: Double) -> [UInt8] {
    PNGFile.number(Int((value * 65_536).rounded()))
  }

  /// The sRGB curve as parameters of a formula.
  private static let formula: [UInt8] =
    Array("para".utf8) + [0, 0, 0, 0, 0, 3, 0, 0]
    + [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].flatMap(fixed)
  /// A curve given as a single gamma, in 256ths.
  private static func gamma(_ value: Int) -> [UInt8] {
    Array("curv".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, UInt8(value >> 8), UInt8(value & 255), 0, 0]
  }
  /// A curve of gamma 2 with `count` points.
  private static func table(_ count: Int) -> [UInt8] {
    let points = (0..<count).flatMap { index -> [UInt8] in
      let value = index * index * 65_535 / ((count - 1) * (count - 1))
      return [UInt8(value >> 8), UInt8(value & 255)]
    }
    return Array("curv".utf8) + [0, 0, 0, 0] + PNGFile.number(count) + points
  }
  private static func ascii(_ name: String) -> [UInt8] {
    let parts: [[UInt8]] = [
      Array("desc".utf8), [0, 0, 0, 0], PNGFile.number(name.utf8.count + 1), Array(name.utf8), [0],
    ]
    return parts.flatMap(\.self)
  }
  private static func wide(_ name: String) -> [UInt8] {
    let parts: [[UInt8]] = [
      Array("mluc".utf8), [0, 0, 0, 0], PNGFile.number(1), PNGFile.number(12), Array("enUS".utf8),
      PNGFile.number(name.utf16.count * 2), PNGFile.number(28),
      name.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] },
    ]
    return parts.flatMap(\.self)
  }

  /// A profile of tags (ICC.1, 7): a 128-byte header, the tag table, the tags.
  private static func profile(_ space: String, _ tags: [(String, [UInt8])]) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: 128)
    header.replaceSubrange(16..<20, with: space.utf8)
    header.replaceSubrange(36..<40, with: "acsp".utf8)
    var table = PNGFile.number(tags.count)
    var contents: [UInt8] = []
    for (name, tag) in tags {
      table += Array(name.utf8) + PNGFile.number(132 + 12 * tags.count + contents.count)
      table += PNGFile.number(tag.count)
      contents += tag
    }
    return header + table + contents
  }

  private static func profile(_ matrix: [Double], _ curve: [UInt8], _ name: [UInt8]) -> [UInt8] {
    var tags: [(String, [UInt8])] = [("desc", name)]
    for (tag, first) in zip(["rXYZ", "gXYZ", "bXYZ"], [0, 3, 6]) {
      let column: [UInt8] = matrix[first..<first + 3].flatMap(fixed)
      tags.append((tag, [UInt8]("XYZ ".utf8) + [0, 0, 0, 0] + column))
    }
    for tag in ["rTRC", "gTRC", "bTRC"] { tags.append((tag, curve)) }
    return profile("RGB ", tags)
  }

  private func png(_ chunks: (String, [UInt8])...) -> [UInt8] {
    PNGFile(
      width: 1, height: 1, depth: 8, colorType: .rgb,
      chunks: chunks.map { (name: $0, contents: $1) },
      samples: [1, 2, 3]
    ).bytes
  }

  private func png(profile: [UInt8], called name: String = "icc") -> [UInt8] {
    png(("iCCP", Array(name.utf8) + [0, 0] + PNGFile.stored(profile)))
  }

  /// A profile in several segments, the last one first.
  private func jpeg(profile: [UInt8], segments count: Int = 1) -> [UInt8] {
    let length = (profile.count + count - 1) / count
    var file = Array(JPEGFile.baseline.prefix(2))
    for index in (0..<count).reversed() {
      let part = Array(profile.dropFirst(index * length).prefix(length))
      let contents = Array("ICC_PROFILE\0".utf8) + [UInt8(index + 1), UInt8(count)] + part
      let size = contents.count + 2
      file += [0xff, 0xe2, UInt8(size >> 8), UInt8(size & 255)] + contents
    }
    return file + JPEGFile.baseline.dropFirst(2)
  }

  private func ignored(_ file: [UInt8]) -> String? { IgnoredProfile(of: file)?.description }

  @Test(arguments: [
    (sRGB, formula, nil), (sRGB, gamma(563), nil), (sRGB, gamma(461), "P"),
    (sRGB, gamma(256), "P"), (sRGB, table(1024), "P"), (displayP3, formula, "P"),
    (displayP3, gamma(563), "P"),
  ])
  func `a profile other than sRGB is ignored and reported, whatever its name`(
    _ matrix: [Double], _ curve: [UInt8], _ ignored: String?
  ) {
    for name in ["sRGB IEC61966-2.1", "P3, “wide”"] {
      let expected = ignored.map { _ in "the colour profile \"\(name)\"" }
      let profile = Self.profile(matrix, curve, Self.wide(name))
      #expect(self.ignored(png(profile: profile)) == expected)
      for count in [1, 2, 7] {
        #expect(self.ignored(jpeg(profile: profile, segments: count)) == expected)
      }
    }
    let old = Self.profile(matrix, curve, Self.ascii("Of version 2"))
    #expect(
      self.ignored(png(profile: old)) == ignored.map { _ in "the colour profile \"Of version 2\"" })
  }

  @Test func `other kinds of profiles are ignored, too`() {
    let gray = { Self.profile("GRAY", [("kTRC", $0)]) }
    #expect(ignored(png(profile: gray(Self.gamma(563)))) == nil)
    #expect(
      ignored(png(profile: gray(Self.gamma(461)), called: "Dot"))
        == "the colour profile \"Dot\"")
    let tables = { Self.profile($0, [("desc", Self.ascii($1))]) }
    #expect(ignored(jpeg(profile: tables("RGB ", "sRGB v4 preference"))) == nil)
    #expect(ignored(jpeg(profile: tables("RGB ", "Scanner"))) == "the colour profile \"Scanner\"")
    #expect(ignored(jpeg(profile: tables("CMYK", ""))) == "a colour profile")
  }

  @Test func `gamma and primaries of a PNG file other than sRGB's are ignored`() {
    let gamma = { ("gAMA", PNGFile.number($0)) }
    let primaries = { (red: Int) in
      (
        "cHRM",
        [31_270, 32_900, red, 33_000, 30_000, 60_000, 15_000, 6_000].flatMap(PNGFile.number)
      )
    }
    #expect(ignored(png()) == nil)
    #expect(ignored(png(gamma(45_455), primaries(64_000))) == nil)
    #expect(ignored(png(gamma(55_556))) == "a gamma of 1.8")
    #expect(ignored(png(gamma(100_000))) == "a gamma of 1.0")
    #expect(ignored(png(gamma(0))) == nil)
    #expect(ignored(png(gamma(45_455), primaries(68_000))) == "different primary colours")
    #expect(ignored(png(("sRGB", [0]), gamma(100_000), primaries(68_000))) == nil)
    #expect(ignored(png(("cICP", [1, 13, 0, 1]), gamma(100_000))) == nil)
    #expect(ignored(png(("cICP", [12, 13, 0, 1]))) == "the colour space 12-13-0-1")
    #expect(ignored(JPEGFile.baseline) == nil)
  }

  @Test func `damaged profiles are handled`() {
    let whole = Self.profile(Self.displayP3, Self.formula, Self.wide("P3"))
    for count in 0..<whole.count {
      _ = ignored(png(profile: Array(whole.prefix(count))))
      _ = ignored(jpeg(profile: Array(whole.prefix(count))))
    }
    var random = SeededGenerator(seed: 3)
    for _ in 0..<2000 {
      _ = ignored(png(profile: whole.mutated(using: &random)))
      _ = ignored(jpeg(profile: whole, segments: 3).mutated(using: &random))
      _ = ignored(png(profile: whole).mutated(using: &random))
    }
    #expect(ignored([]) == nil)
    #expect(ignored(Array("\u{89}PNG".utf8)) == nil)
  }
}
