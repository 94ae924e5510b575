// SPDX-License-Identifier: MIT

import RoundelExpressions
import RoundelGeometry
import Kiosk
import KioskProtocol
import LinuxIO
import Testing

@Suite struct WordsTests {
  @Test(arguments: [
    ("cups=3", "cups", "3"), ("minutes.value=", "minutes.value", ""),
    (#"note.text="Back at noon""#, "note.text", "Back at noon"), ("a=b=c", "a", "b=c"),
    (#"a=""#, "a", "\""),
  ])
  func `an assignment consists of a name and text`(word: String, name: String, text: String) throws
  {
    let assignment = try #require(Assignment(argument: word))
    #expect("\(assignment.name)" == name && assignment.text == text)
  }

  @Test(arguments: ["cups", "=3"])
  func `a word without a name or equals sign isn't an assignment`(_ word: String) {
    #expect(Assignment(argument: word) == nil)
  }

  @Test(arguments: [
    ("cups=3", true), ("cups == 3", false), ("cups >= 3", false), ("cups != 3", false),
    ("name == 'a=b'", false), ("cups", false), ("note.text=\"a == b\"", true),
  ])
  func `a single equals sign makes an awaited state an assignment`(
    word: String, isAssignment: Bool
  ) throws {
    switch try #require(AwaitedState(argument: word)) {
    case .assignment: #expect(isAssignment)
    case .expression(let text): #expect(!isAssignment && text == word)
    }
  }

  @Test(arguments: [
    ("count=3", Value.number(3)), ("open=true", .flag(true)), ("code=007", .text("007")),
    ("open=no", .text("no")), ("name=", .text("")), ("name=\"3\"", .text("\"3\"")),
  ])
  func `a field of an event is a number or flag if it is so in JSON`(word: String, value: Value) {
    #expect(EventField(argument: word)?.value == value)
  }

  @Test func `a field requires a name`() {
    #expect(EventField(argument: "=3") == nil && EventField(argument: "name") == nil)
  }

  @Test func `numbers are separated by commas, and two of them are a point`() {
    #expect(NumberList(argument: "640,120")?.point == Point(640, 120))
    #expect(NumberList(argument: "-1.5")?.numbers == [-1.5])
    #expect(NumberList(argument: "1,2,3")?.point == nil)
    for word in ["", ",", "1,", "1,x", "nan", "inf,1"] {
      #expect(NumberList(argument: word) == nil, "\(word)")
    }
  }

  @Test(arguments: [
    (KioskError.Kind.failed, Failure.Code.didNotHold), (.invalid, .usage),
    (.unavailable, .unavailable), (.denied, .permission),
  ])
  func `each kind of kiosk error has an exit status`(kind: KioskError.Kind, code: Failure.Code) {
    let failure = Failure(KioskError(kind, "the reason"))
    #expect(failure.code == code && failure.message == "the reason")
  }
}
