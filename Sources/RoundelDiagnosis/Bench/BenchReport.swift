// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDrawing
internal import RoundelExpressions
package import RoundelGeometry
internal import Glibc
internal import Kiosk
internal import RoundelMotion
package import RoundelPresentation
internal import RoundelRaster
package import RoundelRuntime

/// The frame times of a kiosk's first page on this machine.
package struct BenchReport {
  struct ControlTimes {
    var id: String
    /// Frames in motion, painted to one buffer.
    var motion: FrameTimes?
    /// The same frames, painted to two buffers alternately.
    var frame: FrameTimes?
    var highlight: FrameTimes?
  }

  let panel: PixelSize
  let frames: Int
  let threads: Int
  let memset: FrameTimes
  let full: FrameTimes
  let copy: FrameTimes
  var controls: [ControlTimes] = []
  var changes: [ChangeTimes] = []

  struct ChangeTimes {
    /// A name such as `slide`.
    var name: String
    /// The first frame of each transition.
    var first: FrameTimes?
    var rest: FrameTimes?
  }

  /// Measures in memory.
  package init(
    _ content: Content, panel: PixelSize, rotation: Rotation, frames: Int
  ) throws(DisplayError) {
    self.panel = panel
    self.frames = frames
    threads = content.threads?.width ?? 1
    var description = content.description
    // Only drawing is measured.
    description.screen.homeAfter = nil
    description.screen.blankAfter = nil
    description.reactions = []
    for page in description.pages.indices {
      description.pages[page].reactions = []
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
    let before = Self.memset(memory, frames, by: content.clock)
    // Without a previous frame, the whole frame is painted.
    let layout = PanelLayout(
      size: panel, pitch: panel.width * 4, format: .xrgb8888, rotation: rotation)
    let picture = stage.picture(display.canvasSize)
    full = FrameTimes.repeating(frames, by: content.clock) {
      // The memory is a canvas of the layout's size.
      unsafe memory.withPixels {
        unsafe layout.paint(
          stage.picture(display.canvasSize).damage(since: nil), of: picture,
          to: UnsafeMutableRawBufferPointer($0))
      }
    }
    let finished = picture.canvas()
    copy = FrameTimes.repeating(frames, by: content.clock) { Self.copy(finished, to: memory) }
    for entry in description.pages[0].controls where entry.isVisible {
      controls.append(
        try Self.times(of: entry, in: content, panel: panel, rotation: rotation, frames))
    }
    for kind in [PageTransition.Kind.slide, .fade] where description.pages.count > 1 {
      changes.append(
        try Self.times(of: kind, in: content, panel: panel, rotation: rotation, frames))
    }
    if description.pages.count > 1 {
      changes.append(
        try Self.swipeTimes(in: content, panel: panel, rotation: rotation, frames))
    }
    let after = Self.memset(memory, frames, by: content.clock)
    memset = after.median < before.median ? after : before
  }

  private static func copy(_ picture: Canvas, to memory: Canvas) {
    unsafe picture.withPixels { source in
      // Both have the same number of pixels.
      unsafe memory.withPixels { _ = unsafe $0.update(from: source) }
    }
  }

  private static func memset(
    _ memory: Canvas, _ frames: Int, by clock: FrameTimes.Clock
  ) -> FrameTimes {
    var byte: CInt = 0
    return FrameTimes.repeating(frames, by: clock) {
      byte = (byte + 1) & 0xff
      unsafe memory.withPixels { pixels in
        // The buffer has four bytes per pixel.
        if let start = pixels.baseAddress { unsafe Glibc.memset(start, byte, pixels.count * 4) }
      }
    }
  }

  /// Touches a control, and measures the frames with changes.
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

    // Presses and cancels, so that nothing is chosen.
    var highlight: [Double] = []
    let pressed = try makeStage(buffers: 1)
    for index in 0..<frames where highlight.count < frames {
      try pressed.begin()
      let place = hits[index * max(hits.count / 24, 1) % hits.count]
      if let time = try pressed.frame({ $0.touch(.down, at: place) }) { highlight.append(time) }
      if let time = try pressed.frame({ $0.touch(.cancel, at: place) }) { highlight.append(time) }
      // The control shows no press.
      if index == 12, highlight.isEmpty { break }
    }
    result.highlight = FrameTimes(highlight)
    result.highlight?.bytes = pressed.meanBytes

    // Circles around the centre by a larger angle in each frame.
    let middle = hits.reduce(Vector(0, 0)) { $0 + ($1 - .zero) } * (1 / Double(hits.count))
    let center = Point.zero + middle
    let start = hits.max { $0.distance(to: center) < $1.distance(to: center) } ?? first
    let radius = start.distance(to: center) * 0.9
    let angle = Angle(of: start - center)
    func place(_ frame: Int) -> Point {
      center + (angle + .degrees(2.37123 * Double(frame))).unit * radius
    }
    let tapped = hits.min { $0.distance(to: center) < $1.distance(to: center) } ?? first
    func motion(buffers: Int) throws(DisplayError) -> FrameTimes? {
      let stage = try makeStage(buffers: buffers)
      var times: [Double] = []
      _ = try stage.frame { $0.touch(.down, at: start) }
      for frame in 0..<frames {
        if let time = try stage.frame({ $0.touch(.move, at: place(frame)) }) { times.append(time) }
      }
      _ = try stage.frame { $0.touch(.up, at: place(frames)) }
      times += try stage.framesUntilRest(atMost: frames)
      // For controls that move on their own.
      try stage.begin()
      _ = try stage.frame { $0.touch(.down, at: tapped) }
      _ = try stage.frame { $0.touch(.up, at: tapped) }
      times += try stage.framesUntilRest(atMost: frames)
      var result = FrameTimes(times)
      if buffers == 1 { result?.bytes = stage.meanBytes }
      return result
    }
    result.motion = try motion(buffers: 1)
    result.frame = try motion(buffers: 2)
    return result
  }

  /// Sets a new number before each frame of controls that don't move by touch, such as a gauge.
  private static func times(
    ofValueOf entry: PlacedControl, in content: Content, _ panel: PixelSize, _ rotation: Rotation,
    buffers: Int, _ frames: Int
  ) throws(DisplayError) -> FrameTimes? {
    guard case .number? = entry.control.value(of: "value", at: .zero) else { return nil }
    var content = content
    // The kiosk's bindings must not change the number.
    for index in content.description.pages[0].controls.indices
    where content.description.pages[0].controls[index].id == entry.id {
      content.description.pages[0].controls[index].bindings["value"] = nil
    }
    let scale = (entry.control as? Ring)?.slider.scale
    let (lowest, span) = (scale?.minimum ?? 0, scale.map { $0.maximum - $0.minimum } ?? 100)
    let stage = try BenchStage(content, panel: panel, rotation: rotation, buffers: buffers)
    var times: [Double] = []
    for frame in 0..<frames {
      let share = Double(frame * 37 % 101) / 100
      stage.set("value", of: entry.id, to: lowest + span * share)
      if let time = try stage.frame(isLong: true, { _ in }) { times.append(time) }
    }
    var result = FrameTimes(times)
    if buffers == 1 { result?.bytes = stage.meanBytes }
    return result
  }

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
    return ChangeTimes(name: kind.rawValue, first: FrameTimes(first), rest: FrameTimes(rest))
  }

  private static func swipeTimes(
    in content: Content, panel: PixelSize, rotation: Rotation, _ frames: Int
  ) throws(DisplayError) -> ChangeTimes {
    var content = content
    content.description.pages[0].swipe = [.left: content.description.pages[1].name]
    let size = content.description.screen.size
    let stage = try BenchStage(content, panel: panel, rotation: rotation, buffers: 1)
    guard let start = stage.background(in: size) else {
      return ChangeTimes(name: "swipe", first: nil, rest: nil)
    }
    var (first, rest): ([Double], [Double]) = ([], [])
    while rest.count < frames {
      try stage.begin()
      _ = try stage.frame { $0.touch(.down, at: start) }
      var times: [Double] = []
      for step in 1...30 {
        let place = Point(start.x - size.width * 0.02 * Double(step), start.y)
        if let time = try stage.frame({ $0.touch(.move, at: place) }) { times.append(time) }
      }
      _ = try stage.frame {
        $0.touch(.up, at: Point(start.x - size.width * 0.6, start.y))
      }
      times += try stage.framesUntilRest(atMost: frames)
      guard times.count > 1 else { break }
      first.append(times[0])
      rest += times.dropFirst()
    }
    return ChangeTimes(name: "swipe", first: FrameTimes(first), rest: FrameTimes(rest))
  }

  /// Returns points inside a control, in row-major order.
  private static func places(of control: any Control, within size: Size) -> [Point] {
    let step = max(min(size.width, size.height) / 160, 1)
    return stride(from: step / 2, to: size.height, by: step).flatMap { y in
      stride(from: step / 2, to: size.width, by: step).map { Point($0, y) }
    }.filter { control.contains($0, at: .zero) }
  }
}
