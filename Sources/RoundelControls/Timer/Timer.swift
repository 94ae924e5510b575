// SPDX-License-Identifier: MIT

public import RoundelDrawing
internal import RoundelExpressions
public import RoundelGeometry
public import RoundelMotion

/// A timer that reports `due` periodically while it is running and in use: enabled, on the current page, and with the
/// panel awake. A timer is invisible.
///
///     in use and running ────── due ────── due ┄┄ the page is left, or it stops
///     0                        every     2·every
public struct Timer: KeyedControl, Hashable {
  /// A timer is invisible, so it isn't announced.
  public static var spokenRole: SpokenRole { .silent }

  /// The period in seconds, above 0.
  public package(set) var every: Double
  /// Whether the timer runs while in use.
  public private(set) var isRunning: Bool

  /// The position, which has no effect.
  package var center = Point.zero
  private let runsAtFirst: Bool
  private var isInUse = false
  private var run: Run?

  private struct Run: Hashable {
    var start: Instant
    var count = 0
  }

  /// The period in seconds.
  static let minimumPeriod = 0.05

  /// Creates a timer, first due one period after it comes into use. Periods are at least 0.05 s.
  public init(every: Double, isRunning: Bool = true) {
    precondition(every > 0, "a timer needs a period")
    self.every = max(every, Self.minimumPeriod)
    self.isRunning = isRunning
    runsAtFirst = isRunning
  }

  /// Counts from the start to avoid drift.
  private var due: Instant? { run.map { $0.start + every * Double($0.count + 1) } }

  private mutating func update(at now: Instant) {
    if !isInUse || !isRunning { run = nil } else if run == nil { run = Run(start: now) }
  }

  /// Always false. Touches pass through.
  public func contains(_ point: Point, at now: Instant) -> Bool { false }

  /// Reports `due` once for each full period.
  public mutating func advance(to now: Instant, events: inout [ControlEvent]) {
    while let due, due <= now {
      events.append(ControlEvent("due", at: due))
      run?.count += 1
    }
  }

  /// The time when the timer is next due, or nil while it doesn't run.
  public func nextChange(after now: Instant) -> Instant? { due }

  /// Always true, because a timer is never drawn.
  public func isStill(at now: Instant) -> Bool { true }

  /// Starts the first period, if the timer is running.
  public mutating func appear(at now: Instant, events: inout [ControlEvent]) {
    isInUse = true
    update(at: now)
  }

  /// Ends the current period.
  public mutating func disappear(at now: Instant) {
    isInUse = false
    update(at: now)
  }

  /// Ends the current period. `running` doesn't change.
  public mutating func reset(at now: Instant, events: inout [ControlEvent]) { disappear(at: now) }

  /// Keeps the start of the current run. A changed `every` counts from that start.
  public mutating func resume(_ old: any Control, at now: Instant) {
    guard let old = old as? Timer else { return }
    if runsAtFirst == old.runsAtFirst { isRunning = old.isRunning }
    isInUse = old.isInUse
    run = old.run
    update(at: now)
    guard every != old.every, let start = run?.start else { return }
    // Continue with the next multiple of the new period.
    run?.count = Int(min(max(0, (now - start) / every), 1e15).rounded(.down))
    while let due, due <= now { run?.count += 1 }
  }

  package mutating func keysChanged(since old: Timer?, at now: Instant) {
    if let old { resume(old, at: now) }
  }

  /// A started timer begins a whole period.
  package static let interface = Interface<Timer>(
    properties: [
      Property("running") { timer, _ in
        timer.isRunning
      } set: { timer, isRunning, at, _ in
        timer.isRunning = isRunning
        timer.update(at: at.now)
      }
    ],
    events: [EventType("due", "The period of `every` seconds ended.")])

  /// Always nil.
  public func place(of item: String?, at now: Instant) -> Point? { nil }

  /// Draws nothing.
  public func draw(into list: inout DisplayList, in context: DrawingContext) {}
}
