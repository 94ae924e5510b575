// SPDX-License-Identifier: MIT

import ArgumentParser
import Controls
import Drawing
import Expressions
import Geometry
import Glibc
import JSON
import Kiosk
import Motion
import Presentation
import Runtime
import Raster

struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Time a kiosk's first page on this machine.",
    discussion: """
      Paints the page to a panel in memory, drags a finger across each control
      and taps it, presses its items, gives gauges and charts other numbers, and
      says how much processor time a frame takes: the median, and between what nine of ten lie, beside a memset
      and a copy of as many bytes in the same run. Motion paints what a frame
      changes; a frame of a panel with two buffers, what the last two change. Slide
      and fade are frames of a change from the first page to the second, whatever
      the kiosk has; the first of them paints the page that goes, too.
      Compare within one run only: another machine, or a busy one, changes every
      figure.

      Examples:
        roundel bench shop.yaml
        roundel bench shop.yaml --size 3840x2160 --frames 1000
        roundel bench shop.yaml --json
      """)

  @Argument(help: "The kiosk file.", completion: .file())
  var kiosk: String

  @Option(help: "The panel's pixels, at most 7680x4320 (default: the design size).")
  var size: PixelSize?

  @Option(help: "How many frames each figure is the median of, 1 … 100000.")
  var frames = 300

  @Flag(help: "One JSON object instead of the table.")
  var json = false

  func validate() throws {
    guard (1...100_000).contains(frames) else {
      throw ValidationError("--frames takes 1 … 100000.")
    }
  }

  func run() throws {
    let content = try Content(kioskFile: kiosk)
    let rotation = content.rotation(nil)
    let panel = size ?? content.designPanel(rotation)
    let report = try BenchReport(content, panel: panel, rotation: rotation, frames: frames)
    StandardOutput.write(json ? report.json.text + "\n" : report.table)
  }
}

/// Processor times of many frames, in microseconds.
private struct FrameTimes {
  private var sorted: [Double]

  /// Nil where there is no frame.
  init?(_ times: [Double]) {
    guard !times.isEmpty else { return nil }
    sorted = times.sorted()
  }

  var median: Double { sorted[sorted.count / 2] }
  /// One of twenty took less.
  var low: Double { sorted[sorted.count / 20] }
  /// One of twenty took more.
  var high: Double { sorted[sorted.count - 1 - sorted.count / 20] }

  /// The processor time that `body` takes of this process.
  static func of(_ body: () -> Void) -> Double {
    func now() -> Double {
      var time = timespec()
      // Cannot fail: the clock exists everywhere and the pointer is to a local.
      unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
      return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }
    let start = now()
    body()
    return now() - start
  }

  /// `count` times of `body`, after a few that warm the caches up.
  static func repeating(_ count: Int, _ body: () -> Void) -> FrameTimes {
    for _ in 0..<min(count, 10) { body() }
    return FrameTimes(sorted: (0..<count).map { _ in of(body) }.sorted())
  }

  private init(sorted: [Double]) { self.sorted = sorted }
}

/// How long a kiosk's first page takes.
private struct BenchReport {
  struct ControlTimes {
    var id: String
    /// Of frames in motion, painted to one buffer.
    var motion: FrameTimes?
    /// Of the same, painted to two buffers in turn.
    var frame: FrameTimes?
    var highlight: FrameTimes?
  }

  let panel: PixelSize
  let frames: Int
  let memset: FrameTimes
  let full: FrameTimes
  let copy: FrameTimes
  var controls: [ControlTimes] = []
  var changes: [ChangeTimes] = []

  /// Frames in which a page takes the place of another.
  struct ChangeTimes {
    var kind: PageTransition.Kind
    /// Of each change, the first.
    var first: FrameTimes?
    /// The others.
    var rest: FrameTimes?
  }

