// SPDX-License-Identifier: MIT

internal import RoundelAudio
internal import Kiosk
internal import KioskFile
internal import LinuxIO
internal import RoundelMotion
internal import RoundelRuntime

final class MachineActions {
  /// Programs are searched in its folder first.
  private let path: String
  private let cycle: FrameCycle
  private let sounds: any SoundPlayer
  private let reader: Worker
  private let programs: ChildProcesses

  init(of path: String, in cycle: FrameCycle, _ machine: Machine, _ reader: Worker) {
    self.path = path
    self.cycle = cycle
    self.reader = reader
    sounds = machine.sounds
    programs = ChildProcesses(on: machine.loop)
    cycle.onProgram = { [unowned self] program in start(program) }
    cycle.onSound = { [unowned self] path in play(path) }
  }

  /// Calls `end`, and waits until `deadline` for the programs that it starts.
  func finish(by deadline: Timestamp, _ end: () -> Void) {
    let before = programs.running
    end()
    programs.wait(for: programs.running.subtracting(before), until: deadline)
  }

  /// The reader thread loads a sound whose name comes from a template.
  private func play(_ path: String) {
    if let sound = cycle.content.sounds[path] { return sounds.play(sound) }
    reader.run { () -> Result<Sound, Failure> in
      do {
        return .success(try Sound(fileAt: path))
      } catch let failure as Failure {
        return .failure(failure)
      } catch {
        return .failure(Failure(.badFile, "\(path): \(error)"))
      }
    } whenDone: { [unowned self] result in
      switch result {
      case .success(let sound): sounds.play(sound)
      case .failure(let failure): cycle.reportFailure("play: \(failure.message)", by: .action)
      }
    }
  }

  private func start(_ program: [String]) {
    let name = program.first ?? ""
    do throws(ChildProcess.StartError) {
      // Errors contain the name in the kiosk file.
      let place = (try? Programs.path(of: name, for: path)) ?? name
      try programs.start([place] + program.dropFirst()) { [unowned self] exit in
        if exit != .status(0) { cycle.reportFailure("\(name) \(exit)", by: .action) }
      }
    } catch {
      cycle.reportFailure("cannot start \(name): \(error)", by: .action)
    }
  }
}
