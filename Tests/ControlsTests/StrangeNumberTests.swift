// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import RoundelMotion
import QRCodes
import Testing

/// Controls that a program creates with numbers that files can't have.
@Suite struct StrangeNumberTests {
  private static let numbers = [
    0, -1, 1e-300, 0.5, 1e18, 1e300, .infinity, -.infinity, .nan, .greatestFiniteMagnitude,
  ]
  private static let counts = [.min, -1, 0, 1, 1_000_000, Int.max]

  private static let center = Point(200, 200)
  private static let size = Size(300, 300)
  private static let columns = [Picker.Column(id: "a", items: ["x", "y"].map { .init(label: $0) })]

  /// Uses a control as an engine does.
  private func use(_ control: some Control) {
    var control = control
    var events: [ControlEvent] = []
    var now = Instant.zero
    func draw() {
      var list = DisplayList()
      control.draw(into: &list, in: DrawingContext(now: now, font: "sans-serif"))
    }
    func advance(by seconds: Double) {
      let end = now + seconds
      for _ in 0..<20 {
        guard let next = control.nextChange(after: now), next > now, next < end else { break }
        now = next
        control.advance(to: now, events: &events)
      }
      now = end
      control.advance(to: now, events: &events)
      draw()
    }
    func touch(_ phase: Touch.Phase, _ point: Point) {
      advance(by: 0.1)
      if phase == .down, !control.contains(point, at: now) { return }
      control.handle(Touch(finger: 0, phase: phase, position: point), at: now, events: &events)
      draw()
    }
    control.appear(at: now, events: &events)
    draw()
    try? control.set("value", to: .number(1), at: now, events: &events)
    for point in [Self.center, Point(200, 60), Point(340, 200)] {
      touch(.down, point)
      touch(.move, point + Vector(10, 30))
      touch(.up, point + Vector(10, 30))
      touch(.down, point)
      touch(.up, point)
    }
    for seconds in [0.05, 1, 9, 1e3] { advance(by: seconds) }
    control.letGo(at: now, events: &events)
    control.reset(at: now, events: &events)
    draw()
  }

  private func useAll(_ make: (Double) throws -> (any Control)?) rethrows {
    for number in Self.numbers {
      if let control = try make(number) { use(control) }
    }
  }

  @Test func `a chart accepts any number`() {
    useAll { Chart(center: Self.center, size: Self.size, gap: $0) }
    useAll { Chart(center: Self.center, size: Self.size, seconds: $0) }
    useAll { Chart(center: Self.center, size: Self.size, value: $0) }
    useAll { Chart(center: Self.center, size: Self.size, value: 3, minimum: $0) }
    useAll { Chart(center: Self.center, size: Self.size, value: 3, maximum: $0) }
    useAll { Chart(center: Self.center, size: Self.size, fontSize: $0) }
    useAll { Chart(center: Self.center, size: Size($0, $0)) }
  }

  @Test func `a ring accepts any number`() {
    let scale = Scale(from: 0, to: 10, step: 1) ?? { preconditionFailure("a scale") }()
    func ring(
      thickness: Double? = nil, value: Double? = nil, bands: [Ring.Band] = [],
      ticks: Ring.Ticks? = nil, fontSize: Double? = nil, radius: Double = 150
    ) -> any Control {
      Ring(
        center: Self.center, radius: radius, thickness: thickness, scale: scale, value: value,
        bands: bands, ticks: ticks, text: "text", fontSize: fontSize)
    }
    useAll { ring(ticks: Ring.Ticks(every: $0, labelEvery: 1)) }
    useAll { ring(ticks: Ring.Ticks(every: 1, labelEvery: $0)) }
    useAll { ring(value: $0) }
    useAll { ring(bands: [Ring.Band(to: $0, color: .accent), Ring.Band(to: 5, color: .text)]) }
    useAll { ring(thickness: $0) }
    useAll { ring(fontSize: $0) }
    useAll { ring(radius: $0) }
    useAll {
      Scale(from: 0, to: 10, step: $0).map { Ring(center: Self.center, radius: 9, scale: $0) }
    }
    useAll { Scale(from: 0, to: $0).map { Ring(center: Self.center, radius: 9, scale: $0) } }
    useAll { Scale(from: $0, to: 10).map { Ring(center: Self.center, radius: 9, scale: $0) } }
  }

