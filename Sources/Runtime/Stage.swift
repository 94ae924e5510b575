// SPDX-License-Identifier: MIT

package import Drawing
package import Expressions
package import Geometry
package import Kiosk
package import Motion
internal import Presentation
package import Raster

/// A kiosk and its picture, at a moment of the kiosk's own time.
///
/// Every part that runs a kiosk does so here: the frame cycle, which lets time pass as a clock says, and
/// replays, suites, pictures and benchmarks, which let it pass as fast as it can by `run`.
package final class Stage {
  package private(set) var content: Content
  package private(set) var engine: Engine
  /// The moment that the picture shows.
  package private(set) var pictureMoment = Instant.zero
  private var painter: Painter? {
    didSet { if painter !== oldValue { preparedPages = 0 } }
  }
  /// The painters of canvases of other sizes, which show the same.
  private var mirrored: [Painter] = []
  /// The pages whose images have been asked for.
  private var preparedPages = 0
  /// Beyond this number of pages there is hardly memory left for their images.
  private static let maximumPreparedPages = 64
  private let seed: UInt64
  /// The lines of a panel up to which an arrow has its smallest size.
  private static let smallPanel = 600.0

  /// Shapes in front of all that the kiosk shows, in design pixels.
  package var overlay: [DisplayItem] = []
  /// Where an arrow stands for a mouse, in front of everything, in pixels of the upright canvas; nil for
  /// none.
  package var pointer: Point?
  /// Called with each event, in order, when `report` is called.
  package var onEvent: (Event) -> Void = { _ in }
  /// Called with each program that the kiosk wants to run, when `report` is called.
  package var onProgram: ([String]) -> Void = { _ in }
  /// Called with each sound file that the kiosk plays, when `report` is called.
  package var onSound: (String) -> Void = { _ in }
  /// Called with what the kiosk says, when `report` is called.
  package var onUtterances: ([Utterance]) -> Void = { _ in }

  /// A kiosk at the moment zero, with the values that were `kept`; `clock` is what a clock on the wall
  /// shows then. With a `past` it goes on with that.
  package init(
    _ content: Content, seed: UInt64, clock: CivilTime = Engine.defaultClock,
    kept: [String: Value] = [:], continuing past: Continuation? = nil
  ) {
    self.content = content
    self.seed = seed
    engine =
      if let past {
        Engine(content.description, seed: seed, clock: clock, continuing: past)
      } else {
        Engine(content.description, seed: seed, clock: clock, kept: kept)
      }
  }

  /// The moment that the engine is at.
  package var now: Instant { engine.now }

  /// Moves on to a moment, unless it has passed, and changes the engine then.
  @discardableResult
  package func perform<Result, Failure: Error>(
    at moment: Instant? = nil, _ change: (inout Engine) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if let moment { engine.advance(to: moment) }
    return try change(&engine)
  }

  /// Shows another version of the kiosk; what was chosen stays chosen.
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

  /// Makes the kiosk as it is after its start: what was chosen and set is forgotten, and fingers hold
  /// nothing. With a `seed` chance falls that way from here on.
  ///
  /// Everything under way ends first and is reported, before `whenEnded` is called and the start follows.
  package func restart(seed: UInt64? = nil, whenEnded: () -> Void = {}) {
    engine.finish()
    report()
    whenEnded()
    engine.begin(content.description, seed: seed ?? self.seed)
  }

  /// Makes the kiosk as it is at the moment zero.
  package func begin(seed: UInt64) { engine = Engine(content.description, seed: seed) }

  /// Reports what has happened.
  package func report() {
    // A receiver may command the kiosk, of which there is more to report; a circle is left to the next
    // call.
    for _ in 0..<16 {
      let events = engine.takeEvents()
      let programs = engine.takePrograms()
      let sounds = engine.takeSounds()
      let utterances = engine.takeUtterances()
      if events.isEmpty && programs.isEmpty && sounds.isEmpty && utterances.isEmpty { break }
      for event in events { onEvent(event) }
      // A program that cannot be started is an event of this call: the next call may be long in coming.
      for program in programs { onProgram(program) }
      for sound in sounds { onSound(sound) }
      if !utterances.isEmpty { onUtterances(utterances) }
    }
  }

  // MARK: The picture

  /// How the design lies on a canvas of `size` pixels.
  package func viewport(on size: PixelSize) -> Viewport {
    Viewport(fitting: content.description.screen.size, into: size)
  }

  /// The picture on an upright canvas of `size` pixels, as it is now, with what follows a finger where
  /// `position` says that the finger is; nil for where it was touched last. O(n) in the shapes of the page.
  package func picture(
    _ size: PixelSize, following position: (_ finger: Int) -> Point? = { _ in nil }
  ) -> Painter {
    let painter: Painter
    if let present = self.painter, present.size == size {
      painter = present
    } else if let index = mirrored.firstIndex(where: { $0.size == size }) {
      // A mirror takes the lead, and what led may be one.
      painter = mirrored.remove(at: index)
      if let former = self.painter { mirrored.append(former) }
    } else {
      painter = content.painter(canvas: size, replacing: newestPainter)
    }
    self.painter = painter
    pictureMoment = engine.now
    engine.panel = painter.viewport.designRect(of: size)
    draw(on: painter, following: position)
    return painter
  }

  /// The painter with the highest number of a frame, which a new one goes on with: a display must not take another
  /// painter's frame for one that it has shown.
  private var newestPainter: Painter? {
    ([painter].compactMap(\.self) + mirrored).max { $0.frame < $1.frame }
  }

  /// The same picture on a canvas of another size: as it was when this was called last, or as it is now.
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

  /// The sizes of canvases besides the first on which the picture is shown; what others take is given back.
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

  /// The picture on an upright canvas of `size` pixels, as it was when `picture` was called last.
  package func shownPicture(_ size: PixelSize) -> Painter {
    if let painter, painter.size == size { painter } else { picture(size) }
  }

  /// The threads that compose a picture, 1 ….
  package var threadCount: Int { content.threads?.width ?? 1 }

  /// The images to prepare next, where there is time: first those that are shown, then those of the other
  /// pages.
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

  /// Takes what was made of images, to show it.
  package func finish(_ images: FinishedImages) {
    painter?.finish(images)
    for painter in mirrored { painter.finish(images) }
  }

  // MARK: As fast as it can

  /// Lets time pass until `isDone`, or until `deadline`, and reports what happens; returns whether it is
  /// done. The engine moves from change to change.
  ///
  /// - Parameters:
  ///   - frame: seconds from frame to frame; while something moves, `isDone` is asked at each.
  ///   - next: a further moment at which `isDone` is asked.
  @discardableResult
  package func run(
    to deadline: Instant, frame: Double? = nil, until isDone: () throws -> Bool,
    next: () -> Instant? = { nil }
  ) rethrows -> Bool {
    while try !isDone() {
      guard engine.now < deadline else { return false }
      var moment = min(deadline, engine.nextChange ?? deadline)
      if let frame, engine.isMoving { moment = min(moment, engine.now + frame) }
      if let next = next() { moment = min(moment, next) }
      engine.advance(to: moment)
      report()
    }
    return true
  }

  /// Lets time pass until `deadline`, and reports what happens.
  package func run(to deadline: Instant) { run(to: deadline, until: { false }) }
}
