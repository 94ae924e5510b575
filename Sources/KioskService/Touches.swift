// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelGeometry
internal import RoundelJSON
internal import Kiosk
internal import KioskProtocol
internal import LinuxIO
internal import RoundelMotion
internal import JSONRPC
internal import RoundelRuntime
internal import RoundelSession

/// The taps, drags and recordings of clients.
final class Touches: KioskComponent {
  private let context: ServerContext
  private let screenshots: Screenshots
  private let markers: TouchMarkers
  private var players: [any TouchPlayer] = []
  /// The number of recordings being parsed.
  private var unreadRecordings: [ClientID: Int] = [:]
  /// The players with more parts to come.
  private var openPlayers: [ClientID: RecordingPlayer] = [:]

  init(_ context: ServerContext, _ screenshots: Screenshots) {
    self.context = context
    self.screenshots = screenshots
    markers = TouchMarkers(context)
  }

  func isBusy(for client: ClientID) -> Bool { players.contains { $0.client == client } }

  func forget(_ client: ClientID) {
    unreadRecordings[client] = nil
    openPlayers[client] = nil
    let gone = players.filter { $0.client == client }
    players.removeAll { $0.client == client }
    for player in gone { player.cancel() }
  }

  var methods: [ServedMethod] {
    [
      ServedMethod(TapRequest.self) { [unowned self] request, reply in
        let place = try place(request.target, request.place, "\"target\" or \"at\"")
        return try play(
          .tap(place, duration: request.duration), at: place, request.target, request.marker, reply)
      },
      ServedMethod(DragRequest.self) { [unowned self] request, reply in
        let start = try place(request.target, request.place, "\"target\" or \"at\"")
        let offset = request.by.map { start + Vector($0.x, $0.y) }
        guard offset == nil || (request.to == nil && request.toTarget == nil) else {
          throw RemoteError.invalid("expected one of \"to\", \"to_target\" and \"by\"")
        }
        let end = try place(
          request.toTarget, request.to ?? offset, "\"to\", \"to_target\" or \"by\"")
        let drag = Gesture.drag(
          from: start, to: end, duration: request.duration, hold: request.hold)
        return try play(drag, at: start, request.target, request.marker, reply)
      },
      ServedMethod(TouchRequest.self) { [unowned self] request, reply in
        try read(request, reply)
        return .later
      },
    ]
  }

  private func place(
    _ target: Target?, _ point: Point?, _ expected: String
  ) throws(RemoteError) -> Point {
    switch (target, point) {
    case (let target?, nil): return try context.cycle.engine.place(of: target)
    case (nil, let point?): return point
    default: throw .invalid("expected one of \(expected)")
    }
  }

  // MARK: Touches

  private func makeInjector(marker: Bool) throws(RemoteError) -> TouchInjector {
    let maximum = context.limits.maximumRecordings
    guard players.count < maximum else {
      throw RemoteError(
        exceeding: "maximumRecordings", maximum,
        "too many fingers and recordings are playing (at most \(maximum)); try again later")
    }
    return TouchInjector(on: context.cycle, marker ? markers : nil) { [unowned self] in
      fingerRefusal
    }
  }

  private var fingerRefusal: RemoteError? {
    let maximum = context.limits.maximumFingers
    guard players.reduce(0, { $0 + $1.injector.count }) >= maximum else { return nil }
    return RemoteError(
      exceeding: "maximumFingers", maximum,
      "too many fingers are down (at most \(maximum)); try again later")
  }

  private func remove(_ player: any TouchPlayer) { players.removeAll { $0 === player } }

  // MARK: Gestures

  private func play(
    _ gesture: Gesture, at place: Point, _ target: Target?, _ marker: Bool,
    _ reply: Reply<TouchAnswer>
  ) throws(RemoteError) -> Outcome<TouchAnswer> {
    let isEnabled = target?.isEnabled(in: context.cycle.engine) ?? true
    let player = GesturePlayer(
      gesture, for: reply.client, by: try makeInjector(marker: marker), in: context
    ) { [unowned self] player, outcome in
      remove(player)
      switch outcome {
      case .failure(let error): reply.refuse(error)
      case .success(let receiver):
        let taker = isEnabled ? receiver.control : nil
        let answer = TouchAnswer {
          $0.isTaken = taker != nil || receiver.isPage
          $0.control = taker
          $0.place = place
          $0.hasWoken = receiver.hasWoken
        }
        _ = context.answers.add(answer, to: reply)
      }
    }
    players.append(player)
    player.play()
    return .later
  }

