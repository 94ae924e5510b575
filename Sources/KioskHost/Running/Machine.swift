// SPDX-License-Identifier: MIT

package import RoundelAudio
package import RoundelExpressions
package import KioskProtocol
package import LinuxIO
package import RoundelRaster

package struct Machine {
  package let loop: EventLoop
  package let outputs: OutputStreams
  package let service: Service
  package let folders: StateFolders
  package let sounds: any SoundPlayer
  package let build: String?
  /// The painting threads, or nil to paint on the loop's thread.
  package let threads: ThreadPool?
  package let wallClock: () -> CivilTime

  package init(
    loop: EventLoop, outputs: OutputStreams, service: Service, folders: StateFolders,
    sounds: any SoundPlayer, build: String?, threads: ThreadPool? = nil,
    wallClock: @escaping () -> CivilTime
  ) {
    self.loop = loop
    self.outputs = outputs
    self.service = service
    self.folders = folders
    self.sounds = sounds
    self.build = build
    self.threads = threads
    self.wallClock = wallClock
  }
}

/// Mixes sounds, and never blocks the loop.
package protocol SoundPlayer: AnyObject {
  func play(_ sound: Sound)

  /// Mixes speech with other sounds.
  func speak(_ sound: Sound)

  func stopSpeaking()

  /// The status, or nil if nothing was played.
  var status: SoundStatus? { get }
}
