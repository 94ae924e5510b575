// SPDX-License-Identifier: MIT

package import LinuxIO
internal import Motion
package import SystemPackage

/// The feel of a tick: short and hard, like a detent of metal. Magnitudes are of 65 535.
enum Tick {
  static let milliseconds: UInt16 = 15
  static let strongMagnitude: UInt16 = 0x8000
  static let weakMagnitude: UInt16 = 0xffff
}

/// Accepts events that come at least an interval after the last accepted one; the others are dropped, never
/// kept for later.
struct RateLimit {
  /// Seconds.
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

/// Ticks that a finger feels, played on every haptic device of this machine, also on those that are
/// plugged in later. Without any, a tick does nothing.
///
/// Between ticks it costs no wake-up.
package final class Haptics {
  private struct Player: Sendable {
    let device: HapticDevice
    let tick: UInt16

    /// nil where the device at `path` is not a haptic one, or does not take the effect.
    init?(path: String) {
      guard let device = HapticDevice(path: path), let tick = try? device.uploadTick() else {
        return nil
      }
      self.device = device
      self.tick = tick
    }
  }

  private var players: [Player] = []
  /// Ticks that overlap could not be distinguished.
  private var limit = RateLimit(interval: Double(Tick.milliseconds) / 1000)
  private var search: DeviceSearch<Player>?

  /// Looks for devices in `folder`, the kernel's, from now on, on `loop`.
  package init(on loop: EventLoop, inputDevices folder: String = "/dev/input") throws(Errno) {
    search = try DeviceSearch(
      in: folder, on: loop,
      except: { [unowned self] in
        // Another may come in the place of one that has gone.
        players.removeAll { !$0.device.isPresent }
        return Set(players.map(\.device.path))
      },
      open: Player.init,
      found: { [unowned self] in players += $0 })
  }

  /// Plays a tick, unless one is being played. Never waits; a device that fails is not used again until
  /// the devices change.
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
