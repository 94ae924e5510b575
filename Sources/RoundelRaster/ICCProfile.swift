// SPDX-License-Identifier: MIT

internal import Glibc

/// The parts of a colour profile (ICC.1:2010) that show whether it is sRGB.
struct ICCProfile {
  let name: String
  let isSRGB: Bool

  /// Returns nil if the bytes are not a profile.
  init?(_ bytes: [UInt8]) {
    let tags = Tags(bytes)
    guard bytes.count >= 132, bytes[36..<40].elementsEqual("acsp".utf8) else { return nil }
    name = tags["desc"].map(Self.text) ?? ""
    switch String(decoding: bytes[16..<20], as: UTF8.self) {
    case "RGB ":
      let columns = ["rXYZ", "gXYZ", "bXYZ"].compactMap { tags[$0].flatMap(Self.color) }
      let curves = ["rTRC", "gTRC", "bTRC"].compactMap { tags[$0].flatMap(Curve.init) }
      if columns.count == 3, curves.count == 3 {
        isSRGB =
          zip(columns, Self.primaries).allSatisfy { own, wanted in
            zip(own, wanted).allSatisfy { abs($0 - $1) < 0.01 }
          } && curves.allSatisfy(\.isSRGB)
      } else {
        // The profile consists of tables, which are not evaluated.
        isSRGB = name.hasPrefix("sRGB")
      }
    case "GRAY": isSRGB = tags["kTRC"].flatMap(Curve.init)?.isSRGB ?? false
    default: isSRGB = false
    }
  }

  /// The red, green and blue of sRGB, adapted to the white point of profiles, D50 (IEC 61966-2-1,
  /// Bradford).
  private static let primaries = [
    [0.4361, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7141],
  ]

  private static func color(_ tag: Bytes) -> [Double]? {
    guard tag.isOf("XYZ ") else { return nil }
    let values = [8, 12, 16].compactMap(tag.fixed)
    return values.count == 3 ? values : nil
  }

  private static func text(_ tag: Bytes) -> String {
    let text =
      if tag.isOf("desc"), let count = tag.number(8, bytes: 4), let ascii = tag.slice(12, count) {
        String(decoding: ascii, as: UTF8.self)
      } else if tag.isOf("mluc"), let count = tag.number(20, bytes: 4),
        let offset = tag.number(24, bytes: 4), let units = tag.slice(offset, count)
      {
        String(
          decoding: stride(from: units.startIndex, to: units.endIndex - 1, by: 2).map {
            UInt16(units[$0]) << 8 | UInt16(units[$0 + 1])
          }, as: UTF16.self)
      } else {
        ""
      }
    return String(text.prefix { $0 != "\0" }.prefix(80))
  }

  private struct Curve {
    let isSRGB: Bool

    init?(_ tag: Bytes) {
      // The light of sRGB at a quarter, a half and three quarters. A gamma of 2.2 is within the
      // tolerance.
      func isSRGB(_ lightness: (Double) -> Double?) -> Bool {
        [(0.25, 0.0509), (0.5, 0.2140), (0.75, 0.5225)].allSatisfy { value, wanted in
          lightness(value).map { abs($0 - wanted) < 0.012 } ?? false
        }
      }
      if tag.isOf("curv"), let count = tag.number(8, bytes: 4) {
        switch count {
        case 0: self.isSRGB = false
        case 1:
          guard let gamma = tag.number(12, bytes: 2) else { return nil }
          self.isSRGB = isSRGB { pow($0, Double(gamma) / 256) }
        default:
          self.isSRGB = isSRGB { value in
            let place = Int((value * Double(count - 1)).rounded())
            return tag.number(12 + 2 * place, bytes: 2).map { Double($0) / 65_535 }
          }
        }
      } else if tag.isOf("para"), let kind = tag.number(8, bytes: 2) {
        // g, a, b, c, d, e, f. Each kind uses the first few.
        guard [0, 1, 2, 3, 4].contains(kind) else { return nil }
        let own = (0..<[1, 3, 4, 5, 7][kind]).compactMap { tag.fixed(12 + 4 * $0) }
        guard own.count == [1, 3, 4, 5, 7][kind] else { return nil }
        let p = own + Array(repeating: 0, count: 7 - own.count)
        self.isSRGB = isSRGB { value in
          switch kind {
          case 0: pow(value, p[0])
          case 1, 2: pow(max(p[1] * value + p[2], 0), p[0]) + p[3]
          default:
            value >= p[4] ? pow(max(p[1] * value + p[2], 0), p[0]) + p[5] : p[3] * value + p[6]
          }
        }
      } else {
        return nil
      }
    }
  }

  /// Offsets are relative to the start. Accesses outside return nil.
  private struct Bytes {
    let bytes: ArraySlice<UInt8>

    func slice(_ offset: Int, _ count: Int) -> ArraySlice<UInt8>? {
      guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else {
        return nil
      }
      return bytes.dropFirst(offset).prefix(count)
    }

    /// Big-endian, at most four bytes.
    func number(_ offset: Int, bytes count: Int) -> Int? {
      slice(offset, count)?.reduce(0) { $0 << 8 | Int($1) }
    }

    /// A signed number with 16 fractional bits.
    func fixed(_ offset: Int) -> Double? {
      number(offset, bytes: 4).map { Double(Int32(truncatingIfNeeded: $0)) / 65_536 }
    }

    func isOf(_ type: String) -> Bool { slice(0, 4)?.elementsEqual(type.utf8) ?? false }
  }

  private struct Tags {
    private let whole: Bytes

    init(_ bytes: [UInt8]) { whole = Bytes(bytes: bytes[...]) }

    subscript(name: String) -> Bytes? {
      // Most profiles have ten or twenty tags.
      for index in 0..<min(whole.number(128, bytes: 4) ?? 0, 100) {
        let entry = 132 + 12 * index
        guard let own = whole.slice(entry, 4), let offset = whole.number(entry + 4, bytes: 4),
          let count = whole.number(entry + 8, bytes: 4)
        else { return nil }
        if own.elementsEqual(name.utf8) { return whole.slice(offset, count).map(Bytes.init) }
      }
      return nil
    }
  }
}
