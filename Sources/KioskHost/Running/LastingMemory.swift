// SPDX-License-Identifier: MIT

internal import Expressions
internal import Kiosk
internal import LinuxIO
internal import Logging
internal import Motion
internal import Runtime
internal import SystemPackage

/// The part of a running kiosk that outlives its process: the values that it keeps and, for another build
/// of the program, all that was chosen.
struct LastingMemory {
  private let kept: KeptValues?
  /// Nil where no service manager starts another build.
  private let handover: Handover?
  /// The state that another build has left.
  let past: Continuation?

  init(of start: Start, in machine: Machine) throws(Errno) {
    let kiosk = start.content.description
    kept = try KeptValues(
      of: kiosk, in: machine.folders, on: machine.loop, machine.outlets.log)
    let build = machine.service.isManaged ? machine.build : nil
    handover = build.flatMap { Handover(of: start.path, in: machine.folders, build: $0) }
    past = handover?.take(for: kiosk)
    if past != nil { machine.outlets.log.info("going on where another build of the program was") }
  }

  var values: [String: Value] { kept?.values ?? [:] }

  /// Writes what has changed, if it is time; returns when it wants to be called again.
  func update(from engine: Engine) -> Timestamp? { kept?.update(from: engine) }

  /// Leaves all that the next process is to find. A stand-in leaves no choices.
  func leave(_ cycle: FrameCycle, isStandIn: Bool) {
    if !isStandIn {
      handover?.leave(cycle.engine.continuation, of: cycle.content.description)
    }
    kept?.finish(from: cycle.engine)
  }
}
