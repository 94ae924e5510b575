// SPDX-License-Identifier: MIT

internal import InputDevices
internal import Kiosk
internal import LinuxIO
internal import RoundelControls
internal import RoundelRuntime
internal import SystemPackage

/// The kiosk's scanners, which follow its file.
final class ScannerInput {
  private(set) var declared: [Scanner] = []
  private var scanners: Scanners?
  private let loop: EventLoop
  private let report: (BackendMessage) -> Void

  init(on loop: EventLoop, report: @escaping (BackendMessage) -> Void) {
    self.loop = loop
    self.report = report
  }

  /// Returns whether other devices are scanners now. `isActive` is false while another program has the devices.
  func follow(_ cycle: FrameCycle, isActive: Bool) -> Bool {
    let next = isActive ? cycle.content.description.screen.scanners : []
    guard next != declared else { return false }
    declared = next
    scanners = nil
    guard !next.isEmpty else { return true }
    do throws(Errno) {
      scanners = try Scanners(next, on: loop) { [unowned cycle] result, time in
        switch result {
        case .scanned(let text, let isPrivate):
          cycle.scan(text, isPrivate: isPrivate, time: time)
        case .failed(let message): cycle.reportFailure(message, by: .finger)
        }
      } onProblem: { [report] in
        report(BackendMessage(.warning, $0))
      }
    } catch {
      report(BackendMessage(.warning, "scanners are unavailable: \(error)"))
    }
    return true
  }
}