  init(
    _ content: Content, panel: PixelSize, rotation: Rotation, frames: Int
  ) throws(DisplayError) {
    self.panel = panel
    self.frames = frames
    var description = content.description
    // Only the look is timed: nothing is run, nothing goes elsewhere, and nobody falls asleep.
    description.screen.homeAfter = nil
    description.screen.blankAfter = nil
    for page in description.pages.indices {
      for control in description.pages[page].controls.indices {
        description.pages[page].controls[control].actions = [:]
        description.pages[page].controls[control].itemActions = [:]
      }
    }
    var content = content
    content.description = description
    let stage = Stage(content, seed: 0)
    let display = HeadlessDisplay(of: content, size: panel, rotation: rotation)
    try stage.show(on: display)

    let memory = Canvas(size: panel)
    let before = Self.memset(memory, frames)
    // A frame that is not known is painted whole.
    let layout = PanelLayout(
      size: panel, pitch: panel.width * 4, format: .xrgb8888, rotation: rotation)
    let picture = stage.picture(display.canvasSize)
    full = FrameTimes.repeating(frames) {
      // The memory is a canvas of the layout's size.
      unsafe memory.withPixels {
        unsafe layout.paint(
          stage.picture(display.canvasSize).damage(since: nil), of: picture,
          to: UnsafeMutableRawBufferPointer($0))
      }
    }
    let finished = picture.canvas()
    copy = FrameTimes.repeating(frames) { Self.copy(finished, to: memory) }
    for entry in description.pages[0].controls where entry.isVisible {
      controls.append(
        try Self.times(of: entry, in: content, panel: panel, rotation: rotation, frames))
    }
    for kind in [PageTransition.Kind.slide, .fade] where description.pages.count > 1 {
      changes.append(
        try Self.times(of: kind, in: content, panel: panel, rotation: rotation, frames))
    }
    let after = Self.memset(memory, frames)
    memset = after.median < before.median ? after : before
  }

  private static func copy(_ picture: Canvas, to memory: Canvas) {
    unsafe picture.withPixels { source in
      // As many pixels: one is the other, turned.
      unsafe memory.withPixels { _ = unsafe $0.update(from: source) }
    }
  }

  private static func memset(_ memory: Canvas, _ frames: Int) -> FrameTimes {
    var byte: CInt = 0
    return FrameTimes.repeating(frames) {
      byte = (byte + 1) & 0xff
      unsafe memory.withPixels { pixels in
        // The canvas lends as many bytes as it has pixels · 4.
        if let start = pixels.baseAddress { unsafe Glibc.memset(start, byte, pixels.count * 4) }
      }
    }
  }

  /// Uses a control as fingers do, whatever it is, and times the frames in which something changed.
  private static func times(
    of entry: PlacedControl, in content: Content, panel: PixelSize, rotation: Rotation,
    _ frames: Int
  ) throws(DisplayError) -> ControlTimes {
    let hits = places(of: entry.control, within: content.description.screen.size)
    var result = ControlTimes(id: entry.id)
    guard entry.isEnabled, let first = hits.first else {
      result.motion = try times(ofValueOf: entry, in: content, panel, rotation, buffers: 1, frames)
      result.frame = try times(ofValueOf: entry, in: content, panel, rotation, buffers: 2, frames)
      return result
    }
    func makeStage(buffers: Int) throws(DisplayError) -> BenchStage {
      try BenchStage(content, panel: panel, rotation: rotation, buffers: buffers)
    }

    // Presses of one place after the other, each let go of without choosing anything.
    var highlight: [Double] = []
    let pressed = try makeStage(buffers: 1)
    for index in 0..<frames where highlight.count < frames {
      try pressed.begin()
      let place = hits[index * max(hits.count / 24, 1) % hits.count]
      if let time = try pressed.frame({ $0.touch(.down, at: place) }) { highlight.append(time) }
      if let time = try pressed.frame({ $0.touch(.cancel, at: place) }) { highlight.append(time) }
      // What does not show a press in twelve places does not show it in the others.
      if index == 12, highlight.isEmpty { break }
    }
    result.highlight = FrameTimes(highlight)

    // A finger that circles about the middle, a little farther in each frame, and is then lifted.
    let middle = hits.reduce(Vector(0, 0)) { $0 + ($1 - .zero) } * (1 / Double(hits.count))
    let center = Point.zero + middle
    let start = hits.max { $0.distance(to: center) < $1.distance(to: center) } ?? first
    let radius = start.distance(to: center) * 0.9
    let angle = Angle(of: start - center)
    func place(_ frame: Int) -> Point {
      center + (angle + .degrees(2.37123 * Double(frame))).unit * radius
    }
    let tapped = hits.min { $0.distance(to: center) < $1.distance(to: center) } ?? first
    func motion(_ stage: BenchStage) throws(DisplayError) -> FrameTimes? {
      var times: [Double] = []
      _ = try stage.frame { $0.touch(.down, at: start) }
      for frame in 0..<frames {
        if let time = try stage.frame({ $0.touch(.move, at: place(frame)) }) { times.append(time) }
      }
      _ = try stage.frame { $0.touch(.up, at: place(frames)) }
      times += try stage.framesUntilRest(atMost: frames)
      // A tap, for what moves by itself.
      try stage.begin()
      _ = try stage.frame { $0.touch(.down, at: tapped) }
      _ = try stage.frame { $0.touch(.up, at: tapped) }
      times += try stage.framesUntilRest(atMost: frames)
      return FrameTimes(times)
    }
    result.motion = try motion(try makeStage(buffers: 1))
    result.frame = try motion(try makeStage(buffers: 2))
    return result
  }

