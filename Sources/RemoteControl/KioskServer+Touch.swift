// SPDX-License-Identifier: MIT

internal import Controls
internal import Geometry
internal import JSON
internal import Kiosk
internal import LinuxIO
internal import Motion
internal import Remote
internal import Runtime
internal import Session

/// Fingers of clients. They come the same way as those on the panel.
extension KioskServer {
  var touchMethods: [Method] {
    [
      Method(
        "tap", "Puts a finger down and lifts it.",
        result: "{taken, control, at}: whether a control took it, and which"
      ) { parameters in
        let target = parameters.optional("target", .target, "What to tap.")
        let at = parameters.optional("at", .point, "Where, instead.")
        let duration = parameters.optional(
          "duration", .number(0...60, "seconds"), default: .number(0.08), "Until it is lifted.")
        let marker = Self.marker(&parameters)
        return { [unowned self] arguments, reply in
          let place = try place(arguments[target], arguments[at], "\"target\" or \"at\"")
          return try play(
            [(0, .down, place), (arguments[duration], .up, place)], at: arguments[target],
            arguments[marker], reply)
        }
      },
      Method(
        "drag", "Moves a finger in a straight line; lifted in motion, it flings.",
        result: "{taken, control, at}: whether a control took it, and which"
      ) { parameters in
        let target = parameters.optional("target", .target, "Where it comes down.")
        let at = parameters.optional("at", .point, "Where, instead.")
        let to = parameters.optional("to", .point, "Where it goes.")
        let toTarget = parameters.optional("to_target", .target, "Where, instead.")
        let by = parameters.optional("by", .point, "How far it goes, instead.")
        let duration = parameters.optional(
          "duration", .number(0...60, "seconds"), default: .number(0.3),
          "How long it is on its way.")
        let hold = parameters.optional(
          "hold", .number(0...60, "seconds"), default: .number(0),
          "How long it rests before it is lifted.")
        let marker = Self.marker(&parameters)
        return { [unowned self] arguments, reply in
          let start = try place(arguments[target], arguments[at], "\"target\" or \"at\"")
          let way = arguments[by].map { start + Vector($0.x, $0.y) }
          guard way == nil || (arguments[to] == nil && arguments[toTarget] == nil) else {
            throw RemoteError.invalid("expected one of \"to\", \"to_target\" and \"by\"")
          }
          let end = try place(
            arguments[toTarget], arguments[to] ?? way, "\"to\", \"to_target\" or \"by\"")
          return try play(
            Self.way(from: start, to: end, during: arguments[duration], hold: arguments[hold]),
            at: arguments[target], arguments[marker], reply)
        }
      },
      Method(
        "touch", "Plays a recording, in real time.",
        result: "{taken, answers}: the controls that took each finger; what get steps asked for"
      ) { parameters in
        let recording = parameters.required(
          "recording", .text, "Its lines, as roundel record writes them.")
        let more = parameters.optional(
          "more", .flag, default: .bool(false),
          "Whether more of it follows in another request; its times go on from the first.")
        let shots = parameters.optional(
          "shots", .flag, default: .bool(false),
          "Whether its shots are sent, by notifications called \"shot\" with {name, png}.")
        let marker = Self.marker(&parameters)
        return { [unowned self] arguments, reply in
          try touch(
            arguments[recording], arguments[more], arguments[shots], arguments[marker], reply)
        }
      },
    ]
  }

  private func place(
    _ target: Target?, _ point: Point?, _ expected: String
  ) throws(RemoteError) -> Point {
    switch (target, point) {
    case (let target?, nil): return try self.place(of: target)
    case (nil, let point?): return point
    default: throw .invalid("expected one of \(expected)")
    }
  }

  private static func marker(_ parameters: inout Parameters) -> Parameters.Key<Bool> {
    parameters.optional(
      "marker", .flag, default: .bool(false), "Whether a ring shows on the panel where it touches.")
  }

  private typealias Way = [(time: Double, phase: Touch.Phase, place: Point)]

  private static func way(
    from start: Point, to end: Point, during duration: Double, hold: Double
  ) -> Way {
    let count = max(1, Int((duration * Touch.reportsPerSecond).rounded()))
    var steps: Way = [(0, .down, start)]
    for step in 1...count {
      let part = Double(step) / Double(count)
      steps.append((duration * part, .move, start + (end - start) * part))
    }
    return steps + [(duration + hold, .up, end)]
  }

