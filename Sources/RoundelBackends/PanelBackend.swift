// SPDX-License-Identifier: MIT

internal import DRMDisplay
package import RoundelDrawing
package import RoundelGeometry
package import RoundelInput
internal import RoundelHotplug
internal import InputDevices
internal import Kiosk
package import LinuxIO
package import RoundelMotion
package import RoundelPresentation
package import RoundelRuntime
internal import SystemPackage

/// A panel with its seat's touchscreens, pointers, keys, encoders, accelerometers and vibrators.
package final class PanelBackend: Backend {
  private let panel: any PanelDisplay
  package let fixedRotation: Rotation?
  package let fixedDepth: ColorDepth?
  private let shakes: ShakeDetector?
  private let takesConsole: Bool
  private let switchesTerminals: Bool
  private let resamplesTouches: Bool
  private let loop: EventLoop
  private let report: (BackendMessage) -> Void
  private var cycle: FrameCycle?
  private var fingers: SeatInput?
  private var encoders: Encoders?
  private let scanners: ScannerInput
  /// Hides the cursor of an idle mouse.
  private var pointerRest: EventLoop.Token?
  private var accelerometer: Accelerometer?
  private var haptics: Haptics?
  private var jacks: HeadsetJacks?
  private var listensToJacks = false
  private var terminal: VirtualTerminal?
  private var backlight = Backlight()
  /// Reports new backlights.
  private var lights: HotplugMonitor?
  private var lightRetry: EventLoop.Token?
  private var reportedProblems: [String] = []

  /// - Parameters:
  ///   - shakes: Nil disables shakes and haptics.
  ///   - takesConsole: Whether to take over the console under the picture, as a service does. A
  ///     user can end a kiosk on a console with Ctrl+C.
  package init(
    _ panel: any PanelDisplay, fixedRotation: Rotation? = nil,
    fixedDepth: ColorDepth? = nil, shakes: ShakeDetector? = nil,
    takesConsole: Bool = false, switchesTerminals: Bool = false, resamplesTouches: Bool = true,
    on loop: EventLoop, report: @escaping (BackendMessage) -> Void = { _ in }
  ) {
    self.panel = panel
    self.fixedRotation = fixedRotation
    self.fixedDepth = fixedDepth
    self.shakes = shakes
    self.takesConsole = takesConsole
    self.switchesTerminals = switchesTerminals
    self.resamplesTouches = resamplesTouches
    self.loop = loop
    self.report = report
    scanners = ScannerInput(on: loop, report: report)
  }

  package var display: any Display { panel }
  package var inputs: [String] { fingers?.devices.map(\.name) ?? [] }

  package var output: DisplayPlace? { panel.place }

  package var hasTouchscreen: Bool {
    fingers?.devices.contains { $0.isTouchscreen } ?? false
  }

  package var touchTaker: ((InputEvent, Touchscreen) -> Void)? {
    get { fingers?.taker }
    set { fingers?.taker = newValue }
  }

  package func calibrate(_ name: String, by matrix: TouchMatrix) {
    fingers?.calibrate(name, by: matrix)
  }

  package func connect(to cycle: FrameCycle) {
    self.cycle = cycle
    if resamplesTouches { cycle.resampler = TouchResampler() }
    connectFingers(to: cycle)
    connectKnobs()
    connectTerminal()
    lights = HotplugMonitor(of: "backlight", on: loop) { [unowned self] in backlight.searchAgain() }
    if let shakes {
      accelerometer = Accelerometer(detector: shakes, on: loop) { [unowned cycle] time in
        cycle.shake(time: time)
      }
      do throws(Errno) {
        haptics = try Haptics(on: loop)
      } catch {
        report(BackendMessage(.warning, "haptics are unavailable: \(error)"))
      }
    }
    guard takesConsole else { return }
    do throws(Errno) {
      try Console.takeOver(0)
    } catch {
      report(BackendMessage(.warning, "cannot take over the console: \(error)"))
    }
  }

  /// Seconds until the cursor of an idle mouse is hidden.
  private static let pointerSeconds = 3.0

  /// Nil hides the cursor.
  private func show(pointer: Point?) {
    cycle?.pointer = pointer
    pointerRest = pointer.flatMap { _ in
      loop.schedule(at: MonotonicClock.now + Self.pointerSeconds) { [unowned self] in
        show(pointer: nil)
      }
    }
  }

  private func handle(_ key: KeyInput, at time: Timestamp) {
    switch key {
    case .key(let key, let phase): cycle?.press(key, phase, time: time)
    // A keyboard can't end a kiosk that runs as a service.
    case .interrupt: if !takesConsole { Console.interrupt(0) }
    case .terminal(let number): terminal?.show(number)
    }
  }

  private func connectTerminal() {
    guard switchesTerminals else { return }
    do throws(Errno) {
      terminal = try VirtualTerminal(0, on: loop) { [unowned self] in follow($0) }
      if let terminal {
        follow(terminal)
      } else {
        report(
          BackendMessage(
            .warning,
            "--vt-switching: the standard input is not a virtual terminal; start the kiosk on one, like"
              + " its unit"))
      }
    } catch {
      report(BackendMessage(.warning, "--vt-switching: cannot switch consoles: \(error)"))
    }
  }

  /// Leaves panel and devices to the active console, or takes them back.
  private func follow(_ terminal: VirtualTerminal) {
    if !terminal.isShown { show(pointer: nil) }
    fingers?.isSuspended = !terminal.isShown
    panel.isInForeground = terminal.isShown
    if !terminal.isShown {
      encoders?.endPresses()
      encoders = nil
    } else if encoders == nil {
      connectKnobs()
    }
  }

  private func connectKnobs() {
    do throws(Errno) {
      encoders = try Encoders(on: loop) { [unowned self] in handle($0, at: $1) }
    } catch {
      report(BackendMessage(.warning, "encoders are unavailable: \(error)"))
    }
  }

  private func connectFingers(to cycle: FrameCycle) {
    do throws(InputError) {
      let input = try SeatInput(
        mapping: mapping, takesKeys: true,
        except: cycle.content.description.screen.scanners, on: loop
      ) {
        [unowned cycle] touch, time in
        cycle.handle(finger: touch.finger, touch.phase, at: touch.position, time: time)
      }
      input.onKey = { [unowned self] in handle($0, at: $1) }
      input.onPointer = { [unowned self] in show(pointer: $0) }
      input.onMessage = { [report] in report(BackendMessage(.debug, "libinput: \($0)")) }
      for problem in input.problems { report(BackendMessage(.warning, "\(problem)")) }
      let isUsable = input.devices.contains {
        $0.isTouchscreen || $0.kinds.contains(.pointer)
      }
      if !isUsable {
        report(
          BackendMessage(
            .warning, "no touchscreen or mouse found; connect one at any time")
        )
      }
      fingers = input
    } catch {
      // The kiosk is still visible, and can be controlled through its socket.
      report(BackendMessage(.error, "touch is unavailable: \(error)"))
    }
  }

  private var mapping: PanelMapping {
    PanelMapping(canvas: panel.canvasSize, rotation: panel.rotation)
  }

  package func turn() {
    light(isOn: cycle.map { !$0.engine.isDark } ?? true)
    listenToJacks()
    fingers?.mapping = mapping
    followScanners()
    // An accelerometer wakes the CPU, so it is only read while a shake would have an effect.
    do throws(Errno) {
      try accelerometer?.listen(panel.isInForeground && cycle?.awaitsShake ?? false)
    } catch {
      report(BackendMessage(.warning, "shaking is unavailable: \(error)"))
      accelerometer = nil
    }
  }

  private func followScanners() {
    guard let cycle, scanners.follow(cycle, isActive: fingers?.isSuspended != true) else { return }
    fingers?.scanners = cycle.content.description.screen.scanners
  }

  /// Watches for headsets if the kiosk starts speaking when one is plugged in.
  private func listenToJacks() {
    let isWanted = cycle?.content.description.speech?.starts.contains(.jack) ?? false
    guard isWanted != listensToJacks else { return }
    listensToJacks = isWanted
    jacks = nil
    guard isWanted else { return }
    do throws(Errno) {
      jacks = try HeadsetJacks(on: loop) { [unowned self] isIn in
        // Valid for every kiosk.
        try? cycle?.apply(.jack(isIn))
      }
    } catch {
      report(BackendMessage(.warning, "cannot watch for a headset: \(error)"))
    }
  }

  private func light(isOn: Bool) {
    let next = backlight.hold(cycle?.engine.brightness, isOn: isOn, at: loop.now)
    lightRetry = next.map { loop.schedule(at: $0) {} }
    let problems = next == nil ? [] : problems
    for problem in problems where !reportedProblems.contains(problem) {
      report(BackendMessage(.warning, problem))
    }
    reportedProblems = problems
  }

  package var problems: [String] { backlight.problems }

  /// Releases the panel with its backlight on.
  package func close() -> String {
    // There won't be another attempt.
    if !problems.isEmpty { backlight = Backlight() }
    light(isOn: true)
    return ""
  }

  package func tick() { haptics?.tick() }
}
