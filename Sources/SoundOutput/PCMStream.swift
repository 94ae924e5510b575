// SPDX-License-Identifier: MIT

internal import RoundelAudio
internal import CRoundelALSA

/// An error of ALSA.
struct PCMError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A negative number, from the kernel or from ALSA.
  let code: CInt

  var description: String {
    // ALSA's strings are static.
    guard let text = unsafe snd_strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }

  fileprivate static func check(_ result: CInt) throws(PCMError) {
    if result < 0 { throw PCMError(code: result) }
  }
}

/// A stream to the default sound card: 16 bits, stereo, at the mixer's rate. All calls block, so
/// don't use it on the loop's thread.
@safe final class PCMStream {
  /// The stream, open as long as this object exists.
  private let handle: OpaquePointer

  static let device = "default"
  /// Microseconds of buffered sound, which delay additional sounds.
  private static let latency: CUnsignedInt = 60_000
  /// Underruns in one call. A card that can't continue after these never will.
  private static let maximumGaps = 8

  init() throws(PCMError) {
    roundel_silence_alsa()
    var handle: OpaquePointer?
    // Writes the local. Fails instead of blocking if another program uses the card.
    let result = unsafe snd_pcm_open(
      &handle, Self.device, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK)
    guard result >= 0, let opened = unsafe handle else {
      Self.forgetSettings()
      throw PCMError(code: result)
    }
    unsafe self.handle = opened
    // The handle is open until `deinit`, which also runs if this fails.
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

  /// The next stream reads ALSA's settings again, a megabyte that may name other cards.
  private static func forgetSettings() { _ = snd_config_update_free_global() }

  /// Blocks until almost all frames are played.
  func write(_ frames: [Int16], count: Int) throws(PCMError) {
    var done = 0
    var gaps = 0
    while done < count {
      let result = unsafe frames.withUnsafeBufferPointer { samples -> snd_pcm_sframes_t in
        // Two samples per frame.
        guard let start = samples.baseAddress else { return 0 }
        return unsafe snd_pcm_writei(
          handle, start + 2 * done, snd_pcm_uframes_t(min(count, samples.count / 2) - done))
      }
      if result < 0 {
        // Recovers only from underruns and suspend.
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

  func finish() throws(PCMError) {
    try PCMError.check(unsafe snd_pcm_drain(handle))
    try PCMError.check(unsafe snd_pcm_prepare(handle))
  }
}
