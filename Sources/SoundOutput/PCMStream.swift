// SPDX-License-Identifier: MIT

internal import Audio
internal import CALSA

/// The reason why ALSA does not play.
struct PCMError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A negative number of the kernel's or of ALSA's own.
  let code: CInt

  var description: String {
    // Its texts last as long as the program.
    guard let text = unsafe snd_strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }

  fileprivate static func check(_ result: CInt) throws(PCMError) {
    if result < 0 { throw PCMError(code: result) }
  }
}

/// Samples on their way to the sound card that the system has for programs: 16 bits, stereo, the mixer's
/// rate. Not for the loop's thread: all calls wait.
@safe final class PCMStream {
  /// Open as long as this is.
  private let handle: OpaquePointer

  /// ALSA's name for the device on which programs play.
  static let device = "default"
  /// The length of the sound on its way, at most, in microseconds: the delay of a sound that joins others.
  private static let latency: CUnsignedInt = 60_000
  /// The most gaps in one call. A card that cannot go on after these never will.
  private static let maximumGaps = 8

  init() throws(PCMError) {
    roundel_silence_alsa()
    var handle: OpaquePointer?
    // Writes into the local. A card that another program has is an error, not a wait.
    let result = unsafe snd_pcm_open(
      &handle, Self.device, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK)
    guard result >= 0, let opened = unsafe handle else {
      Self.forgetSettings()
      throw PCMError(code: result)
    }
    unsafe self.handle = opened
    // The handle is open until `deinit`, which runs also where this fails.
    try PCMError.check(unsafe snd_pcm_nonblock(opened, 0))
    try PCMError.check(
      unsafe snd_pcm_set_params(
        opened, SND_PCM_FORMAT_S16, SND_PCM_ACCESS_RW_INTERLEAVED, 2, CUnsignedInt(Mixer.rate), 1,
        Self.latency))
  }

  deinit {
    _ = unsafe snd_pcm_close(handle)
    Self.forgetSettings()
  }

  /// Lets the next stream read ALSA's settings again, which may name other cards by that time. They take a
  /// megabyte, and nothing else of this process uses them.
  private static func forgetSettings() { _ = snd_config_update_free_global() }

  /// Plays the first `count` frames of `frames`; waits until all but the last of them are played.
  func write(_ frames: [Int16], count: Int) throws(PCMError) {
    var done = 0
    var gaps = 0
    while done < count {
      let result = unsafe frames.withUnsafeBufferPointer { samples -> snd_pcm_sframes_t in
        // Two samples a frame; `count` frames are there.
        guard let start = samples.baseAddress else { return 0 }
        return unsafe snd_pcm_writei(
          handle, start + 2 * done, snd_pcm_uframes_t(min(count, samples.count / 2) - done))
      }
      if result < 0 {
        // A gap, or a machine that has slept, is made good by going on; anything else is not.
        gaps += 1
        guard gaps <= Self.maximumGaps else { throw PCMError(code: CInt(result)) }
        try PCMError.check(unsafe snd_pcm_recover(handle, CInt(result), 1))
      } else if result == 0 {
        throw PCMError(code: -EIO)
      } else {
        done += Int(result)
      }
    }
  }

  /// Waits until all is played.
  func finish() throws(PCMError) {
    try PCMError.check(unsafe snd_pcm_drain(handle))
    try PCMError.check(unsafe snd_pcm_prepare(handle))
  }
}