  private func play(
    _ steps: Way, at target: Target?, _ marker: Bool, _ reply: Reply
  ) throws(RemoteError) -> Method.Outcome {
    let first = steps.first?.place
    let isEnabled = target?.isEnabled(in: cycle.engine) ?? true
    let steps = steps.map {
      Recording.Step(
        Instant(seconds: $0.time), .touch(Touch(finger: 0, phase: $0.phase, position: $0.place)))
    }
    let reservation = try budget.reserve(
      steps.count * MemoryLayout<Recording.Step>.stride, for: reply.client)
    try makePlayer(for: reply.client, marker: marker).append(
      steps, received: clock(), reservation, isLast: true
    ) { [unowned self] outcome in
      if let refusal = outcome.refusal { return reply.refuse(refusal) }
      let taker = isEnabled ? outcome.takers.first ?? nil : nil
      var members: [JSONValue.Member] = [
        .init("taken", .bool(taker != nil)),
        .init("control", taker.map { .string($0) } ?? .null), .init("at", JSONValue(first)),
      ]
      if outcome.hasWoken { members.append(.init("woke", .bool(true))) }
      _ = finish(reply, .object(members))
    }
    return .later
  }

  private func makePlayer(
    for client: ClientID, marker: Bool
  ) throws(RemoteError) -> TouchPlayer {
    guard players.count < limits.maximumRecordings else {
      throw RemoteError(
        exceeding: "maximumRecordings", limits.maximumRecordings,
        "\(limits.maximumRecordings) fingers and recordings play already; try again later")
    }
    let player = TouchPlayer(
      for: client, on: cycle, work: work, limits: limits, loop: loop, clock: clock)
    players.append(player)
    if marker { player.onTouch = { [markers] in markers.handle($0) } }
    player.fingerRefusal = { [unowned self] in fingerRefusal }
    player.onFinish = { [unowned self, unowned player] in
      players.removeAll { $0 === player }
      if openPlayers[client] === player { openPlayers[client] = nil }
    }
    return player
  }

  /// Why no more fingers may come down.
  private var fingerRefusal: RemoteError? {
    guard players.reduce(0, { $0 + $1.fingerCount }) >= limits.maximumFingers else { return nil }
    return RemoteError(
      exceeding: "maximumFingers", limits.maximumFingers,
      "\(limits.maximumFingers) fingers are down already; try again later")
  }

  /// A recording that was read, and the bytes that it takes.
  private typealias ReadRecording = Result<(steps: [Recording.Step], bytes: Int), RemoteError>

  private func touch(
    _ text: String, _ more: Bool, _ shots: Bool, _ marker: Bool, _ reply: Reply
  ) throws(RemoteError) -> Method.Outcome {
    let client = reply.client
    let received = clock()
    let reservation = try budget.reserve(text.utf8.count, for: client)
    let read: @Sendable () -> sending ReadRecording = { [limits] in Self.read(text, limits) }
    let play = { [unowned self] (recording: ReadRecording) in
      do throws(RemoteError) {
        let (steps, bytes) = try recording.get()
        try reservation.resize(to: bytes)
        try self.play(steps, received: received, reservation, more, shots, marker, reply)
      } catch {
        reply.refuse(error)
      }
    }
    // What is short is read at once, but never before what came earlier.
    if text.utf8.count <= limits.maximumPromptBytes, unreadRecordings[client] == nil {
      play(read())
      return .later
    }
    unreadRecordings[client, default: 0] += 1
    reader.run(read) { [unowned self] recording in
      // The client may have gone.
      guard let count = unreadRecordings[client] else { return }
      unreadRecordings[client] = count > 1 ? count - 1 : nil
      work.measure { play(recording) }
    }
    return .later
  }

  private static func read(_ text: String, _ limits: Limits) -> ReadRecording {
    do throws(Recording.Mistake) {
      let steps = try Recording(Array(text.utf8), path: "recording").steps
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
    _ steps: [Recording.Step], received: Instant, _ reservation: Reservation, _ more: Bool,
    _ shots: Bool, _ marker: Bool, _ reply: Reply
  ) throws(RemoteError) {
    let player =
      if let open = openPlayers[reply.client] {
        open
      } else {
        try makePlayer(for: reply.client, marker: marker)
      }
    openPlayers[reply.client] = more ? player : nil
    if shots {
      player.onShot = { [unowned self] name, whenTaken, whenSent in
        sendShot(name, to: reply.client, whenTaken, whenSent)
      }
    }
    player.append(steps, received: received, reservation, isLast: !more) {
      [unowned self] outcome in
      if let refusal = outcome.refusal { return reply.refuse(refusal) }
      let takers = JSONValue.array(outcome.takers.map { $0.map { .string($0) } ?? .null })
      afterTurn.append {
        reply.give(
          encoded: Array("{\"taken\":\(takers.text),\"answers\":[".utf8) + outcome.answers
            + Array("]}".utf8))
      }
    }
  }
}
