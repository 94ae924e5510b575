// SPDX-License-Identifier: MIT

import ArgumentParser
import RoundelDeclarations
import RoundelGeometry
import Glibc
import Kiosk
import KioskHost
import KioskProtocol
import LinuxIO
import LiveSuites
import RoundelMotion
import RoundelRuntime
import RoundelSession
import RoundelSuites

struct Test: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Run test suites headless, or on running kiosks.",
    discussion: """
      By default, each test runs its own kiosk on a virtual clock and takes milliseconds. \
      With --running, --socket or --host, the suites test a running kiosk in real time. Each \
      test restarts it first.

      Prints TAP unless the output is a terminal. With --update, writes missing and different \
      images. Their tests still fail, so that you review the images.

      Examples:
        roundel test suites/*.yaml
        roundel test suites/timer.yaml --host lobby --junit result.xml
        roundel test suites/timer.yaml --filter "3 o'clock" --artifacts seen
      """)

  @Argument(help: "Suite files.", completion: .file())
  var suites: [String]

  @Flag(help: "Test the kiosk running on this machine (default socket: see tap --help).")
  var running = false

  @OptionGroup var kiosk: KioskOptions

  @Option(
    help: """
      The path of touches to a running kiosk: socket, its own socket; uinput, a virtual \
      touchscreen in its kernel; qmp:SOCKET, the touchscreen of the QEMU that it runs in.
      """)
  var touch = TouchRoute.socket

  @Flag(help: "Print TAP, even on a terminal.")
  var tap = false

  @Option(help: "The file for the results, as JUnit XML.", completion: .file())
  var junit: String?

  @Option(help: "The folder for files about failures: images, touches, events.")
  var artifacts: String?

  @Flag(help: "Write missing and different images; their tests still fail.")
  var update = false

  @Option(name: .customLong("tag"), help: "Run only tests with this tag; may be repeated.")
  var tags: [String] = []

  @Option(name: [.long, .customLong("only")], help: "Run only tests whose names contain this.")
  var filter: String?

  @Flag(help: "List the tests without running them.")
  var list = false

  func validate() throws {
    if suites.isEmpty { throw ValidationError("Specify a suite file.") }
    if isHeadless && touch != .socket {
      throw ValidationError("--touch requires --running, --socket or --host.")
    }
    if tap && kiosk.json { throw ValidationError("--tap and --json cannot be combined.") }
  }

  private var isHeadless: Bool { !running && kiosk.socket == nil && kiosk.host == nil }

  func run() throws {
    var plan = try makePlan(on: nil)
    guard plan.count > 0 else { throw Failure(.usage, "no test matches --filter and --tag") }
    if list {
      for (suite, _) in plan.suites {
        for test in suite.tests { StandardOutput.write("\(suite.name): \(test.name)\n") }
      }
      return
    }
    let live = isHeadless ? nil : try connect(plan)
    if let live, plan.needsAnotherSize(on: live.canvas) { plan = try makePlan(on: live.canvas) }
    var report = TestReport(style, count: plan.count)
    StandardOutput.write(report.head)
    var results: [TestResult] = []
    var bailOut: Failure?
    var folders = ArtifactFolders(artifacts)
    do {
      for (suite, content) in plan.suites {
        let bench: any TestBench =
          live.map { LiveBench($0, content) } ?? HeadlessBench(content, size: suite.size)
        let runner = TestRunner(
          at: bench, goldens: GoldenFiles(), updates: update, clock: { MonotonicClock.now })
        for test in suite.tests {
          showProgress(report.progress(suite, test))
          let result = try runner.run(test, of: suite)
          showProgress("")
          StandardOutput.write(report.add(result, artifacts: try folders.keep(result)))
          results.append(result)
        }
      }
    } catch let failure as Failure {
      bailOut = failure
    } catch let lost as BenchError {
      bailOut = Failure(.unavailable, lost.description)
    }
    live?.close()
    StandardOutput.write(report.end(bailOut?.message))
    if let junit {
      try Files.write(Array(JUnit.xml(results, bailOut: bailOut?.message).utf8), to: junit)
    }
    if let bailOut { throw bailOut }
    if results.contains(where: { $0.failure != nil }) { throw Failure(.didNotHold) }
  }

  /// Creates the plan on a canvas, or on a panel of each suite's size.
  private func makePlan(on canvas: PixelSize?) throws -> TestPlan {
    var plan = try TestPlan(suites) { path, size throws(Failure) in
      try Content(kioskFile: path, panel: canvas ?? size, rotation: Rotation.none)
    } report: {
      StandardError.write($0)
    }
    plan.choose(tags: tags, filter: filter)
    return plan
  }

  private func connect(_ plan: TestPlan) throws -> LiveKiosk {
    let live = try LiveKiosk(at: kiosk.address, version: Roundel.version, touch: touch)
    for (suite, content) in plan.suites where content.description.name != live.name {
      throw Failure(
        .unavailable,
        "the running kiosk is \"\(live.name)\", but the suite \(suite.name) tests "
          + "\"\(content.description.name)\" (\(suite.kiosk))")
    }
    return live
  }

  private func showProgress(_ line: String) {
    if StandardError.isTerminal { StandardError.writeProgress(line) }
  }

  private var style: TestReport.Style {
    if kiosk.json { return .json }
    return tap || isatty(1) == 0 ? .tap : .humanReadable
  }
}

extension TouchRoute: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }

  package var defaultValueDescription: String { "socket" }
}

extension Failure {
  init(_ error: LiveError) {
    switch error {
    case .kiosk(let error): self.init(error)
    case .touchscreen(let error):
      self.init(error.isPermission ? .permission : .unavailable, error.description)
    case .recording(let diagnostic): self.init(.badFile, diagnostic.description)
    case .failure(let failure): self = failure
    }
  }
}
