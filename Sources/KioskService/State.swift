// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelGeometry
internal import Glibc
internal import RoundelJSON
internal import Kiosk
internal import KioskProtocol
internal import LinuxIO
internal import RoundelMotion
internal import RoundelPresentation
internal import RoundelRaster
internal import JSONRPC
internal import RoundelRuntime

/// The read-only requests.
final class State: KioskComponent {
  private let context: ServerContext
  private let version: String
  private let start: Timestamp
  var logic: () -> LogicStatus? = { nil }
  var isBridged: () -> Bool = { false }

  init(_ context: ServerContext, version: String) {
    self.context = context
    self.version = version
    start = context.clock()
  }

  /// The kiosk at the current time.
  private var engine: Engine { context.cycle.perform { $0 } }

  var methods: [ServedMethod] {
    [
      ServedMethod(VersionRequest.self) { [unowned self] _, _ in
        .done(VersionAnswer { $0.version = version })
      },
      ServedMethod(StatusRequest.self) { [unowned self] _, _ in .done(status) },
      ServedMethod(GetRequest.self) { [unowned self] request, reply in
        let engine = engine
        _ = try engine.found { (engine) throws(UnknownName) in
          try engine.kind(named: request.property)
        }
        let isInsider = context.insiders.contains(reply.client)
        let value =
          isInsider
          ? engine.value(of: request.property) : engine.publicValue(of: request.property)
        return .done(GetAnswer { $0.value = value.map { JSONValue($0) } ?? .null })
      },
      ServedMethod(PlaceRequest.self) { [unowned self] request, _ in
        let place = try engine.place(of: request.target)
        return .done(PlaceAnswer { $0.place = place })
      },
      ServedMethod(TypingRequest.self) { [unowned self] request, _ in
        let keys: [Target]
        do throws(TargetError) {
          keys = try engine.keys(typing: request.text, on: request.control)
        } catch {
          throw RemoteError(error)
        }
        return .done(TypingAnswer { $0.keys = keys })
      },
      ServedMethod(LatencyRequest.self) { [unowned self] _, _ in
        let latency = context.cycle.latency
        return .done(
          LatencyAnswer(Latency.Stage.allCases.map { ($0.rawValue, Durations(latency[$0])) }))
      },
    ]
  }

  // MARK: Status

  private var status: StatusAnswer {
    let engine = engine
    return StatusAnswer {
      $0.version = version
      $0.kiosk = engine.name
      $0.page = engine.pages[engine.shownPage].name
      $0.isBlank = engine.isBlank
      $0.isMoving = engine.isMoving
      $0.fingers = engine.fingers.count { $0 >= 0 }
      $0.time = engine.now.seconds
      $0.uptime = context.clock() - start
      $0.process = Int(getpid())
      $0.clients = context.clients.count
      $0.wakeUps = context.loop.wakeUps
      $0.display = displayStatus
      $0.logic = logic()
      $0.focus = engine.focusedControl
      $0.inputs = context.host.inputs()
      $0.frames = FrameStatus(context.cycle.frames, bytes: context.cycle.sentBytes)
      $0.latency = Durations(context.cycle.latency[.total])
      $0.clientWork.longestTurn = context.work.longestTurn
      $0.clientWork.keptBytes = context.budget.totalBytes
      $0.sound = context.host.sound()
      $0.isBusy = engine.isBusy
      $0.lastTouch = engine.lastTouch.map { touch in
        // The two clocks differ by microseconds.
        ((WallClock.secondsSince1970 - (engine.now - touch)) * 1e3).rounded() / 1e3
      }
      $0.touchToFlip = HistogramStatus(context.cycle.latency[.total])
      $0.memory = ResidentMemory.bytes
      let images = context.cycle.picture.imageMemory
      $0.images.bytes = images.taken
      $0.images.limit = images.limit
      $0.restarts = context.host.restarts.map { .init($0.cause, .number(Double($0.count))) }
      $0.isBridged = isBridged()
      $0.file = context.host.path
      $0.sha256 = context.host.file()?.sha256 ?? ""
      $0.bundle = context.host.file()?.bundle
      $0.speech = context.host.speech()
      $0.fault = context.host.fault()?.message
      $0.fallbackKind = context.host.fault()?.fallbackKind
      $0.reloadError = context.host.reloadError()
    }
  }

  private var displayStatus: DisplayStatus {
    let display = context.display
    let output = context.host.output()
    return DisplayStatus {
      switch display.state {
      case .showing: $0.state = "showing"
      case .asleep: $0.state = "asleep"
      case .waiting(let obstacle):
        $0.state = "waiting"
        $0.obstacle = obstacle.description
      }
      $0.size = display.rotation.applied(to: display.canvasSize)
      $0.rotation = display.rotation
      $0.refreshInterval = display.refreshInterval
      $0.hasVerticalBlanks = display.vblank != nil
      $0.blanks = display.blanks.rawValue
      $0.card = output?.card
      $0.output = output?.output
      $0.mode = output?.mode
      if let format = output?.format, !format.isEmpty { $0.format = format }
      $0.depth = display.depth?.bits
      if let mirrors = output?.mirrors, !mirrors.isEmpty {
        $0.mirrors = mirrors.map { place in
          MirrorStatus {
            $0.card = place.card
            $0.output = place.output
            $0.mode = place.mode
            $0.format = place.format
          }
        }
      }
      if let leftOut = output?.leftOut, !leftOut.isEmpty { $0.leftOut = leftOut }
      let power = context.cycle.powerFailure.map { [$0.description] } ?? []
      let problems = power + context.host.problems()
      if !problems.isEmpty { $0.problems = problems }
    }
  }
}

extension FrameStatus {
  fileprivate init(_ counts: FrameCounts, bytes: Int) {
    self.init()
    self.bytes = bytes / max(counts.shown, 1)
    shown = counts.shown
    timed = counts.timed
    late = counts.late
  }
}

extension HistogramStatus {
  /// The bucket boundaries in seconds, up to delays after which users touch again.
  private static let edges = [
    0.005, 0.01, 0.0167, 0.025, 0.0333, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1, 2.5,
  ]

  fileprivate init(_ histogram: Histogram) {
    self.init()
    bounds = Self.edges
    counts = Self.edges.map { histogram.count(upTo: $0) }
    count = histogram.count
    sum = histogram.sum
  }
}

extension Durations {
  fileprivate init(_ histogram: Histogram) {
    self.init()
    count = histogram.count
    median = histogram.quantile(0.5)
    p95 = histogram.quantile(0.95)
    p99 = histogram.quantile(0.99)
    worst = histogram.count > 0 ? histogram.worst : nil
  }
}
