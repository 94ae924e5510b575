// SPDX-License-Identifier: MIT

internal import CRoundelEvdev
internal import Glibc
package import LinuxIO
package import RoundelControls
internal import RoundelInput
package import RoundelMotion
package import SystemPackage

/// A scanner, used exclusively, or the problem that prevents its use.
private final class ScannerDevice: Sendable {
  let path: String
  let name: String
  private let owned: OwnedDescriptor?
  let descriptor: CInt
  let events: EventDevice?
  let problem: String?

  /// Returns nil if no declaration matches the device's name.
  init?(_ path: String, _ scanners: [Scanner]) {
    self.path = path
    let failure: Errno
    do throws(Errno) {
      let opened = try OwnedDescriptor(opening: path, O_RDONLY | O_NONBLOCK)
      guard let events = EventDevice(on: opened.rawValue), events.isKeyboard,
        scanners.contains(where: { $0.matches(events.name) })
      else { return nil }
      events.takeEvents()
      name = events.name
      self.events = events
      descriptor = opened.rawValue
      owned = consume opened
      problem = nil
      return
    } catch {
      failure = error
    }
    // The name is readable without permission for the device.
    let file = "/sys/class/input/\(path.split(separator: "/").last ?? "")/device/name"
    guard
      let bytes = try? Files.read(file, Files.Kind("the name of a device", maximumBytes: 4096)),
      let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first,
      scanners.contains(where: { $0.matches(String(line)) })
    else { return nil }
    name = String(line)
    descriptor = -1
    owned = nil
    events = nil
    problem = "cannot open the scanner \(name) at \(path): \(failure)"
  }
}

/// The machine's scanners, also those plugged in later. A thread reads each of them, because the kernel keeps only the
/// last few characters of a fast scanner.
package final class Scanners {
  package enum Report: Hashable, Sendable {
    case scanned(String, isPrivate: Bool)
    case failed(String)
  }

  private let declared: [Scanner]
  private let loop: EventLoop
  private let layout: LayoutNames
  private let onReport: (Report, Timestamp) -> Void
  private let onProblem: (String) -> Void
  private var readers: [(path: String, reader: DeviceReader<ScannerLines.Result>)] = []
  private var problems: Set<String> = []
  private var search: DeviceSearch<ScannerDevice>?

  /// - Parameter onProblem: Receives the problems of unusable scanners.
  package init(
    _ declared: [Scanner], on loop: EventLoop, inputDevices folder: String = "/dev/input",
    onReport: @escaping (Report, Timestamp) -> Void,
    onProblem: @escaping (String) -> Void
  ) throws(Errno) {
    self.declared = declared
    self.loop = loop
    self.onReport = onReport
    self.onProblem = onProblem
    layout = .ofThisMachine
    search = try DeviceSearch(
      in: folder, on: loop, except: { [unowned self] in Set(readers.map(\.path)) },
      open: { ScannerDevice($0, declared) },
      found: { [unowned self] devices in for device in devices { listen(to: device) } })
  }

  private func listen(to device: ScannerDevice) {
    guard let events = device.events else {
      if let problem = device.problem { report(problem) }
      return
    }
    let scanners = declared.filter { $0.matches(device.name) }
    do throws(Errno) {
      let (name, path) = (device.name, device.path)
      let reader = try DeviceReader<ScannerLines.Result>(
        device.descriptor, on: loop,
        reading: { [layout, device] in
          guard let keymap = Keymap(layout) ?? Keymap(LayoutNames()) else { return nil }
          var lines = ScannerLines(scanners, keymap)
          return {
            // The device keeps the descriptor open.
            defer { withExtendedLifetime(device) {} }
            var results: [ScannerLines.Result] = []
            let isPresent = events.read { event in
              let result = lines.handle(type: event.type, code: event.code, value: event.value)
              if let result { results.append(result) }
            }
            return (results, isPresent)
          }
        },
        whenRead: { [unowned self] results, isPresent in
          let now = MonotonicClock.now
          for result in results { onReport(Self.report(result, of: name), now) }
          // An unplugged scanner loses the beginning of its line.
          if !isPresent { readers.removeAll { $0.path == path } }
        })
      readers.append((path, reader))
    } catch {
      report("cannot read the scanner \(device.name): \(error)")
    }
  }

  private func report(_ problem: String) {
    if problems.insert(problem).inserted { onProblem(problem) }
  }

  private static func report(_ result: ScannerLines.Result, of name: String) -> Report {
    switch result {
    case .scanned(let text, let isPrivate): .scanned(text, isPrivate: isPrivate)
    case .unexpected:
      .failed("a line of the scanner \(name) was dropped, because it has another prefix")
    case .overlong:
      .failed(
        "a line of the scanner \(name) was dropped, because it has more than \(Scanner.maximumLength) characters"
      )
    case .incomplete:
      .failed("a line of the scanner \(name) was dropped, because the kernel lost a part of it")
    }
  }
}
