// SPDX-License-Identifier: MIT

package import RoundelDrawing
package import RoundelExpressions
package import RoundelGeometry
package import Kiosk
package import RoundelMotion
internal import RoundelPresentation
package import RoundelRaster

/// A kiosk and its picture on the kiosk's own clock: in the frame cycle, which follows a real
/// clock, and in replays, suites, screenshots and benchmarks, which advance time as fast as
/// possible.
package final class Stage {
  package private(set) var content: Content
  package private(set) var engine: Engine
  package private(set) var pictureTime = Instant.zero
  private var painter: Painter? {
    didSet { if painter !== oldValue { preparedPages = 0 } }
  }
  /// The painters of mirrors with other canvas sizes.
  private var mirrored: [Painter] = []
  private var preparedPages = 0
  /// More pages would leave hardly any memory for their images.
  private static let maximumPreparedPages = 64
  private let seed: UInt64
  /// The maximum short side of a panel with the minimum cursor size.
  private static let smallPanel = 600.0

  /// Shapes on top of the kiosk, in design pixels.
  package var overlay: [DisplayItem] = []
  package var pointer: Point?
  /// Called by `report`, like the following closures.
  package var onEvent: (Event) -> Void = { _ in }
  package var onProgram: ([String]) -> Void = { _ in }
  package var onSound: (String) -> Void = { _ in }
  package var onUtterances: ([Utterance]) -> Void = { _ in }

  /// Creates a kiosk at time zero with `persistentValues`, or continues a `past`. `clock`
  /// is the wall-clock time.
  package init(
    _ content: Content, seed: UInt64, clock: CivilTime = Engine.defaultClock,
    persistentValues: [String: Value] = [:], continuing past: HandoverState? = nil
  ) {
    self.content = content
    self.seed = seed
    engine =
      if let past {
        Engine(content.description, seed: seed, clock: clock, continuing: past)
      } else {
        Engine(content.description, seed: seed, clock: clock, persistentValues: persistentValues)
      }
  }

  package var now: Instant { engine.now }

  /// Advances to a time, unless it has passed, and then changes the engine.
  @discardableResult
  package func perform<Result, Failure: Error>(
    at time: Instant? = nil, _ change: (inout Engine) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if let time { engine.advance(to: time) }
    return try change(&engine)
  }

  /// Switches to another version of the kiosk. Selections are kept.
  package func replace(with content: Content, by cause: Cause = .time) {
    engine.replace(with: content.description, seed: seed, by: cause)
    let isShared = content.shares(paintersOf: self.content)
    self.content = content
    preparedPages = 0
    if let old = painter {
      if !isShared { painter = content.painter(canvas: old.size, replacing: old) }
      _ = picture(old.size)
    }
    if !isShared { mirrored = mirrored.map { content.painter(canvas: $0.size, replacing: $0) } }
    for mirror in mirrored { _ = mirroredPicture(mirror.size, isCurrent: false) }
  }

  /// Ends and reports all activity, calls `whenEnded`, and restarts the kiosk. `seed` starts a new
  /// random sequence.
  package func restart(seed: UInt64? = nil, whenEnded: () -> Void = {}) {
    engine.finish()
    report()
    whenEnded()
    engine.begin(content.description, seed: seed ?? self.seed)
  }

  package func begin(seed: UInt64) { engine = Engine(content.description, seed: seed) }

  package func report() {
    // Receivers may send commands, which cause more reports. An endless cycle continues in the next
    // call.
    for _ in 0..<16 {
      let events = engine.takeEvents()
      let programs = engine.takePrograms()
      let sounds = engine.takeSounds()
      let utterances = engine.takeUtterances()
      if events.isEmpty && programs.isEmpty && sounds.isEmpty && utterances.isEmpty { break }
      for event in events { onEvent(event) }
      // A program that can't be started causes an event in this call, because the next call may be
      // much later.
      for program in programs { onProgram(program) }
      for sound in sounds { onSound(sound) }
      if !utterances.isEmpty { onUtterances(utterances) }
    }
  }

  // MARK: The picture

  package func viewport(on size: PixelSize) -> Viewport {
    Viewport(fitting: content.description.screen.size, into: size)
  }

  /// The current picture on an unrotated canvas. `position` returns a finger's displayed position,
  /// or nil for its last sample. O(n) in the page's shapes.
  package func picture(
    _ size: PixelSize, following position: (_ finger: Int) -> Point? = { _ in nil }
  ) -> Painter {
    let painter: Painter
    if let present = self.painter, present.size == size {
      painter = present
    } else if let index = mirrored.firstIndex(where: { $0.size == size }) {
      // A mirror becomes the main display, and the previous one may become a mirror.
      painter = mirrored.remove(at: index)
      if let former = self.painter { mirrored.append(former) }
    } else {
      painter = content.painter(canvas: size, replacing: newestPainter)
    }
    self.painter = painter
    pictureTime = engine.now
    engine.panel = painter.viewport.designRect(of: size)
    draw(on: painter, following: position)
    return painter
  }

  /// A new painter continues its count, so that a display doesn't confuse painters' frames.
  private var newestPainter: Painter? {
    ([painter].compactMap(\.self) + mirrored).max { $0.frame < $1.frame }
  }

  /// The picture on a canvas of another size: current, or unchanged since the last call.
  package func mirroredPicture(_ size: PixelSize, isCurrent: Bool) -> Painter {
    if let painter, painter.size == size { return painter }
    let present = mirrored.first { $0.size == size }
    if let present, isCurrent { return present }
    let mirror = present ?? content.painter(canvas: size, replacing: newestPainter)
    if present == nil { mirrored.append(mirror) }
    let panel = engine.panel
    engine.panel = mirror.viewport.designRect(of: size)
    draw(on: mirror)
    engine.panel = panel
    return mirror
  }

  /// Frees the memory of mirrors with other canvas sizes.
  package func keepMirrors(_ sizes: [PixelSize]) {
    if !mirrored.isEmpty { mirrored.removeAll { !sizes.contains($0.size) } }
  }

  private func draw(
    on painter: Painter, following position: (_ finger: Int) -> Point? = { _ in nil }
  ) {
    let size = painter.size
    painter.show { list in
      engine.draw(into: &list, following: position)
      guard !engine.isDark else { return }
      for item in overlay { list.add(item) }
      guard let pointer else { return }
      let viewport = painter.viewport
      let scale = max(Double(min(size.width, size.height)) / Self.smallPanel, 1) / viewport.scale
      for item in PointerArrow.items(at: viewport.designPoint(pointer), scale: scale) {
        list.add(item)
      }
    }
  }

  /// Returns the picture, unchanged since the last call of `picture`.
  package func shownPicture(_ size: PixelSize) -> Painter {
    if let painter, painter.size == size { painter } else { picture(size) }
  }

  package var threadCount: Int { content.threads?.width ?? 1 }

  /// Returns images to prepare in idle time, visible ones first, then other pages.
  package func takeImageWork(on size: PixelSize, withOtherPages: Bool) -> ImageWork? {
    guard content.imagePreparation == .later else { return nil }
    let painter = shownPicture(size)
    while true {
      for painter in [painter] + mirrored {
        if let work = painter.takeImageWork() { return work }
      }
      guard withOtherPages, !content.images.isEmpty,
        preparedPages < min(engine.pages.count, Self.maximumPreparedPages)
      else { return nil }
      painter.prepare(engine.displayList(of: preparedPages))
      preparedPages += 1
    }
  }

  package func finish(_ images: FinishedImages) {
    painter?.finish(images)
    for painter in mirrored { painter.finish(images) }
  }

  // MARK: As fast as it can

  /// Advances from change to change until `isDone` or `deadline`. Returns whether it is done.
  ///
  /// - Parameters:
  ///   - frame: Seconds between frames. During motion, `isDone` is called for each frame.
  ///   - next: Returns an additional time for calling `isDone`.
  @discardableResult
  package func run(
    to deadline: Instant, frame: Double? = nil, until isDone: () throws -> Bool,
    next: () -> Instant? = { nil }
  ) rethrows -> Bool {
    while try !isDone() {
      guard engine.now < deadline else { return false }
      var time = min(deadline, engine.nextChange ?? deadline)
      if let frame, engine.isMoving { time = min(time, engine.now + frame) }
      if let next = next() { time = min(time, next) }
      engine.advance(to: time)
      report()
    }
    return true
  }

  package func run(to deadline: Instant) { run(to: deadline, until: { false }) }
}
