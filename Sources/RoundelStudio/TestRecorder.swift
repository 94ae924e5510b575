// SPDX-License-Identifier: MIT

internal import RoundelAuthoring
internal import RoundelControls
internal import RoundelGeometry
internal import RoundelJSON
internal import Kiosk
internal import RoundelMotion
internal import RoundelSession

/// Converts touches on a kiosk to the steps of a test, in the syntax of suites.
///
/// Simultaneous touches become one step. A tap has its target's name if a tap on the target has the
/// same effect.
struct TestRecorder {
  private struct Sample {
    var time: Instant
    var touch: Touch
    var point: Point { touch.position }
  }

  private var before: Engine?
  private var samples: [Sample] = []
  private var down: Set<Int> = []
  private var end: Instant

  /// The maximum distance between points treated as equal, in design pixels.
  private static let tolerance = 6.0
  /// The maximum duration of a tap, in seconds.
  private static let tap = 0.5
  /// The duration of the step `tap`, in seconds.
  private static let tapLength = 0.08
  /// The minimum rest of a finger lifted without motion, in seconds.
  private static let rest = 0.06
  /// Enough for more than a minute.
  private static let maximumSamples = 8_000

  init(at start: Instant) { end = start }

  /// Returns the steps that the touch completes. Call this before the kiosk handles it.
  mutating func take(_ touch: Touch, at time: Instant, on kiosk: Engine) -> [String] {
    guard touch.phase == .down || down.contains(touch.finger) else { return [] }
    if down.isEmpty { before = kiosk }
    let isLifted = touch.phase == .up || touch.phase == .cancel
    guard isLifted || samples.count < Self.maximumSamples else { return [] }
    samples.append(Sample(time: time, touch: touch))
    if isLifted { down.remove(touch.finger) } else { down.insert(touch.finger) }
    guard down.isEmpty, let before else { return [] }
    defer {
      samples = []
      self.before = nil
    }
    let pause = pause(until: samples[0].time)
    end = time
    return pause + steps(before)
  }

  mutating func take(_ step: String, at time: Instant) -> [String] {
    let pause = pause(until: time)
    end = time
    return pause + [step]
  }

  mutating func take(_ command: Command, at time: Instant) -> [String] {
    take("\(command.json.name): \(command.json.value.flow)", at: time)
  }

  private func pause(until time: Instant) -> [String] {
    let gap = time - end
    // Ignore the difference between a real tap and the step.
    return gap > 0.15 ? ["wait: \(Self.seconds(gap))"] : []
  }

  // MARK: Touches

  private mutating func steps(_ before: Engine) -> [String] {
    let fingers = Dictionary(grouping: samples, by: \.touch.finger)
    let isAlone = fingers.count == 1 && samples.count(where: { $0.touch.phase == .down }) == 1
    guard isAlone else {
      let start = samples[0].time
      let strokes = fingers.sorted { $0.key < $1.key }.map { Self.stroke($0.value, since: start) }
      return ["touch: [\(strokes.joined(separator: ", "))]"]
    }
    let (first, last) = (samples[0], samples[samples.count - 1])
    let length = last.time - first.time
    let start = Self.place(first.point)
    if samples.allSatisfy({ ($0.point - first.point).length <= Self.tolerance }) {
      let target = target(before) ?? start
      guard length > Self.tap else {
        end = first.time + min(length, Self.tapLength)
        return ["tap: \(target)"]
      }
      return ["tap: {at: \(target), for: \(Self.seconds(length))}"]
    }
    let rest = Self.rest(of: samples)
    let corners = Self.corners(samples)
    guard corners.count > 2 else {
      let path = "from: \(start), to: \(Self.place(last.point))"
      let during = "during: \(Self.seconds(length - rest))"
      return rest < Self.rest
        ? ["fling: {\(path), \(during)}"]
        : ["drag: {\(path), \(during), hold: \(Self.seconds(rest))}"]
    }
    var steps = ["press: \(start)"]
    for (old, new) in zip(corners, corners.dropFirst()) {
      let during = Self.seconds(new.time - old.time)
      steps.append("move: {to: \(Self.place(new.point)), during: \(during)}")
    }
    let pause = last.time - corners[corners.count - 1].time
    return steps + (pause < Self.rest ? [] : ["wait: \(Self.seconds(pause))"]) + ["release:"]
  }

