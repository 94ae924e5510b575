// SPDX-License-Identifier: MIT

internal import RoundelExpressions
internal import Kiosk
internal import LinuxIO
internal import Logging
internal import RoundelMotion
internal import RoundelRuntime
internal import SystemPackage

/// Persistent values and, for another build, the user's choices.
struct PersistentState {
  private let persistentValues: PersistentValues?
  /// The handover, or nil if no service manager starts another build.
  private let handover: Handover?
  /// The state left by another build.
  let past: HandoverState?

  init(of start: Start, in machine: Machine) throws(Errno) {
    let kiosk = start.content.description
    persistentValues = try PersistentValues(
      of: kiosk, in: machine.folders, on: machine.loop, machine.outputs.log)
    let build = machine.service.isManaged ? machine.build : nil
    handover = build.flatMap { Handover(of: start.path, in: machine.folders, build: $0) }
    past = handover?.take(for: kiosk)
    if past != nil {
      machine.outputs.log.info("continuing with the state of another build of the program")
    }
  }

  var values: [String: Value] { persistentValues?.values ?? [:] }

  func update(from engine: Engine) -> Timestamp? { persistentValues?.update(from: engine) }

  /// A fallback saves no choices.
  func leave(_ cycle: FrameCycle, isFallback: Bool) {
    if !isFallback {
      handover?.leave(cycle.engine.handoverState, of: cycle.content.description)
    }
    persistentValues?.finish(from: cycle.engine)
  }
}
