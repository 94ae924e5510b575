// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import Kiosk
internal import RoundelRuntime

/// The keys that a client or its recording holds.
struct ClientKeys {
  private var held: Set<KeyPress> = []

  /// Records a command that was applied.
  mutating func record(_ command: Command) {
    guard let (key, phase) = command.keyPress else { return }
    if phase == .down { held.insert(key) } else { held.remove(key) }
  }

  /// Cancels the presses, because the client can't release the keys any more.
  mutating func cancel(on cycle: FrameCycle) {
    for key in held.sorted(by: { $0.name < $1.name }) { cycle.press(key, .cancel, time: cycle.now) }
    held = []
  }
}
