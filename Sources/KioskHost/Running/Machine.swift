// SPDX-License-Identifier: MIT

package import Audio
package import Expressions
package import KioskProtocol
package import LinuxIO
package import Raster

/// The machine around a running kiosk, but for its backend.
package struct Machine {
  package let loop: EventLoop
  package let outlets: Outlets
  package let service: Service
  package let folders: StateFolders
  package let sounds: any SoundPlayer
  /// The build of the program; nil where it is not known.
  package let build: String?
  /// The threads that share the work of painting; nil for the loop's alone.
  package let threads: ThreadPool?
  /// The time that a clock on the wall shows.
  package let wallClock: () -> CivilTime

  package init(
    loop: EventLoop, outlets: Outlets, service: Service, folders: StateFolders,
    sounds: any SoundPlayer, build: String?, threads: ThreadPool? = nil,
    wallClock: @escaping () -> CivilTime
  ) {
    self.loop = loop
    self.outlets = outlets
    self.service = service
    self.folders = folders
    self.sounds = sounds
    self.build = build
    self.threads = threads
    self.wallClock = wallClock
  }
}

/// A player of sounds, several at once, which never makes the loop wait.
package protocol SoundPlayer: AnyObject {
  func play(_ sound: Sound)

  /// Begins what a voice says, beside other sounds.
  func speak(_ sound: Sound)

  /// Ends what a voice says.
  func hush()

  /// Nil where nothing was played.
  var status: SoundStatus? { get }
}
