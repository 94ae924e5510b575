// SPDX-License-Identifier: MIT

import RoundelAudio
import Testing

/// A WAV file in parts, which tests break individually.
struct File {
  var tag: UInt16 = 1
  var channels: UInt16 = 1
  var rate: UInt32 = 48_000
  var bits: UInt16 = 16
  var frameBytes: UInt16?
  var before: [UInt8] = []
  var length: UInt32?
  var data: [UInt8] = []

  static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    name.utf8 + littleEndian(UInt32(content.count)) + content
      + (content.count.isMultiple(of: 2) ? [] : [0])
  }

  static func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> Number($0 * 8)) }
  }

  var format: [UInt8] {
    let frame = frameBytes ?? channels &* (bits / 8)
    return Self.littleEndian(tag) + Self.littleEndian(channels) + Self.littleEndian(rate)
      + Self.littleEndian(rate &* UInt32(frame)) + Self.littleEndian(frame)
      + Self.littleEndian(bits)
  }

  var bytes: [UInt8] {
    let body =
      "WAVE".utf8 + before + Self.chunk("fmt ", format) + "data".utf8
      + Self.littleEndian(length ?? UInt32(data.count)) + data
    return "RIFF".utf8 + Self.littleEndian(UInt32(body.count)) + body
  }

  func sound() throws(SoundError) -> Sound { try Sound(bytes) }

  /// The error, or nil if the file can be played.
  var diagnostic: String? {
    do throws(SoundError) {
      _ = try sound()
      return nil
    } catch {
      return error.description
    }
  }
}

@Suite struct WAVTests {
  @Test func `samples of each depth are read, and more than 16 bits are rounded`() throws {
    let depths: [(bits: UInt16, tag: UInt16, data: [UInt8], samples: [Int16])] = [
      (8, 1, [0, 128, 255], [-32_768, 0, 32_512]),
      (16, 1, [0, 0x80, 0xff, 0xff, 0xff, 0x7f], [-32_768, -1, 32_767]),
      (24, 1, [0, 0, 0x80, 0x80, 0, 0, 0x7f, 0, 0, 0xff, 0xff, 0x7f], [-32_768, 1, 0, 32_767]),
      (32, 1, [0, 0, 0, 0x80, 0, 0x80, 1, 0, 0xff, 0xff, 0xff, 0x7f], [-32_768, 2, 32_767]),
      (
        32, 3,
        [-1.0, 0, 0.5, 7, Float.nan, -.infinity].flatMap { File.littleEndian($0.bitPattern) },
        [-32_768, 0, 16_384, 32_767, 0, -32_768]
      ),
      (
        64, 3, [-0.5, 1e300, .nan].flatMap { File.littleEndian($0.bitPattern) },
        [-16_384, 32_767, 0]
      ),
    ]
    for depth in depths {
      let sound = try File(tag: depth.tag, bits: depth.bits, data: depth.data).sound()
      #expect(sound.samples == depth.samples, "\(depth.bits) bits in format \(depth.tag)")
    }
  }

  @Test func `rate and channels come from the file, and an incomplete last frame is omitted`()
    throws
  {
    let sound = try File(channels: 2, rate: 8_000, data: [1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 9]).sound()
    #expect(sound == Sound(rate: 8_000, channels: 2, samples: [1, 2, 3, 4]))
    #expect(sound.seconds == 2 / 8_000.0)
  }

  @Test func `other chunks are skipped, at even positions`() throws {
    let sound = try File(
      before: File.chunk("LIST", [1, 2, 3]) + File.chunk("fact", []), data: [7, 0]
    ).sound()
    #expect(sound.samples == [7])
  }

  @Test func `a file written to a pipe may have an unknown length`() throws {
    #expect(try File(length: .max, data: [7, 0, 8, 0]).sound().samples == [7, 8])
  }

  @Test func `the format may be extensible`() throws {
    var file = File(tag: 0xfffe, data: [7, 0])
    #expect(file.diagnostic == "the file is damaged: its format is too short")
    let own = file.format + [22, 0, 16, 0, 4, 0, 0, 0, 1, 0] + [UInt8](repeating: 0, count: 14)
    file.before = File.chunk("fmt ", own)
    let bytes =
      Array("RIFF".utf8) + [0, 0, 0, 0] + "WAVE".utf8 + file.before
      + File.chunk("data", [7, 0])
    #expect(try Sound(bytes).samples == [7])
  }

  @Test func `a file that can't be played gives the reason`() throws {
    #expect(
      File(tag: 0x55, data: [0, 0]).diagnostic
        == "its samples are compressed (format 0x55); save it as PCM")
    #expect(
      File(bits: 12, data: [0, 0]).diagnostic == "its samples have 12 bits, not 8, 16, 24 or 32")
    #expect(
      File(tag: 3, bits: 16, data: [0, 0]).diagnostic
        == "its samples are floating-point numbers of 16 bits, not 32 or 64")
    #expect(File(channels: 6, data: [0, 0]).diagnostic == "it has 6 channels, not one or two")
    #expect(File(channels: 0, data: [0, 0]).diagnostic == "it has 0 channels, not one or two")
    #expect(
      File(rate: .max, data: [0, 0]).diagnostic
        == "it has 4294967295 samples per second, not 1000 to 192000")
    #expect(
      File(frameBytes: 0, data: [0, 0]).diagnostic
        == "the file is damaged: its frames are larger than their samples")
    #expect(File().diagnostic == "it has no samples")
    #expect(
      File(length: 9, data: [0, 0]).diagnostic == "the file is truncated in its samples")
    #expect(throws: SoundError.notWAV) { try Sound([]) }
    #expect(throws: SoundError.notWAV) { try Sound(Array("RIFF\0\0\0\0AVI ".utf8)) }
    #expect(throws: SoundError.truncated("header")) { try Sound(Array("RI".utf8)) }
    let backwards = Array("RIFF\0\0\0\0WAVE".utf8) + File.chunk("data", [0, 0])
    #expect(throws: SoundError.damaged(reason: "samples precede their format")) {
      try Sound(backwards)
    }
  }

  @Test func `a truncated or damaged file is either a sound or an error`() throws {
    let whole = File(
      channels: 2, before: File.chunk("LIST", [1, 2, 3]), data: [1, 0, 2, 0, 3, 0, 4, 0]
    ).bytes
    for count in whole.indices {
      #expect(throws: SoundError.self) { try Sound(Array(whole.prefix(count))) }
    }
    for index in whole.indices {
      for change in [1, 0x7f, 0x80, 0xff] as [UInt8] {
        var bytes = whole
        bytes[index] ^= change
        let sound = try? Sound(bytes)
        #expect((sound?.samples.count ?? 0) <= 8)
      }
    }
  }
}
