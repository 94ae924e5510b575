// SPDX-License-Identifier: MIT

import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import RoundelMotion
import Testing

@testable import RoundelControls

@Suite struct KeypadTests {
  private func pad(
    _ layout: KeypadLayout = .digits, length: Int = 8, shape: Keypad.Shape = .round
  ) -> Stage<Keypad> {
    Stage(
      Keypad(
        center: Point(200, 200), size: Size(300, 390), layout: layout, length: length,
        shape: shape))
  }

  private func place(_ key: String, _ stage: Stage<Keypad>) throws -> Point {
    try #require(stage.control.place(of: key, at: stage.now))
  }

  private func type(
    _ keys: [String], into stage: inout Stage<Keypad>, from start: Double = 0
  ) throws {
    for (index, key) in keys.enumerated() {
      stage.tap(try place(key, stage), at: start + Double(index) * 0.1, for: 0.05)
    }
  }

  @Test func `each key types a character, and enter reports the text`() throws {
    var stage = pad()
    try type(["4", "0", "7", "delete", "enter"], into: &stage)
    #expect(stage.eventNames == ["typed", "typed", "typed", "typed", "entered"])
    #expect(
      stage.events[3].fields == [
        Field("key", .text("delete")), Field("text", .text("40")), Field("count", .integer(2)),
      ])
    #expect(stage.events[4].fields == [Field("text", .text("40")), Field("count", .integer(2))])
    #expect(stage.value("value") == .text("40"))
    #expect(stage.times(of: "typed") == [0.05, 0.15, 0.25, 0.35])
  }

  @Test func `a PIN appears only in the secrets of entered`() throws {
    var stage = pad(.pin, length: 4)
    try type(["4", "0", "7"], into: &stage)
    #expect(stage.value("value") == .text("•••"))
    #expect(stage.events.map(\.fields) == (1...3).map { [Field("count", .integer($0))] })
    #expect(stage.events.map(\.secrets) == [[], [], []])
    try type(["enter"], into: &stage, from: 1)
    #expect(stage.events[3].fields == [Field("count", .integer(3))])
    #expect(stage.events[3].secrets == [Field("text", .text("407"))])
    #expect(stage.value("value") == .text(""))
    #expect(throws: PropertyError.self) { try stage.set("value", to: .text("1"), at: 2) }
    try type(["1"], into: &stage, from: 2)
    try stage.set("value", to: .text(""), at: 3)
    #expect(stage.control.text.isEmpty)
  }

  @Test(arguments: Keypad.Shape.allCases)
  func `no picture reveals the held key of a PIN pad`(_ shape: Keypad.Shape) throws {
    func held(_ key: String, of layout: KeypadLayout) throws -> DisplayList {
      var stage = pad(layout, shape: shape)
      stage.touch(.down, try place(key, stage), at: 0)
      return stage.picture
    }
    let (first, last) = (try held("1", of: .pin), try held("9", of: .pin))
    #expect(first == last)
    #expect(first != pad(.pin, shape: shape).picture)
    let (plainFirst, plainLast) = (try held("1", of: .digits), try held("9", of: .digits))
    #expect(plainFirst != plainLast)
    // The picture doesn't show the typed key, either.
    var (one, nine) = (pad(.pin), pad(.pin))
    try type(["1"], into: &one)
    try type(["9"], into: &nine)
    #expect(one.picture == nine.picture)
  }

  @Test func `a long press on delete repeats at the same times at any frame rate`() throws {
    for step in [1.0 / 60, 0.3] {
      var stage = pad()
      try type(["1", "2", "3", "4", "5", "6"], into: &stage)
      stage.touch(.down, try place("delete", stage), at: 1)
      stage.advance(to: 1.75, step: step)
      stage.touch(.up, at: 1.75)
      #expect(Array(stage.times(of: "typed").dropFirst(6)) == [1.5, 1.6, 1.7])
      #expect(stage.value("value") == .text("123"))
      #expect(stage.control.nextChange(after: stage.now) == nil)
    }
  }

  @Test func `leaving the delete key stops repetition, and returning restarts its delay`() throws {
    var stage = pad()
    try type(["1", "2", "3"], into: &stage)
    let key = try place("delete", stage)
    stage.touch(.down, key, at: 1)
    stage.touch(.move, .zero, at: 1.4)
    stage.advance(to: 3)
    stage.touch(.move, key, at: 3)
    stage.advance(to: 3.45)
    #expect(stage.value("value") == .text("123"))
    stage.advance(to: 3.55)
    #expect(stage.value("value") == .text("12"))
    stage.touch(.move, .zero, at: 3.56)
    stage.touch(.move, key, at: 3.57)
    stage.advance(to: 6)
    stage.touch(.up, at: 6)
    #expect(stage.value("value") == .text("12"))
  }

  @Test func `repetition ends when the text is empty`() throws {
    var stage = pad()
    try type(["1"], into: &stage)
    stage.touch(.down, try place("delete", stage), at: 1)
    stage.advance(to: 2)
    #expect(stage.value("value") == .text(""))
    try stage.set("value", to: .text("77"), at: 3)
    stage.advance(to: 4)
    #expect(stage.value("value") == .text("77"))
  }

  @Test func `two thumbs type in the order of their touches`() throws {
    var stage = pad()
    stage.touch(.down, try place("1", stage), finger: 0, at: 0)
    stage.touch(.down, try place("2", stage), finger: 1, at: 0.05)
    stage.touch(.up, finger: 1, at: 0.1)
    stage.touch(.up, finger: 0, at: 0.15)
    #expect(stage.value("value") == .text("12"))
    #expect(stage.times(of: "typed") == [0.05, 0.1])
  }

  @Test func `a touch that slides off or is cancelled types nothing`() throws {
    var stage = pad()
    let rest = stage.picture
    stage.touch(.down, try place("5", stage), at: 0)
    #expect(stage.picture != rest)
    stage.touch(.move, try place("8", stage), at: 0.1)
    #expect(stage.picture == rest)
    stage.touch(.up, at: 0.2)
    stage.touch(.down, try place("5", stage), at: 0.3)
    stage.touch(.cancel, at: 0.4)
    stage.touch(.down, try place("5", stage), at: 0.5)
    stage.letGo(at: 0.6)
    stage.touch(.up, at: 0.7)
    #expect(stage.events.isEmpty)
    #expect(stage.picture == rest)
  }

  @Test func `characters beyond the length and enter on an empty text are ignored`() throws {
    var stage = pad(length: 2)
    try type(["enter", "delete"], into: &stage)
    #expect(stage.events.isEmpty)
    try type(["1", "2", "3"], into: &stage, from: 1)
    #expect(stage.eventNames == ["typed", "typed"])
    #expect(stage.control.items(at: stage.now).first { $0.id == "3" }?.isEnabled == false)
    try stage.set("value", to: .text("98765"), at: 3)
    #expect(stage.value("value") == .text("98"))
  }

  @Test func `shift capitalises one letter, and a double tap locks it until the next tap`() throws {
    var stage = pad(.text)
    try type(["shift", "A", "b", "shift", "shift", "C", "D", "shift", "e"], into: &stage)
    #expect(stage.value("value") == .text("AbCDe"))
    try type(["symbols", "7", "symbols", "space", "f"], into: &stage, from: 2)
    #expect(stage.value("value") == .text("AbCDe7 f"))
    stage.reset(at: 4)
    #expect(stage.control.layer == 0 && stage.value("value") == .text("AbCDe7 f"))
  }

  @Test func `custom keys type their names`() throws {
    let layout = KeypadLayout(rows: [["ä", "ß", "00"], ["shift", "space", "delete", "enter"]])
    var stage = pad(layout)
    try type(["ä", "00", "space"], into: &stage)
    try type(["shift"], into: &stage, from: 1)
    // ß has no single-character capital.
    try type(["ß"], into: &stage, from: 2)
    #expect(stage.value("value") == .text("ä00 ß"))
    #expect(!KeypadLayout(rows: [["enter"], []]).hasLetters)
  }

  @Test func `the shortest key sequence is found, however many keys lead to capitals`() throws {
    let shifts = Array(repeating: "shift", count: 100)
    let keypad = pad(KeypadLayout(rows: [["a", "b"], shifts, shifts])).control
    #expect(try keypad.keys(typing: "aBb") == ["a", "shift", "B", "b"])
    #expect(try keypad.keys(typing: "AB") == ["shift", "A", "shift", "B"])
    #expect(throws: Keypad.Obstacle.noKey("z")) { try keypad.keys(typing: "az") }
    #expect(throws: Keypad.Obstacle.tooLong(maximum: 8)) { try keypad.keys(typing: "ababababa") }
  }

  @Test(arguments: Keypad.Shape.allCases)
  func `each point belongs to at most one key, and each painted point to its own`(
    _ shape: Keypad.Shape
  ) {
    let pad = pad(.text, shape: shape).control
    for place in pad.positions {
      let outline = pad.outline(of: place).rect
      #expect(pad.frame.intersection(outline) == outline)
      for other in pad.positions where other != place {
        #expect(pad.outline(of: other).rect.intersection(outline).isEmpty)
        #expect(
          pad.reach(of: other).rect.intersection(pad.reach(of: place).rect.inset(by: 1e-6)).isEmpty)
      }
      #expect(pad.contains(outline.center, at: .zero))
    }
    #expect(!pad.contains(Point(200, 10), at: .zero))
  }
}
