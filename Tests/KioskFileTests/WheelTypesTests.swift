// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import Kiosk
import RoundelMotion
import Testing
import RoundelDeclarations

@testable import KioskFile

private func kiosk(_ control: String) -> String {
  "kiosk: k\npages: [{page: p, controls: [\(control)]}]\n"
}

private func control<Kind: Control>(_ kind: Kind.Type, _ text: String) throws -> Kind {
  let reading = read(kiosk(text))
  #expect(reading.diagnostics.filter { $0.severity == .error } == [])
  let description = try #require(reading.description)
  return try #require(description.pages[0].controls[0].control as? Kind)
}

@Suite struct DialTypeTests {
  @Test func `omitted keys of a dial have the documented defaults`() throws {
    let dial = try control(Dial.self, "{dial: d, at: [300, 200], radius: 150, labels: 12}")
    #expect(
      dial
        == Dial(
          center: Point(300, 200), radius: 150, labels: Dial.numbers(12), value: 0,
          labelOffset: nil, fontSize: nil, textColor: nil, color: .surface,
          background: nil, drag: .relative, inertia: .normal, wraps: true, pointer: .zero))
  }

  @Test func `every key of a dial is read`() throws {
    let dial = try control(
      Dial.self,
      """
      {dial: d, at: [300, 200], radius: 150, labels: [a, 2, c], value: 2, label_offset: 30,
      font_size: 18, text_color: white, color: "#123", background: {image: wall.png},
      drag: absolute, inertia: fast, wrap: false, pointer: 90, ticks: {every: 60, step: -1}}
      """)
    #expect(
      dial
        == Dial(
          center: Point(300, 200), radius: 150, labels: ["a", "2", "c"], value: 2,
          labelOffset: 30, fontSize: 18, textColor: .white,
          color: .hex(0x112233), background: .image("wall.png"), drag: .absolute,
          inertia: .fast, wraps: false, pointer: .degrees(90),
          ticks: Dial.Ticks(every: 60, step: -1)))
  }

  @Test(arguments: [
    ("labels: 0", "number"), ("labels: 10001", "number"), ("labels: []", "empty list"),
    ("labels: 12, value: 12", "less than the number of labels, 12"),
    ("labels: 12, inertia: slow", "normal, fast or none"), ("labels: 12, drag: 3", "relative"),
    ("labels: 12, radius: .nan", "radius"), ("labels: 12, radius: 0", "radius"),
    ("labels: 12, background: {image: lost.png}", "lost.png"), ("value: 1", "labels"),
    ("labels: 12, ticks: {step: 0}", "1, -1"), ("labels: 12, ticks: {every: 0}", "0.05"),
    ("labels: 12, wraps: true", "did you mean \"wrap\"?"),
  ])
  func `a dial's errors are reported`(keys: String, message: String) {
    let radius = keys.contains("radius") ? "" : "radius: 150, "
    let reported = diagnostics(kiosk("{dial: d, at: [300, 200], \(radius)\(keys)}"))
    #expect(reported.contains { $0.contains(message) }, "\(reported)")
  }

  @Test func `ten thousand labels are accepted`() throws {
    let dial = try control(Dial.self, "{dial: d, at: [300, 200], radius: 150, labels: 10000}")
    #expect(dial.labels.count == 10_000)
  }
}

@Suite struct NumberDialTests {
  @Test func `a dial of numbers has stops and its configured value`() throws {
    let dial = try control(
      Dial.self,
      """
      {dial: d, at: [300, 200], radius: 150, min: 5, max: 30, step: 0.5, label_every: 5, unit: " °C",
      upright: true, value: 21.5}
      """)
    let scale = try #require(Scale(from: 5, to: 30, step: 0.5))
    #expect(
      dial
        == Dial(
          center: Point(300, 200), radius: 150, scale: scale, value: 21.5, wraps: false,
          unit: " °C", labelStride: 10, isUpright: true))
    #expect(dial.labels.count == 51 && dial.labels[1] == "5.5")
  }

  @Test(arguments: [
    ("min: 5, max: 5", "less than 5"), ("min: 5, max: 4", "\"min\" is not below \"max\": 5 and 4"),
    ("max: 3, step: 4", "at most 3"), ("max: 1000000", "at most 10000"),
    ("max: 9, value: 12", "a number from 0 to 9"), ("max: .inf", "\"max\""),
    ("step: .nan, max: 5", "\"step\""), ("max: 9, labels: 4", "only one of them"),
    ("max: 9, step: 2, label_every: 3", "a multiple of 2"), ("color: red", "\"min\" and \"max\""),
    ("labels: 4, value: 1.5", "a whole number from 0 to 3"),
  ])
  func `errors in a dial of numbers are reported`(keys: String, message: String) {
    let reported = diagnostics(kiosk("{dial: d, at: [300, 200], radius: 150, \(keys)}"))
    #expect(reported.contains { $0.contains(message) }, "\(reported)")
  }
}

