// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import RoundelInput
import InputDevices
import RoundelJSON
import JSONRPC
import KioskProtocol
import LinuxIO
import SystemPackage

struct Calibrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Calibrate a touchscreen by tapping five crosses on the panel.",
    discussion: """
      Shows the crosses on top of the running kiosk, which continues afterwards, or on an \
      empty page if no kiosk is running. The new calibration takes effect at once. It is \
      saved under the touchscreen's name in /etc/roundel/calibration, which only root can \
      write. With --host, it is printed instead.

      Examples:
        sudo roundel calibrate
        roundel calibrate --check
        ssh lobby sudo roundel calibrate
      """)

  @Flag(help: "Report how far taps are from the crosses, and change nothing.")
  var check = false

  @Option(help: "The file for the calibration.", completion: .file())
  var file = DeviceSettings.path

  @OptionGroup var kiosk: KioskOptions

  func run() throws {
    StandardError.write("Tap the five crosses on the panel, one after the other.\n")
    let answer: CalibrateAnswer
    do throws(KioskError) {
      answer = try ask(try kiosk.connect())
    } catch {
      guard error.kind == .unavailable, kiosk.host == nil, kiosk.socket == nil else { throw error }
      let page = try CalibrationPage()
      defer { page.end() }
      answer = try ask(try page.connect())
    }
    let worst = answer.distances.max() ?? 0
    if !kiosk.json {
      StandardOutput.write(
        "\(answer.device): taps are up to \((worst * 10).rounded() / 10) pixels from the crosses\n")
    }
    guard !check else { return }
    let matrix: TouchMatrix
    do throws(CalibrationRefusal) {
      matrix = try TouchMatrix(answer.numbers)
    } catch {
      throw Failure(.didNotHold, "\(error)")
    }
    try keep(matrix, of: answer.device)
  }

  private func ask(_ kiosk: KioskConnection) throws(KioskError) -> CalibrateAnswer {
    let request = CalibrateRequest { $0.isCheck = check }
    let (answer, json) = try kiosk.ask(request, timeout: nil)
    if self.kiosk.json { StandardOutput.write(json: json) }
    return answer
  }

  private func keep(_ matrix: TouchMatrix, of device: String) throws(Failure) {
    var settings = DeviceSettings(reading: file)
    guard settings.problems.isEmpty else {
      throw Failure(
        .badFile, settings.problems.joined(separator: "\n") + "\ncorrect or remove the file")
    }
    settings[device, default: .init()].calibration = matrix
    if let host = kiosk.host {
      StandardOutput.write("# for \(file) on \(host):\n\(settings.text)")
      return
    }
    do throws(Errno) {
      // The kiosk isn't root, and must be able to read the file.
      try StateFile(file, maximumBytes: 1 << 16, access: .mode(0o644)).write(
        Array(settings.text.utf8))
    } catch {
      let isDenied = error == .permissionDenied || error == .readOnlyFileSystem
      throw Failure(
        isDenied ? .permission : .didNotHold,
        "cannot write \(file): \(error); the calibration is lost when the kiosk exits, unless you"
          + " write these lines there:\n\(settings.text)")
    }
    if !kiosk.json { StandardOutput.write("saved to \(file)\n") }
  }
}

/// A minimal kiosk for the crosses if no other one is running.
private final class CalibrationPage {
  private let folder: ScratchFolder
  private let process: PipedProcess

  init() throws(Failure) {
    folder = try ScratchFolder()
    let page = """
      kiosk: calibrate
      screen: {size: [800, 480]}
      pages:
        - page: crosses
          controls:
            - {label: wait, at: [400, 240], text: "…"}

      """
    do throws(Errno) {
      try StateFile(folder.path + "/page.yaml", maximumBytes: 1 << 16).write(Array(page.utf8))
      process = try PipedProcess([
        "/proc/self/exe", "run", folder.path + "/page.yaml", "--display", "drm", "--socket",
        folder.path + "/socket",
      ])
    } catch {
      throw Failure(.didNotHold, "cannot show the crosses: \(error)")
    }
  }

  /// Waits for an answer. Without a display, the kiosk reports that and exits.
  func connect() throws -> KioskConnection {
    for _ in 0..<100 {
      if let connection = try? KioskConnection(
        to: KioskAddress(host: nil, socket: folder.path + "/socket"), version: Roundel.version)
      {
        return connection
      }
      if (try? process.poll()) != nil {
        throw Failure(.unavailable, "cannot show the crosses: no display available")
      }
      usleep(100_000)
    }
    throw Failure(.unavailable, "cannot show the crosses: their page does not answer")
  }

  func end() {
    process.terminate()
    _ = try? process.wait()
    _ = close(process.input)
    _ = close(process.output)
  }
}
