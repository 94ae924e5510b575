// SPDX-License-Identifier: MIT

package import KioskProtocol
package import Presentation
package import JSONRPC

/// Access to the program that runs the kiosk.
package struct HostAccess {
  /// The absolute path of the kiosk file, or nil if there isn't one.
  package var path: String?
  /// Reloads the kiosk file. Then reports the error, or nil on success.
  package var reload: (_ whenDone: @escaping (RemoteError?) -> Void) -> Void
  /// Ends the kiosk in an orderly way.
  package var stop: () -> Void
  /// The names of the kiosk's input devices.
  package var inputs: () -> [String]
  /// The output that shows the picture, or nil if there isn't one.
  package var output: () -> DisplayPlace?
  /// The machine states that could not be set, each with a reason.
  package var problems: () -> [String]
  /// The reason for the current fallback and its kind, or nil if the kiosk file is shown.
  package var fault: () -> (message: String, fallbackKind: FallbackKind)?
  /// The errors in the last edit of the kiosk file, or nil if it was loaded.
  package var reloadError: () -> String?
  /// The status of sound output, or nil if nothing was played.
  package var sound: () -> SoundStatus?
  /// The identity of the current kiosk file, or nil for the error page.
  package var file: () -> FileIdentity?
  /// The number of restarts by a service manager, by cause.
  package var restarts: [(cause: String, count: Int)]
  /// The status of speech, or nil for a kiosk without speech.
  package var speech: () -> SpeechStatus?
  /// The display's touchscreens, or nil if it doesn't have its own.
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
