// SPDX-License-Identifier: MIT

import RoundelAudio
import Glibc
import Testing

@Suite struct MixerTests {
  /// The mixed output, in chunks of an odd size.
  private func played(_ sounds: [Sound], chunk: Int = 7) -> [Int16] {
    var mixer = Mixer()
    for sound in sounds { mixer.add(sound) }
    var heard: [Int16] = []
    var frames = [Int16](repeating: -1, count: 2 * chunk)
    while true {
      let count = mixer.mix(into: &frames)
      heard += frames.prefix(2 * count)
      if count < chunk { return heard }
    }
  }

  private func mono(_ samples: [Int16], rate: Int = Mixer.rate) -> Sound {
    Sound(rate: rate, channels: 1, samples: samples)
  }

  @Test func `a sound at the mixer's rate is played unchanged, and mono on both sides`() {
    #expect(played([mono([1, -2, 3])]) == [1, 1, -2, -2, 3, 3])
    let stereo = Sound(rate: Mixer.rate, channels: 2, samples: Array(1...40))
    #expect(played([stereo]) == Array(1...40))
  }

  @Test func `simultaneous sounds are added, and clipped if too loud`() {
    #expect(played([mono([1, 2, 3]), mono([10])]) == [11, 11, 2, 2, 3, 3])
    #expect(
      played([mono([32_767, -32_768]), mono([9, -9])]) == [32_767, 32_767, -32_768, -32_768])
  }

  @Test func `a sound can start while another is playing`() {
    var mixer = Mixer()
    mixer.add(mono([1, 2, 3, 4]))
    var frames = [Int16](repeating: 0, count: 4)
    #expect(mixer.mix(into: &frames) == 2)
    mixer.add(mono([10, 10, 10]))
    #expect(mixer.mix(into: &frames) == 2)
    #expect(frames == [13, 13, 14, 14])
    #expect(mixer.mix(into: &frames) == 1)
    #expect(frames == [10, 10, 0, 0])
    #expect(mixer.mix(into: &frames) == 0)
  }

  @Test func `a sound beyond the maximum number replaces the first`() {
    let sounds = (0...Mixer.maximumVoices).map { mono([Int16(1 << $0)]) }
    #expect(played(sounds) == [510, 510])
  }

  @Test(arguments: [8_000, 11_025, 22_050, 44_100, 96_000, 192_000, 44_101])
  func `a tone at another rate keeps its pitch and strength`(rate: Int) {
    // 0.1 s of 1 kHz.
    let step = 2 * Double.pi * 1_000
    let tone = (0..<rate / 10).map {
      Int16((16_000 * sin(step * Double($0) / Double(rate))).rounded())
    }
    let heard = played([mono(tone, rate: rate)], chunk: 480)
    // Up to one frame of the original rate is missing.
    #expect(abs(heard.count / 2 - Mixer.rate / 10) <= Mixer.rate / rate)
    // The tone is cut off at both ends.
    for frame in 200..<heard.count / 2 - 200 {
      let expected = 16_000 * sin(step * Double(frame) / Double(Mixer.rate))
      #expect(abs(Double(heard[2 * frame]) - expected) < 30, "frame \(frame)")
    }
  }

  @Test func `frequencies above the mixer's range cause no aliasing`() {
    // 40 kHz, which would alias to 8 kHz.
    let tone = (0..<19_200).map { Int16(16_000 * sin(2 * .pi * 40_000 * Double($0) / 192_000)) }
    let heard = played([mono(tone, rate: 192_000)], chunk: 480)
    #expect(heard.dropFirst(400).dropLast(400).allSatisfy { abs($0) < 60 })
  }
}