@Suite struct RingTypeTests {
  @Test func `omitted keys of a ring have the documented defaults`() throws {
    let ring = try control(Ring.self, "{ring: r, at: [300, 200], radius: 150}")
    let scale = try #require(Scale(from: 0, to: 100))
    #expect(
      ring == Ring(center: Point(300, 200), radius: 150, scale: scale, isContinuous: true))
    #expect(scale.step == 1)
  }

  @Test func `every key of a ring is read`() throws {
    let ring = try control(
      Ring.self,
      """
      {ring: r, at: [300, 200], radius: 150, thickness: 20, from: 90, to: -90, min: -10, max: 10,
      step: 0.5, value: 2.5, interactive: false, needle: true, spinning: true, color: red, track: blue,
      bands: [{to: 0, color: green}, {to: 10, color: red}], ticks: {every: 1, label_every: 5},
      text: "a", font_size: 30, text_color: white}
      """)
    let scale = try #require(Scale(from: -10, to: 10, step: 0.5))
    #expect(
      ring
        == Ring(
          center: Point(300, 200), radius: 150, thickness: 20, from: .degrees(90),
          to: .degrees(-90), scale: scale, value: 2.5, isInteractive: false, isSpinning: true,
          hasNeedle: true,
          bands: [
            Ring.Band(to: 0, color: .hex(0x008000)), Ring.Band(to: 10, color: .hex(0xff0000)),
          ], ticks: Ring.Ticks(every: 1, labelEvery: 5), color: .hex(0xff0000),
          track: .hex(0x0000ff), text: "a", fontSize: 30, textColor: .white))
  }

  @Test(arguments: [
    ("min: 5, max: 4", "less than 4"), ("min: .nan", "\"min\""), ("max: .inf", "\"max\""),
    ("value: .nan", "\"value\""), ("value: 101", "a number from 0 to 100"),
    ("min: 1, max: 1", "less than 1"), ("step: 0", "\"step\""), ("step: 200", "at most 100"),
    ("step: 0.001", "at most 10000"), ("from: 10, to: 10", "more than 0"),
    ("from: -200, to: 200", "at most 360"), ("thickness: 200", "at most 150"),
    ("bands: []", "empty list"), ("bands: [{to: 50, color: red}, {to: 40, color: red}]", "than 50"),
    ("bands: [{to: 150, color: red}]", "at most 100"), ("bands: [{color: red}]", "\"to\""),
    ("ticks: 0.001", "at least 0.1"), ("ticks: 0", "ticks"), ("needel: true", "\"needle\""),
    ("min: 1e12, max: 1e12", "less than"),
  ])
  func `a ring's errors are reported`(keys: String, message: String) {
    let reported = diagnostics(kiosk("{ring: r, at: [300, 200], radius: 150, \(keys)}"))
    #expect(reported.contains { $0.contains(message) }, "\(reported)")
  }

  @Test func `a toggle is read, with and without its optional keys`() throws {
    #expect(
      try control(Toggle.self, "{toggle: t, at: [300, 200], size: [200, 60]}")
        == Toggle(center: Point(300, 200), size: Size(200, 60)))
    #expect(
      try control(
        Toggle.self,
        """
        {toggle: t, at: [300, 200], size: [200, 60], label: a, value: true, on_color: red, color: blue,
        font_size: 20, text_color: white}
        """)
        == Toggle(
          center: Point(300, 200), size: Size(200, 60), label: "a", value: true,
          color: .hex(0x0000ff), onColor: .hex(0xff0000), fontSize: 20, textColor: .white))
    let reported = diagnostics(kiosk("{toggle: t, at: [300, 200], size: [200, 60], value: maybe}"))
    #expect(reported.contains { $0.contains("true or false") })
  }
}

@Suite struct BarTypeTests {
  private func bar(_ keys: String) throws -> Bar {
    try control(Bar.self, "{bar: b, at: [300, 200], size: [400, 80]\(keys)}")
  }

