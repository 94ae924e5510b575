// SPDX-License-Identifier: MIT

package import KioskProtocol
package import RoundelPresentation
package import JSONRPC

package struct HostAccess {
  /// The absolute path, or nil without a kiosk file.
  package var path: String?
  /// Reports the error, or nil on success.
  package var reload: (_ whenDone: @escaping (RemoteError?) -> Void) -> Void
  package var stop: () -> Void
  package var inputs: () -> [String]
  /// The output with the picture, or nil.
  package var output: () -> DisplayPlace?
  /// The machine states that could not be set, each with a reason.
  package var problems: () -> [String]
  /// The current fallback, or nil if the kiosk file is shown.
  package var fault: () -> (message: String, fallbackKind: FallbackKind)?
  /// The errors in the last edit of the kiosk file, or nil if it was loaded.
  package var reloadError: () -> String?
  package var sound: () -> SoundStatus?
  /// The current file, or nil for the error page.
  package var file: () -> FileIdentity?
  /// Counts by a service manager.
  package var restarts: [(cause: String, count: Int)]
  package var speech: () -> SpeechStatus?
  /// The display's own touchscreens, or nil.
  package var touchscreens: TouchscreenAccess?

  package init(
    path: String? = nil,
    reload: @escaping (_ whenDone: @escaping (RemoteError?) -> Void) -> Void,
    stop: @escaping () -> Void, inputs: @escaping () -> [String],
    output: @escaping () -> DisplayPlace?, problems: @escaping () -> [String] = { [] },
    fault: @escaping () -> (message: String, fallbackKind: FallbackKind)? = { nil },
    reloadError: @escaping () -> String? = { nil },
    sound: @escaping () -> SoundStatus? = { nil },
    file: @escaping () -> FileIdentity? = { nil },
    restarts: [(cause: String, count: Int)] = [],
    speech: @escaping () -> SpeechStatus? = { nil },
    touchscreens: TouchscreenAccess? = nil
  ) {
    self.path = path
    self.reload = reload
    self.stop = stop
    self.inputs = inputs
    self.output = output
    self.problems = problems
    self.fault = fault
    self.reloadError = reloadError
    self.sound = sound
    self.file = file
    self.restarts = restarts
    self.speech = speech
    self.touchscreens = touchscreens
  }
}
