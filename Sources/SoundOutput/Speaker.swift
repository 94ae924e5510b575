// SPDX-License-Identifier: MIT

package import RoundelAudio
package import LinuxIO
internal import RoundelMotion
internal import Synchronization
internal import SystemPackage

/// Plays several sounds at once on its own thread. Silent without a card.
///
/// The card is opened for the first sound and closed some seconds after the last, without wake-ups
/// in between. Later sounds retry a failed card at increasing intervals.
package final class Speaker {
  private let loop: EventLoop
  private let log: (_ message: String, _ isWarning: Bool) -> Void
  private var worker: Worker?
  private let playing = Playing()
  private var closing: EventLoop.Token?
  private var backOff = BackOff()
  private var nextTry = Timestamp.zero

  package private(set) var isBusy = false
  /// An explanation, or nil if the last sounds were audible.
  package private(set) var problem: String?
  /// The number of sounds, audible or not.
  package private(set) var soundCount = 0

  /// Seconds until an idle card is closed.
  private static let idleTime = 2.0

  package init(on loop: EventLoop, log: @escaping (_ message: String, _ isWarning: Bool) -> Void) {
    self.loop = loop
    self.log = log
  }

  /// Starts a sound in addition to the current ones. Never blocks.
  package func play(_ sound: Sound) {
    soundCount += 1
    guard MonotonicClock.now >= nextTry else { return }
    playing.add(sound)
    begin()
  }

  /// Starts speech in addition to the current sounds. Never blocks.
  package func speak(_ sound: Sound) {
    soundCount += 1
    guard MonotonicClock.now >= nextTry else { return }
    playing.add(sound, isSpoken: true)
    begin()
  }

  /// Stops speech within a few hundredths of a second.
  package func stopSpeaking() { playing.stopSpeaking() }

  private func begin() {
    guard !isBusy, playing.hasMore else { return }
    closing = nil
    do throws(Errno) {
      if worker == nil { worker = try Worker(on: loop) }
      isBusy = true
      worker?.run { [playing] in
        playing.playAll()
      } whenDone: { [unowned self] error in
        finish(error)
      }
    } catch {
      playing.forget()
      fail("\(error)")
    }
  }

  private func finish(_ error: PCMError?) {
    isBusy = false
    if let error {
      fail("\(error)")
    } else {
      backOff.reset()
      if problem != nil { log("sound works again", false) }
      problem = nil
    }
    begin()
    guard !isBusy, error == nil else { return }
    closing = loop.schedule(at: MonotonicClock.now + Self.idleTime) { [unowned self] in
      closing = nil
      worker?.run { [playing] in
        playing.close()
      } whenDone: { _ in
      }
    }
  }

  private func fail(_ reason: String) {
    nextTry = MonotonicClock.now + backOff.next()
    let message = "cannot play sound: ALSA's device \"\(PCMStream.device)\" fails: \(reason)"
    if problem != message { log("\(message); see roundel doctor", true) }
    problem = message
  }
}

private final class Playing: Sendable {
  private let waiting = Mutex<Waiting>(Waiting())

  private struct Waiting {
    var sounds: [(sound: Sound, isSpoken: Bool)] = []
    /// Whether current speech stops first.
    var stopsSpeaking = false
  }

  /// Used only by the worker.
  private let stream = Mutex<PCMStream?>(nil)

  /// Frames of 10 ms.
  private static let chunk = Mixer.rate / 100

  var hasMore: Bool { waiting.withLock { !$0.sounds.isEmpty } }

  func add(_ sound: Sound, isSpoken: Bool = false) {
    waiting.withLock { waiting in
      // More sounds wait than can play at once.
      if waiting.sounds.count == Mixer.maximumVoices { waiting.sounds.removeFirst() }
      waiting.sounds.append((sound, isSpoken))
    }
  }

  func stopSpeaking() {
    waiting.withLock { waiting in
      waiting.sounds.removeAll(where: \.isSpoken)
      waiting.stopsSpeaking = true
    }
  }

  func forget() { waiting.withLock { $0 = Waiting() } }

  func playAll() -> PCMError? {
    stream.withLock { stream in
      do throws(PCMError) {
        if stream == nil { stream = try PCMStream() }
        var mixer = Mixer()
        var frames = [Int16](repeating: 0, count: 2 * Self.chunk)
        repeat {
          while true {
            let next = takeWaiting()
            if next.stopsSpeaking { mixer.stopSpeaking() }
            for (sound, isSpoken) in next.sounds { mixer.add(sound, isSpoken: isSpoken) }
            let count = mixer.mix(into: &frames)
            if count == 0 { break }
            try stream?.write(frames, count: count)
          }
          try stream?.finish()
        } while hasMore
        return nil
      } catch {
        stream = nil
        forget()
        return error
      }
    }
  }

  func close() { stream.withLock { $0 = nil } }

  private func takeWaiting() -> Waiting {
    waiting.withLock { waiting in
      defer { waiting = Waiting() }
      return waiting
    }
  }
}