  /// One of several simultaneous touches as a straight stroke.
  private static func stroke(_ samples: [Sample], since start: Instant) -> String {
    let (first, last) = (samples[0], samples[samples.count - 1])
    let length = last.time - first.time
    let isStill = (last.point - first.point).length <= tolerance
    let rest = isStill ? length : rest(of: samples)
    let path = isStill ? "" : ", to: \(place(last.point)), during: \(seconds(length - rest))"
    return "{from: \(place(first.point)), after: \(seconds(first.time - start))\(path), "
      + "hold: \(seconds(rest))}"
  }

  private static func rest(of samples: [Sample]) -> Double {
    let last = samples[samples.count - 1]
    let arrival = samples.lastIndex { ($0.point - last.point).length > tolerance / 2 }
    return last.time - samples[arrival.map { $0 + 1 } ?? 0].time
  }

  /// The corners of a path up to the final rest. Source: D. Douglas and T. Peucker, 1973.
  private static func corners(_ samples: [Sample]) -> [Sample] {
    let rest = rest(of: samples)
    let last = samples[samples.count - 1].time
    let path = samples.filter { last - $0.time >= rest }
    var isCorner = [Bool](repeating: false, count: path.count)
    (isCorner[0], isCorner[path.count - 1]) = (true, true)
    var parts = [0..<(path.count - 1)]
    while let part = parts.popLast() {
      let (a, b) = (path[part.lowerBound].point, path[part.upperBound].point)
      var farthest = (index: 0, distance: tolerance / 2)
      for index in part.dropFirst() {
        let distance = Self.distance(path[index].point, a, b)
        if distance > farthest.distance { farthest = (index, distance) }
      }
      guard farthest.index > 0 else { continue }
      isCorner[farthest.index] = true
      parts += [part.lowerBound..<farthest.index, farthest.index..<part.upperBound]
    }
    return zip(path, isCorner).filter(\.1).map(\.0)
  }

  private static func distance(_ point: Point, _ a: Point, _ b: Point) -> Double {
    let (path, own) = (b - a, point - a)
    let square = path.x * path.x + path.y * path.y
    let share = square > 0 ? min(max((own.x * path.x + own.y * path.y) / square, 0), 1) : 0
    return Vector(own.x - share * path.x, own.y - share * path.y).length
  }

  /// Returns nil to use the position.
  private func target(_ before: Engine) -> String? {
    var probe = before
    guard let control = probe.handle(samples[0].touch, at: samples[0].time).control else {
      return nil
    }
    let real = Self.events(of: samples, on: before)
    let items = real.filter { $0.control == control }.map(\.item) + [nil]
    let found = items.map { Target(control: control, item: $0) }.first { target in
      guard let place = try? target.point(in: before) else { return false }
      let others = samples.filter { $0.touch.phase != .move }.map { sample in
        var sample = sample
        sample.touch.position = place
        return sample
      }
      return Self.events(of: others, on: before) == real
    }
    return found.map { JSONValue.string("\($0)").flow }
  }

  private static func events(of samples: [Sample], on kiosk: Engine) -> [Event] {
    var kiosk = kiosk
    _ = kiosk.takeEvents()
    for sample in samples { kiosk.handle(sample.touch, at: sample.time) }
    kiosk.advance(to: samples[samples.count - 1].time + 2)
    return kiosk.takeEvents()
  }

  private static func place(_ point: Point) -> String {
    "[\(JSONValue.number(point.x.rounded()).text), \(JSONValue.number(point.y.rounded()).text)]"
  }

  private static func seconds(_ seconds: Double) -> String {
    JSONValue.number((max(seconds, 0) * 100).rounded() / 100).text
  }
}

extension JSONValue {
  /// YAML on one line, with few quotes.
  var flow: String {
    switch self {
    case .string(let text):
      LanguageService.isPlain(text.filter { !"./".contains($0) }) ? text : self.text
    case .array(let items): "[\(items.map(\.flow).joined(separator: ", "))]"
    case .object(let members):
      "{\(members.map { "\(JSONValue.string($0.name).flow): \($0.value.flow)" }.joined(separator: ", "))}"
    default: text
    }
  }
}