  /// Gives a control that no finger moves, as a gauge or a chart, a new number before each frame.
  private static func times(
    ofValueOf entry: PlacedControl, in content: Content, _ panel: PixelSize, _ rotation: Rotation,
    buffers: Int, _ frames: Int
  ) throws(DisplayError) -> FrameTimes? {
    guard case .number? = entry.control.value(of: "value", at: .zero) else { return nil }
    var content = content
    // The kiosk's own expressions do not get in the way.
    for index in content.description.pages[0].controls.indices
    where content.description.pages[0].controls[index].id == entry.id {
      content.description.pages[0].controls[index].bindings["value"] = nil
    }
    let scale = (entry.control as? Ring)?.scale
    let (lowest, span) = (scale?.minimum ?? 0, scale.map { $0.maximum - $0.minimum } ?? 100)
    let stage = try BenchStage(content, panel: panel, rotation: rotation, buffers: buffers)
    var times: [Double] = []
    for frame in 0..<frames {
      let share = Double(frame * 37 % 101) / 100
      stage.set("value", of: entry.id, to: lowest + span * share)
      if let time = try stage.frame(isLong: true, { _ in }) { times.append(time) }
    }
    return FrameTimes(times)
  }

  /// Changes from the first page to the second.
  private static func times(
    of kind: PageTransition.Kind, in content: Content, panel: PixelSize, rotation: Rotation,
    _ frames: Int
  ) throws(DisplayError) -> ChangeTimes {
    var content = content
    content.description.pages[1].transition = PageTransition(kind)
    let page = content.description.pages[1].name
    let stage = try BenchStage(content, panel: panel, rotation: rotation, buffers: 1)
    var (first, rest): ([Double], [Double]) = ([], [])
    while rest.count < frames {
      try stage.begin()
      guard let time = try stage.frame({ $0.go(to: page) }) else { break }
      first.append(time)
      let others = try stage.framesUntilRest(atMost: frames)
      guard !others.isEmpty else { break }
      rest += others
    }
    return ChangeTimes(kind: kind, first: FrameTimes(first), rest: FrameTimes(rest))
  }

  /// Places that belong to a control, in rows from top to bottom.
  private static func places(of control: any Control, within size: Size) -> [Point] {
    let step = max(min(size.width, size.height) / 160, 1)
    return stride(from: step / 2, to: size.height, by: step).flatMap { y in
      stride(from: step / 2, to: size.width, by: step).map { Point($0, y) }
    }.filter { control.contains($0, at: .zero) }
  }
}

/// A kiosk, a panel of some buffers that take turns, and one finger, on a virtual clock.
private final class BenchStage {
  private let stage: Stage
  private let buffers: [HeadlessDisplay]
  private var frames = 0

  init(_ content: Content, panel: PixelSize, rotation: Rotation, buffers: Int) throws(DisplayError)
  {
    stage = Stage(content, seed: 0)
    self.buffers = (0..<buffers).map { _ in
      HeadlessDisplay(of: content, size: panel, rotation: rotation)
    }
    try begin()
  }

  /// Makes the kiosk as it is at its start, and shows it.
  func begin() throws(DisplayError) {
    stage.begin(seed: 0)
    for buffer in buffers { try stage.show(on: buffer) }
  }

  func touch(_ phase: Touch.Phase, at place: Point) {
    stage.perform { $0.handle(Touch(finger: 0, phase: phase, position: place), at: $0.now) }
  }

