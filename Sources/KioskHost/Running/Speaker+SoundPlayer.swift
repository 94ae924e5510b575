// SPDX-License-Identifier: MIT

internal import JSONRPC
package import KioskProtocol
package import SoundOutput

extension Speaker: SoundPlayer {
  package var status: SoundStatus? {
    guard soundCount > 0 else { return nil }
    return SoundStatus {
      $0.state = isBusy ? "playing" : problem == nil ? "silent" : "failed"
      $0.count = soundCount
      $0.problem = problem
    }
  }
}