  @Test func `a dial accepts any number`() {
    let scale = Scale(from: 0, to: 10, step: 1) ?? { preconditionFailure("a scale") }()
    useAll { Dial(center: Self.center, radius: 150, scale: scale, value: $0) }
    useAll { Dial(center: Self.center, radius: 150, labels: ["a", "b"], labelOffset: $0) }
    useAll { Dial(center: Self.center, radius: 150, labels: ["a", "b"], fontSize: $0) }
    useAll { Dial(center: Self.center, radius: $0, labels: ["a", "b"]) }
    useAll {
      $0 > 0
        ? Dial(
          center: Self.center, radius: 150, labels: ["a", "b"], ticks: .init(every: $0, step: 1))
        : nil
    }
    for count in Self.counts {
      use(Dial(center: Self.center, radius: 150, labels: ["a", "b"], value: count))
      use(Dial(center: Self.center, radius: 150, scale: scale, labelStride: count))
      if count != 0 {
        use(
          Dial(
            center: Self.center, radius: 150, labels: ["a", "b"],
            ticks: .init(every: 1, step: count)))
      }
      if count < 10_000 { #expect(Dial.numbers(count).count == max(count, 0)) }
    }
  }

  @Test func `pickers, resistors and slots accept any number`() {
    useAll { Picker(center: Self.center, size: Self.size, mute: $0, columns: Self.columns) }
    useAll { Picker(center: Self.center, size: Self.size, fontSize: $0, columns: Self.columns) }
    useAll { Picker(center: Self.center, size: Size($0, $0), columns: Self.columns) }
    func slots(
      duration: Double = 1, stagger: Double = 0, sharpen: Double = 0, rows: Int = 3
    ) -> any Control {
      Slots(
        center: Self.center, size: Self.size, rows: rows, duration: duration, stagger: stagger,
        sharpen: sharpen, reels: [.init(id: "a", items: ["x", "y"]), .init(id: "b", items: ["x"])])
    }
    useAll { $0 > 0 ? slots(duration: $0) : nil }
    useAll { $0 >= 0 ? slots(stagger: $0) : nil }
    useAll { slots(sharpen: $0) }
    for count in Self.counts {
      let column = Picker.Column(id: "a", items: [.init(label: "x")], value: count)
      use(Picker(center: Self.center, size: Self.size, columns: [column]))
      guard count > 0 else { continue }
      use(Picker(center: Self.center, size: Self.size, rows: count, columns: Self.columns))
      use(slots(rows: count))
    }
  }

  @Test func `pinwheels and menus accept any number`() {
    let wedges = [Pinwheel.Wedge(id: "a", label: "A"), Pinwheel.Wedge(id: "b")]
    func wheel(
      radius: Double = 150, hole: Double? = nil, gap: Pinwheel.Gap = .degrees(1),
      blink: Blink.Pattern = .init(), fontSize: Double? = nil
    ) -> any Control {
      Pinwheel(
        center: Self.center, radius: radius, hole: hole, gap: gap, blink: blink,
        fontSize: fontSize, wedges: wedges)
    }
    useAll { wheel(radius: $0) }
    useAll { wheel(hole: $0) }
    useAll { wheel(gap: .degrees($0)) }
    useAll { wheel(gap: .pixels($0)) }
    useAll { wheel(fontSize: $0) }
    useAll { wheel(blink: .init(on: $0)) }
    useAll { wheel(blink: .init(off: $0)) }
    for count in Self.counts {
      use(wheel(blink: .init(count: count)))
      use(Button(center: Self.center, size: Self.size, text: "b", blink: .init(count: count)))
    }
    func menu(
      radius: Double = 48, leafRadius: Double = 40, smallestLeaf: Double? = nil,
      distance: Double? = nil, arc: Angle = .fullTurn, fontSize: Double? = nil
    ) -> any Control {
      Menu(
        center: Self.center, screen: Size(800, 480), label: "M", radius: radius,
        leafRadius: leafRadius, smallestLeaf: smallestLeaf, distance: distance, arc: arc,
        fontSize: fontSize,
        items: [.init(id: "a", label: "A"), .init(id: "b", label: "B")])
    }
    useAll { menu(radius: $0) }
    useAll { menu(leafRadius: $0) }
    useAll { menu(smallestLeaf: $0) }
    useAll { menu(distance: $0) }
    useAll { menu(fontSize: $0) }
    useAll { $0 > 0 ? menu(arc: .degrees($0)) : nil }
  }

  @Test func `lists, keypads, toggles, buttons and labels accept any number`() throws {
    useAll {
      List(center: Self.center, size: Self.size, rowHeight: $0, items: [.init(label: "x")])
    }
    useAll {
      List(center: Self.center, size: Size($0, $0), rowHeight: 40, items: [.init(label: "x")])
    }
    useAll { Keypad(center: Self.center, size: Self.size, fontSize: $0) }
    for count in Self.counts { use(Keypad(center: Self.center, size: Self.size, length: count)) }
    useAll { Toggle(center: Self.center, size: Size($0, $0), label: "t") }
    useAll { Toggle(center: Self.center, size: Self.size, label: "t", fontSize: $0) }
    useAll { Button(center: Self.center, size: Size($0, $0), text: "b", icon: .sign("i")) }
    useAll { Button(center: Self.center, size: Self.size, text: "b", fontSize: $0) }
    useAll { Label(center: Self.center, text: "l", fontSize: $0) }
    useAll { $0 > 0 ? RoundelControls.Timer(every: $0) : nil }
    useAll { Picture(center: Self.center, image: "x.png", size: Size($0, $0)) }
    let code = try #require(Resistor.standard(bands: 4))
    useAll { Resistor(center: Self.center, size: Size($0, $0), code: code) }
    useAll { try? QRCode(center: Self.center, size: Size($0, $0), text: "q") }
    for count in Self.counts {
      if let code = try? QRCode(
        center: Self.center, size: Self.size, text: "q", quietZone: count)
      {
        use(code)
      }
    }
  }
}
