// SPDX-License-Identifier: MIT

internal import CRoundelZlib

/// The colour space declared by an image file, if it isn't sRGB. It is ignored.
package struct IgnoredProfile: Hashable, Sendable, CustomStringConvertible {
  /// A description such as `the colour profile "Display P3"`.
  package let description: String

  private init(_ description: String) { self.description = description }

  private init(named name: String) {
    self.init(name.isEmpty ? "a colour profile" : "the colour profile \"\(name)\"")
  }

  /// Returns nil if the file's colours are sRGB, or if it doesn't declare a colour space.
  package init?(of file: [UInt8]) {
    guard let found = JPEG.isJPEG(file) ? Self.jpeg(file) : Self.png(file) else { return nil }
    self = found
  }

  /// A profile may have several segments, each with its number and their count (ICC.1, annex B.4).
  private static func jpeg(_ file: [UInt8]) -> IgnoredProfile? {
    let mark = Array("ICC_PROFILE\0".utf8)
    let parts = JPEG.segments(file).filter {
      $0.marker == 0xe2 && $0.contents.starts(with: mark) && $0.contents.count > mark.count + 2
    }
    .map { $0.contents.dropFirst(mark.count) }
    .sorted { ($0.first ?? 0) < ($1.first ?? 0) }
    return profile(parts.flatMap { $0.dropFirst(2) }, called: "")
  }

  private static func profile(_ bytes: [UInt8], called name: String) -> IgnoredProfile? {
    guard let profile = ICCProfile(bytes), !profile.isSRGB else { return nil }
    return IgnoredProfile(named: profile.name.isEmpty ? name : profile.name)
  }

  /// The first of these chunks takes precedence (PNG, third edition, 4.3).
  private static func png(_ file: [UInt8]) -> IgnoredProfile? {
    let chunks = PNG.chunksBeforePixels(file)
    func contents(_ name: String) -> ArraySlice<UInt8>? {
      chunks.first { $0.name.elementsEqual(name.utf8) }?.contents
    }
    if let codes = contents("cICP") {
      // Primaries, transfer function, matrix, range (ITU-T H.273).
      return codes.elementsEqual([1, 13, 0, 1])
        ? nil
        : IgnoredProfile(
          "the colour space \(codes.prefix(4).map(String.init).joined(separator: "-"))")
    }
    if let packed = contents("iCCP") {
      let name = packed.prefix { $0 != 0 }
      // The name ends with a zero. The compression method follows.
      return profile(
        unpacked(packed.dropFirst(name.count + 2)),
        called: String(String.UnicodeScalarView(name.map { Unicode.Scalar($0) })))
    }
    if contents("sRGB") != nil { return nil }
    func numbers(_ name: String, _ count: Int) -> [Int]? {
      guard let bytes = contents(name), bytes.count == 4 * count else { return nil }
      return (0..<count).map { index in
        bytes.dropFirst(4 * index).prefix(4).reduce(0) { $0 << 8 | Int($1) }
      }
    }
    // White, red, green and blue, in units of 1/100 000.
    let primaries = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000]
    if let own = numbers("cHRM", 8), zip(own, primaries).contains(where: { abs($0 - $1) > 1_000 }) {
      return IgnoredProfile("different primary colours")
    }
    // The reciprocal of the usual display gamma, 2.2.
    if let gamma = numbers("gAMA", 1)?.first, gamma > 0, abs(gamma - 45_455) > 1_000 {
      let tenths = (1_000_000 + gamma / 2) / gamma
      return IgnoredProfile("a gamma of \(tenths / 10).\(tenths % 10)")
    }
    return nil
  }

  /// Sufficient for most profiles.
  private static let maximumProfileBytes = 64 << 10

  private static func unpacked(_ packed: ArraySlice<UInt8>) -> [UInt8] {
    let packed = Array(packed)
    return unsafe [UInt8](unsafeUninitializedCapacity: maximumProfileBytes) { memory, count in
      var length = uLong(memory.count)
      // zlib writes at most `length` bytes and stores their number in `length`.
      let result = unsafe uncompress(memory.baseAddress, &length, packed, uLong(packed.count))
      count = result == Z_OK || result == Z_BUF_ERROR ? min(Int(length), memory.count) : 0
    }
  }
}
