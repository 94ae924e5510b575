// SPDX-License-Identifier: MIT

package import LinuxIO
internal import RoundelMotion
package import SystemPackage

/// A short and hard effect, like a metal detent. Magnitudes are out of 65 535.
enum Tick {
  static let milliseconds: UInt16 = 15
  static let strongMagnitude: UInt16 = 0x8000
  static let weakMagnitude: UInt16 = 0xffff
}

/// Accepts events at least an interval after the last accepted one.
struct RateLimit {
  /// In seconds.
  let interval: Double
  private var next = Timestamp.zero

  init(interval: Double) {
    self.interval = interval
  }

  mutating func admits(at now: Timestamp) -> Bool {
    guard now >= next else { return false }
    next = now + interval
    return true
  }
}

/// Plays haptic ticks on all haptic devices of this machine, including those plugged in later.
///
/// Causes no wake-ups between ticks.
package final class Haptics {
  private struct Player: Sendable {
    let device: HapticDevice
    let tick: UInt16

    /// Returns nil if the device isn't haptic, or rejects the effect.
    init?(path: String) {
      guard let device = HapticDevice(path: path), let tick = try? device.uploadTick() else {
        return nil
      }
      self.device = device
      self.tick = tick
    }
  }

  private var players: [Player] = []
  /// Overlapping ticks could not be distinguished.
  private var limit = RateLimit(interval: Double(Tick.milliseconds) / 1000)
  private var search: DeviceSearch<Player>?

  package init(on loop: EventLoop, inputDevices folder: String = "/dev/input") throws(Errno) {
    search = try DeviceSearch(
      in: folder, on: loop,
      except: { [unowned self] in
        // Another device may have replaced a removed one.
        players.removeAll { !$0.device.isPresent }
        return Set(players.map(\.device.path))
      },
      open: Player.init,
      found: { [unowned self] in players += $0 })
  }

  /// No effect during a tick. Never blocks. A device that fails isn't used again until devices
  /// change.
  package func tick() {
    guard !players.isEmpty, limit.admits(at: MonotonicClock.now) else { return }
    players.removeAll { player in
      do throws(Errno) {
        try player.device.play(player.tick)
        return false
      } catch {
        return true
      }
    }
  }
}