  @Test func `every key of a bar is read`() throws {
    let bar = try bar(
      """
      , min: -10, max: 10, step: 0.5, low: -2, high: 2.5, min_gap: 1, interactive: false,
      bands: [{to: 0, color: green}], ticks: {every: 1, label_every: 5}, segments: 10, peak: 1.5,
      color: red, track: blue, text: "a"
      """)
    let scale = try #require(Scale(from: -10, to: 10, step: 0.5))
    #expect(
      bar
        == Bar(
          center: Point(300, 200), size: Size(400, 80), scale: scale, range: -2...2.5,
          minimumGap: 1, isInteractive: false, bands: [ScaleBand(to: 0, color: .hex(0x008000))],
          ticks: ScaleTicks(every: 1, labelEvery: 5), segments: 10, peakSeconds: 1.5,
          color: .hex(0xff0000), track: .hex(0x0000ff), text: "a"))
  }

  @Test func `a template of the control's own state leaves space for the text`() throws {
    let plain = try bar(", text: a")
    let follows = try bar(", text: \"{b.value}\"")
    #expect(follows.place(of: "100", at: .zero) == plain.place(of: "100", at: .zero))
    #expect(follows.place(of: "100", at: .zero) != (try bar("")).place(of: "100", at: .zero))
  }

  @Test func `a template of low makes two knobs`() throws {
    #expect(try bar(", low: \"{b.high / 2}\"").items(at: .zero).map(\.id) == ["low", "high"])
    let both = diagnostics(
      kiosk("{bar: b, at: [300, 200], size: [400, 80], value: 5, low: \"{b.high / 2}\"}"))
    #expect(both.contains { $0.contains("\"value\" together with \"low\" or \"high\"") })
  }

  @Test(arguments: [
    ("low: 9, high: 8", "\"low\" is above \"high\": 9 and 8"),
    ("low: 9, high: 11, min_gap: 3", "a distance of at least 3"),
    ("low: 9, min_gap: 101", "\"min_gap\" is larger than the range: 101"),
    ("low: -1", "a number from 0 to 100"), ("value: 1, high: 2", "only one of them"),
    ("segments: -1", "segments"), ("segments: 201", "200"), ("peak: -1", "peak"),
    ("grab: arc", "bar or knob"), ("marker: .nan", "marker"),
  ])
  func `a bar's errors are reported`(keys: String, message: String) {
    let reported = diagnostics(kiosk("{bar: b, at: [300, 200], size: [400, 80], \(keys)}"))
    #expect(reported.contains { $0.contains(message) }, "\(reported)")
  }

  @Test(arguments: [
    ("value: loud", "a colour"),
    ("kelvin: [6500, 2200]", "the lower temperature first"),
    ("kelvin: [2700, 2700]", "not a range"),
    ("kelvin: [2200]", "kelvin"), ("kelvin: [0, 6500]", "1000"),
  ])
  func `a colour wheel's errors are reported`(keys: String, message: String) {
    let reported = diagnostics(kiosk("{color: c, at: [300, 200], radius: 150, \(keys)}"))
    #expect(reported.contains { $0.contains(message) }, "\(reported)")
  }
}

@Suite struct PickerTypeTests {
  @Test func `omitted keys of a picker have the documented defaults`() throws {
    let picker = try control(
      Picker.self, "{picker: p, at: [300, 200], size: [200, 300], wheels: [{id: w, items: [a, 1]}]}"
    )
    #expect(
      picker
        == Picker(
          center: Point(300, 200), size: Size(200, 300), rows: 5, mute: 0.6, muteColor: nil,
          inertia: .normal,
          columns: [
            Picker.Column(
              id: "w", items: [Picker.Item(label: "a"), Picker.Item(label: "1")], wraps: true,
              value: 0)
          ]))
  }

  @Test func `every key of a picker is read`() throws {
    let picker = try control(
      Picker.self,
      """
      {picker: p, at: [300, 200], size: [200, 300], rows: 3, mute: 0.2, mute_color: black,
      color: "#123", text_color: white, font_size: 20, inertia: none, wheels: [
      {id: w, wrap: false, value: 2,
      items: [a, {label: b, color: red, value: 2.5}, {color: blue, value: true}]}]}
      """)
    #expect(
      picker
        == Picker(
          center: Point(300, 200), size: Size(200, 300), rows: 3, mute: 0.2, muteColor: .black,
          color: .hex(0x112233), textColor: .white, fontSize: 20, inertia: .none,
          columns: [
            Picker.Column(
              id: "w",
              items: [
                Picker.Item(label: "a"),
                Picker.Item(label: "b", color: .hex(0xff0000), value: .number(2.5)),
                Picker.Item(label: "", color: .hex(0x0000ff), value: .flag(true)),
              ], wraps: false, value: 2)
          ]))
  }

  @Test(arguments: [
    ("wheels: []", "empty list"), ("wheels: [{id: w}]", "missing key \"items\""),
    ("wheels: [{id: w, items: [a], value: 1}]", "less than the number of items, 1"),
    ("wheels: [{id: w, items: [a]}, {id: w, items: [b]}]", "duplicate id"),
    ("wheels: [{id: a.b, items: [a]}]", "an id"), ("wheels: [{items: [a]}]", "missing key \"id\""),
    ("rows: 0, wheels: [{id: w, items: [a]}]", "rows"),
    ("mute: 2, wheels: [{id: w, items: [a]}]", "mute"),
    ("wheels: [{id: w, items: [{label: a, colour: red}]}]", "did you mean \"color\"?"),
  ])
  func `a picker's errors are reported`(keys: String, message: String) {
    let reported = diagnostics(kiosk("{picker: p, at: [300, 200], size: [200, 300], \(keys)}"))
    #expect(reported.contains { $0.contains(message) }, "\(reported)")
  }

  @Test func `actions and labels can use a wheel's properties`() {
    let head = "kiosk: k\npages: [{page: p, controls: ["
    let picker = "{picker: p, at: [300, 200], size: [200, 300], wheels: [{id: w, items: [a, b]}]}"
    let known = "\(head)\(picker), {label: l, at: [9, 9], text: \"{p.w.label}\"}]}]"
    let unknown = "\(head)\(picker), {label: l, at: [9, 9], text: \"{p.v.label}\"}]}]"
    #expect(read(known).description != nil)
    #expect(read(unknown).description == nil)
  }
}