  func go(to page: String) { stage.perform { _ = $0.go(to: page) } }

  /// Sets a number, if the control takes it.
  func set(_ property: String, of control: String, to number: Double) {
    stage.perform { try? $0.set(property, of: control, to: .number(number)) }
  }

  /// One frame at 60 Hz, from `change` to the panel's bytes; nil where nothing was to be painted.
  ///
  /// - Parameter isLong: whether it comes no earlier than the next change, as those of a slow chart do.
  func frame(
    isLong: Bool = false, _ change: (BenchStage) -> Void
  ) throws(DisplayError) -> Double? {
    let buffer = buffers[frames % buffers.count]
    let before = stage.shownPicture(buffer.canvasSize).frame
    var failure: DisplayError?
    var end = stage.now + 1.0 / 60
    if isLong, let change = stage.engine.nextChange, change > end { end = change }
    let time = FrameTimes.of {
      stage.perform(at: end) { _ in }
      change(self)
      do throws(DisplayError) {
        try stage.show(on: buffer)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    stage.report()
    guard stage.shownPicture(buffer.canvasSize).frame != before else { return nil }
    frames += 1
    return time
  }

  func framesUntilRest(atMost limit: Int) throws(DisplayError) -> [Double] {
    var times: [Double] = []
    for _ in 0..<limit where stage.engine.isMoving || stage.engine.nextChange != nil {
      if let time = try frame({ _ in }) { times.append(time) }
    }
    return times
  }
}

// MARK: Showing it

extension BenchReport {
  var json: JSONValue {
    func members(_ name: String, _ times: FrameTimes?) -> [JSONValue.Member] {
      func rounded(_ value: Double) -> JSONValue { .number((value * 100).rounded() / 100) }
      guard let times else {
        return [.init("\(name)_us", .null), .init("\(name)_p95_us", .null)]
      }
      return [
        .init("\(name)_us", rounded(times.median)),
        .init("\(name)_p95_us", rounded(times.high)),
        .init("\(name)_range_us", .array([rounded(times.low), rounded(times.high)])),
      ]
    }
    let own = controls.map {
      JSONValue.Member(
        $0.id,
        .object(
          members("motion", $0.motion) + members("frame", $0.frame)
            + members("highlight", $0.highlight)))
    }
    let changes = changes.flatMap { change in
      members(change.kind.rawValue, change.rest)
        + members("\(change.kind.rawValue)_first", change.first)
    }
    return .object(
      [
        .init("size", .array([.number(Double(panel.width)), .number(Double(panel.height))])),
        .init("frames", .number(Double(frames))),
      ] + members("memset", memset) + members("full", full) + members("copy", copy)
        + members("frame", full) + changes
        + [.init("controls", .object(own))])
  }

  var table: String {
    func right(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: max(0, width - text.count)) + text
    }
    func number(_ value: Double, _ digits: Int) -> String {
      let unit = digits == 1 ? 10.0 : 100
      let whole = Int((value * unit).rounded())
      let rest = String(whole % Int(unit))
      return "\(whole / Int(unit))." + String(repeating: "0", count: digits - rest.count) + rest
    }
    var lines: [(String, FrameTimes?)] = [
      ("memset", memset), ("full repaint", full), ("copy of as much", copy),
    ]
    for control in controls {
      lines.append(("\(control.id): motion", control.motion))
      lines.append(("\(control.id): motion, two buffers", control.frame))
      lines.append(("\(control.id): highlight", control.highlight))
    }
    for change in changes {
      lines.append(("\(change.kind.rawValue) to the second page", change.rest))
      lines.append(("\(change.kind.rawValue): its first frame", change.first))
    }
    let width = lines.map(\.0.count).max() ?? 0
    var text = "\(panel), medians of \(frames) frames\n\n"
    text +=
      String(repeating: " ", count: width) + right("µs", 10) + right("5 % … 95 %", 20)
      + right("× memset", 10) + "\n"
    for (name, times) in lines {
      text += name + String(repeating: " ", count: width - name.count)
      if let times {
        text += right(number(times.median, 1), 10)
        text += right("\(number(times.low, 1)) … \(number(times.high, 1))", 20)
        text += right(number(times.median / memset.median, 2), 10) + "\n"
      } else {
        text += right("–", 10) + "\n"
      }
    }
    return text
  }
}
