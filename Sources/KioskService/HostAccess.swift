// SPDX-License-Identifier: MIT

package import KioskProtocol
package import Presentation
package import JSONRPC

/// The access of clients to the program around a kiosk.
package struct HostAccess {
  /// The path of the kiosk file, from the root; nil where it is none.
  package var path: String?
  /// Reads the kiosk's file again, and then reports why it could not, if so.
  package var reload: (_ whenDone: @escaping (RemoteError?) -> Void) -> Void
  /// Ends the kiosk in good order.
  package var stop: () -> Void
  /// The names of the input devices that the kiosk uses.
  package var inputs: () -> [String]
  /// The way of the picture to the panel; nil where there is none.
  package var output: () -> DisplayPlace?
  /// The refused states of the machine, each with its reason.
  package var problems: () -> [String]
  /// Why something else is shown in place of the kiosk's file, and what; nil where the file is shown.
  package var fault: () -> (message: String, standIn: StandIn)?
  /// Why the last edit of the kiosk's file is not shown; nil once one is.
  package var reloadError: () -> String?
  /// How sounds are played; nil where none was.
  package var sound: () -> SoundStatus?
  /// The kiosk file that is shown; nil for the page of faults.
  package var file: () -> FileIdentity?
  /// How often a service manager has started the kiosk again, by cause.
  package var restarts: [(cause: String, count: Int)]
  /// How it speaks; nil for a kiosk that does not.
  package var speech: () -> SpeechStatus?
  /// The touchscreens of the display; nil where it has none of its own.
  package var touchscreens: TouchscreenAccess?

  package init(
    path: String? = nil,
    reload: @escaping (_ whenDone: @escaping (RemoteError?) -> Void) -> Void,
    stop: @escaping () -> Void, inputs: @escaping () -> [String],
    output: @escaping () -> DisplayPlace?, problems: @escaping () -> [String] = { [] },
    fault: @escaping () -> (message: String, standIn: StandIn)? = { nil },
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