@Suite struct ResistorTypeTests {
  private func resistor(_ keys: String) throws -> Resistor {
    try control(Resistor.self, "{resistor: r, at: [400, 300], size: [600, 500]\(keys)}")
  }

  @Test func `the default resistor has four bands, 1 kΩ, and the 2016 edition`() throws {
    let resistor = try resistor("")
    #expect(resistor.code.text == "1 kΩ ±5 %" && resistor.edition == .year2016)
  }

  @Test(arguments: [
    (", bands: 3", "1 kΩ ±20 %"), (", bands: 5", "1 kΩ ±1 %"),
    (", bands: 6", "1 kΩ ±1 % 100 ppm/K"), (", value: [yellow, violet, red, gold]", "4.7 kΩ ±5 %"),
    (", edition: 2005, value: [brown, black, red, grey]", "1 kΩ ±0.05 %"),
    (", value: [brown, black, red, grey]", "1 kΩ ±0.01 %"),
  ])
  func `bands, edition and value are read`(keys: String, text: String) throws {
    #expect(try resistor(keys).code.text == text)
  }

  @Test(arguments: [
    ("bands: 2", "3, 4, 5 or 6"), ("edition: 2010", "2016 or 2005"),
    ("value: [brown, black, red]", "4, one per band"),
    ("value: [brown, black, red, white]", "valid colours for the bands"),
    ("edition: 2005, value: [brown, black, red, orange]", "valid colours for the bands"),
    ("value: [browm, black, red, gold]", "did you mean \"brown\"?"),
  ])
  func `a resistor's errors are reported`(keys: String, message: String) {
    let reported = diagnostics(kiosk("{resistor: r, at: [400, 300], size: [600, 500], \(keys)}"))
    #expect(reported.contains { $0.contains(message) }, "\(reported)")
  }
}

@Suite struct ChartTypeTests {
  @Test func `a chart is read, with and without its optional keys`() throws {
    #expect(
      try control(Chart.self, "{chart: c, at: [300, 200], size: [200, 60]}")
        == Chart(center: Point(300, 200), size: Size(200, 60)))
    #expect(
      try control(
        Chart.self,
        """
        {chart: c, at: [300, 200], size: [200, 60], value: 4, seconds: 3600, min: -5, max: 5, gap: 30,
        format: .1f, unit: " °C", axis: false, color: red, font_size: 20, text_color: white}
        """)
        == Chart(
          center: Point(300, 200), size: Size(200, 60), value: 4, seconds: 3_600, minimum: -5,
          maximum: 5, gap: 30, format: ".1f", unit: " °C", hasAxis: false, color: .hex(0xff0000),
          fontSize: 20, textColor: .white))
  }

  @Test(arguments: [
    ("seconds: 0", "from 1 to"), ("seconds: -5", "from 1 to"), ("seconds: 1e9", "from 1 to"),
    ("seconds: .nan", "\"seconds\""), ("min: 5, max: 4", "less than 4"),
    ("min: 1, max: 1", "less than 1"), ("min: .inf", "\"min\""), ("gap: 0", "\"gap\""),
    ("value: .nan", "\"value\""), ("value: 1e16", "\"value\""), ("format: .1x", "is not a format"),
    ("format: s", "strings, not a number"), ("colour: red", "\"color\""),
    ("axis: maybe", "true or"),
  ])
  func `a chart's errors are reported`(keys: String, message: String) {
    let reported = diagnostics(kiosk("{chart: c, at: [300, 200], size: [200, 60], \(keys)}"))
    #expect(reported.contains { $0.contains(message) }, "\(reported)")
  }
}
