// SPDX-License-Identifier: MIT

extension Sound {
  /// Reads a WAV file with uncompressed samples: PCM with 8, 16, 24 or 32 bits, or floating-point
  /// numbers with 32 or
  /// 64. Samples are rounded to 16 bits.
  ///
  /// Unrelated chunks are skipped. Programs that write to a pipe don't know the length, and write
  /// the maximum. The sound then continues to the file's end.
  package init(_ bytes: [UInt8]) throws(SoundError) {
    let head = Array("RIFF".utf8)
    guard bytes.starts(with: head) else {
      throw !bytes.isEmpty && head.starts(with: bytes) ? .truncated("header") : .notWAV
    }
    guard bytes.count >= 12 else { throw .truncated("header") }
    guard bytes[8..<12].elementsEqual("WAVE".utf8) else { throw .notWAV }
    var format: SampleFormat?
    var place = 12
    while bytes.count - place >= 8 {
      let name = bytes[place..<place + 4]
      let length = Int(bytes.littleEndian(at: place + 4, bytes: 4))
      place += 8
      let left = bytes.count - place
      if name.elementsEqual("fmt ".utf8) {
        guard length <= left else { throw .truncated("format") }
        format = try SampleFormat(bytes[place..<place + length])
      } else if name.elementsEqual("data".utf8) {
        guard let format else { throw .damaged(reason: "samples precede their format") }
        guard length <= left || length >= unknownLength else { throw .truncated("samples") }
        let samples = format.samples(bytes[place..<place + min(length, left)])
        guard !samples.isEmpty else { throw .silent }
        self.init(rate: format.rate, channels: format.channels, samples: samples)
        return
      }
      // Chunks start at even offsets.
      let (next, overflows) = place.addingReportingOverflow(length + length % 2)
      guard !overflows, next <= bytes.count else { throw .truncated("chunks before its samples") }
      place = next
    }
    throw bytes.count == place
      ? .damaged(reason: "it has no samples") : .truncated("chunks before its samples")
  }
}

/// Unknown lengths: espeak-ng writes nearly 2 GiB, others the maximum.
private let unknownLength = 0x7fff_0000

private struct SampleFormat {
  var rate: Int
  var channels: Int
  var isFloat: Bool
  var bytesPerSample: Int

  private static let pcm = 1
  private static let float = 3
  /// The format number if the real number follows later in the chunk.
  private static let extensible = 0xfffe

  init(_ chunk: ArraySlice<UInt8>) throws(SoundError) {
    guard chunk.count >= 16 else { throw .damaged(reason: "its format is too short") }
    let bytes = Array(chunk)
    func number(_ place: Int, _ count: Int) -> Int {
      Int(bytes.littleEndian(at: place, bytes: count))
    }
    var tag = number(0, 2)
    if tag == Self.extensible {
      guard bytes.count >= 26 else { throw .damaged(reason: "its format is too short") }
      tag = number(24, 2)
    }
    guard tag == Self.pcm || tag == Self.float else { throw .compressed(format: tag) }
    isFloat = tag == Self.float
    channels = number(2, 2)
    rate = number(4, 4)
    let bits = number(14, 2)
    guard (isFloat ? [32, 64] : [8, 16, 24, 32]).contains(bits) else {
      throw .depth(bits: bits, isFloat: isFloat)
    }
    bytesPerSample = bits / 8
    guard channels == 1 || channels == 2 else { throw .channels(channels) }
    guard Sound.rates.contains(rate) else { throw .rate(rate) }
    guard number(12, 2) == channels * bytesPerSample else {
      throw .damaged(reason: "its frames are larger than their samples")
    }
  }

  func samples(_ bytes: ArraySlice<UInt8>) -> [Int16] {
    let count = bytes.count / (bytesPerSample * channels) * channels
    return (0..<count).map { index in
      sample(in: bytes, at: bytes.startIndex + index * bytesPerSample)
    }
  }

  private func sample(in bytes: ArraySlice<UInt8>, at place: Int) -> Int16 {
    // Little-endian.
    func bits(_ count: Int) -> UInt64 {
      var bits: UInt64 = 0
      for index in (0..<count).reversed() { bits = bits << 8 | UInt64(bytes[place + index]) }
      return bits
    }
    switch (bytesPerSample, isFloat) {
    case (1, _): return (Int16(bytes[place]) - 128) << 8
    case (2, _): return Int16(truncatingIfNeeded: bits(2))
    case (4, true): return Self.rounded(Double(Float(bitPattern: UInt32(bits(4)))))
    case (8, _): return Self.rounded(Double(bitPattern: bits(8)))
    case (let count, _):
      // The upper 16 bits, rounded with the next bit.
      let number = bits(count) >> UInt64(count * 8 - 17)
      let wide = Int32(truncatingIfNeeded: number << 15) >> 15
      return Int16(clamping: (wide + 1) >> 1)
    }
  }

  /// A sample of -1 … 1. NaN becomes silence.
  private static func rounded(_ value: Double) -> Int16 {
    guard !value.isNaN else { return 0 }
    return Int16(min(max(value * 32_768, -32_768), 32_767).rounded())
  }
}

extension [UInt8] {
  fileprivate func littleEndian(at place: Int, bytes count: Int) -> UInt64 {
    self[place..<place + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