  // MARK: Recordings

  private typealias Reading = Result<(steps: [Recording.Step], bytes: Int), RemoteError>

  private func read(
    _ request: TouchRequest, _ reply: Reply<RecordingAnswer>
  ) throws(RemoteError) {
    let client = reply.client
    let recording = request.recording
    let received = context.clock()
    let maximum = context.limits.maximumPromptBytes
    let isShort = recording.memoryBytes(upTo: maximum) != nil
    let reservation = try context.budget.reserve(recording.memoryBytes() ?? 0, for: client)
    let read: @Sendable () -> sending Reading = { [limits = context.limits] in
      Self.read(recording, limits)
    }
    let play = { [unowned self] (reading: Reading) in
      do throws(RemoteError) {
        let (steps, bytes) = try reading.get()
        try reservation.resize(to: bytes)
        try self.play(steps, received: received, reservation, request, reply)
      } catch {
        reply.refuse(error)
      }
    }
    // Short recordings are parsed immediately, unless an earlier one is still being parsed.
    if isShort, unreadRecordings[client] == nil { return play(read()) }
    unreadRecordings[client, default: 0] += 1
    context.reader.run(read) { [unowned self] reading in
      // The client may have disconnected.
      guard let count = unreadRecordings[client] else { return }
      unreadRecordings[client] = count > 1 ? count - 1 : nil
      context.work.measure { play(reading) }
    }
  }

  private static func read(_ recording: RecordingSteps, _ limits: Limits) -> Reading {
    do throws(Recording.ParseError) {
      let steps =
        switch recording {
        case .text(let text): try Recording(Array(text.utf8), path: "recording").steps
        case .lines(let lines): try Recording(lines: lines, path: "recording").steps
        }
      let bytes = steps.reduce(0) { $0 + $1.bytes }
      guard bytes <= limits.maximumRecordingBytes else {
        return .failure(
          RemoteError(
            exceeding: "maximumRecordingBytes", limits.maximumRecordingBytes,
            "the recording is too long; send it in parts"))
      }
      return .success((steps, bytes))
    } catch {
      return .failure(.invalid("\(error)"))
    }
  }

  private func play(
    _ steps: [Recording.Step], received: Timestamp, _ reservation: Reservation,
    _ request: TouchRequest, _ reply: Reply<RecordingAnswer>
  ) throws(RemoteError) {
    let client = reply.client
    let player =
      if let open = openPlayers[client] {
        open
      } else {
        try makePlayer(for: client, marker: request.marker)
      }
    openPlayers[client] = request.more ? player : nil
    player.takesShots = player.takesShots || request.shots
    player.append(steps, received: received, reservation, isLast: !request.more) {
      [answers = context.answers] outcome in
      switch outcome {
      case .failure(let error): reply.refuse(error)
      case .success(let outcome):
        answers.add(
          encoded: RecordingAnswer.encoded(
            takers: outcome.takers, answers: outcome.answers, refusals: outcome.refusals),
          to: reply, outcome.reservation)
      }
    }
  }

  private func makePlayer(
    for client: ClientID, marker: Bool
  ) throws(RemoteError) -> RecordingPlayer {
    let player = RecordingPlayer(
      for: client, by: try makeInjector(marker: marker), in: context, screenshots)
    players.append(player)
    player.onFinish = { [unowned self, unowned player] in
      remove(player)
      if openPlayers[client] === player { openPlayers[client] = nil }
    }
    return player
  }
}

extension RecordingSteps {
  /// Returns an approximate size, or nil if it exceeds `maximum`.
  fileprivate func memoryBytes(upTo maximum: Int = .max) -> Int? {
    switch self {
    case .text(let text): text.utf8.count <= maximum ? text.utf8.count : nil
    case .lines(let lines): JSONValue.array(lines).memoryBytes(upTo: maximum)
    }
  }
}
