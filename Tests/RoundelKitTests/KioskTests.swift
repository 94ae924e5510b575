// SPDX-License-Identifier: MIT

import Foundation
import RoundelKit
import Testing

@Suite struct KioskTests {
  private static let text = """
    kiosk: order
    screen: {size: [800, 480]}
    values: {cups: {value: 1, min: 1, max: 8, step: 1}}
    pages:
      - page: choose
        controls:
          - pinwheel: drink
            at: [400, 240]
            radius: 220
            wedges: [{id: tea, label: Tea}, {id: coffee, label: Coffee}]
          - dial: amount
            at: [700, 120]
            radius: 90
            min: 1
            max: 8
            value: "{cups}"
      - page: thanks
        controls:
          - {label: text, at: [400, 240], text: "{cups} × {drink.label}"}
    """

  private static func order() throws -> Kiosk { try Kiosk(text: Self.text, path: "order.yaml") }

  @Test func `a tap on a stage selects a wedge and calls the closure`() throws {
    let kiosk = try Self.order()
    var seen: [String] = []
    kiosk.on("drink", "selected") { event, kiosk in
      seen.append(event.item ?? "")
      try kiosk.set("cups", to: 3)
      try kiosk.go(to: "thanks")
    }
    let stage = try kiosk.stage(Size(width: 800, height: 480))
    stage.tap("drink/tea")
    #expect(seen == ["tea"])
    #expect(stage.page == "thanks")
    #expect(stage.get("text.text") == "3 × Tea")
    #expect(stage.events.contains { $0.name == "selected" && $0.control == "drink" })
  }

  @Test func `a name that no control has is an error at the closure's line`() throws {
    let kiosk = try Self.order()
    kiosk.on("drinks", "selected") { _, _ in }
    kiosk.on("drink", "choosen") { _, _ in }
    let error = #expect(throws: KioskError.self) { try kiosk.stage() }
    #expect(error?.diagnostics.count == 2)
    #expect(error?.description.contains("KioskTests.swift") == true)
    #expect(error?.description.contains("no control is named \"drinks\"") == true)
    #expect(error?.description.contains("drink has no event \"choosen\"") == true)
  }

  @Test func `a wrong name on a stage is a failed event`() throws {
    let stage = try Self.order().stage()
    stage.tap("drink/milk")
    stage.set("sugar", to: 1)
    #expect(stage.get("nothing.here") == nil)
    #expect(stage.events.filter { $0.name == "failed" }.count == 3)
  }

  @Test(arguments: [0.0, -1, 10_000, .infinity, .nan])
  func `a stage of an impossible size is refused`(_ side: Double) throws {
    let kiosk = try Self.order()
    #expect(throws: KioskError.self) { try kiosk.stage(Size(width: side, height: 480)) }
  }

  @Test func `a kiosk in Swift is read like a file`() throws {
    let kiosk = try Kiosk(
      "order", languages: ["en", "de"], texts: ["hello": ["en": "Hello", "de": "Hallo"]]
    ) {
      Screen(size: [800, 480])
      Value("cups", 1, min: 1, max: 8)
      Page("choose") {
        Pinwheel("drink", at: [400, 240], radius: 220) {
          for name in ["tea", "coffee"] { Wedge(name, label: name) }
        }
        .on("selected", .set(["cups": 4]), .go("thanks"))
      }
      Page("thanks") {
        Label("text", at: [400, 240], text: "{texts.hello}, {cups} × {drink.label}")
      }
      Reaction(when: "cups > 3", do: [Action.emit("thirsty")])
    }
    let stage = try kiosk.stage()
    stage.tap("drink/coffee")
    #expect(stage.get("text.text") == "Hello, 4 × coffee")
    stage.set("language", to: "de")
    #expect(stage.get("text.text") == "Hallo, 4 × coffee")
    #expect(stage.events.contains { $0["name"] == "thirsty" })
  }

  @Test func `an error in a kiosk in Swift names the line of the part`() throws {
    var error: KioskError?
    let line = #line + 4
    do throws(KioskError) {
      _ = try Kiosk("order") {
        Page("choose") {
          Dial("amount", at: [400, 240], radius: "wide", min: 1, max: 8)
        }
      }
    } catch let thrown {
      error = thrown
    }
    let diagnostic = try #require(error?.diagnostics.first)
    #expect(diagnostic.file == "RoundelKitTests/KioskTests.swift")
    #expect(diagnostic.line == line, "\(String(describing: error))")
  }

  @Test func `a part in the wrong place is an error`() throws {
    let error = #expect(throws: KioskError.self) {
      try Kiosk("order") {
        Page("choose") {
          Dial("amount", at: [400, 240], radius: 100, min: 1, max: 8) { Wedge("tea") }
        }
      }
    }
    #expect(error?.description.contains("a wedge inside a dial") == true)
  }

  @Test func `closures of parts and typed events are called`() throws {
    var seen: [String] = []
    let dial = Dial("amount", at: [400, 240], radius: 200, min: 1, max: 8)
    let kiosk = try Kiosk("order") {
      Page("one") {
        dial.on("turned") { event, _ in seen.append("turned") }
        Pinwheel("drink", at: [100, 100], radius: 90) {
          Wedge("tea").on("selected") { _, _ in seen.append("tea") }
          Wedge("coffee").on("selected") { _, _ in seen.append("coffee") }
        }
      }
      .on("shown") { _, _ in seen.append("shown") }
    }
    kiosk.on(dial.settled) { event in seen.append("settled \(event.value?.number ?? 0)") }
    let stage = try kiosk.stage()
    stage.set("amount.value", to: 4)
    stage.advance(by: 3)
    stage.tap("drink/coffee")
    #expect(seen.contains("settled 4.0"))
    #expect(seen.contains("coffee"))
    #expect(!seen.contains("tea"))
  }

  @Test func `a drag turns a dial`() throws {
    let stage = try Self.order().stage()
    stage.drag("amount/3", to: "amount/1")
    stage.advance(by: 2)
    #expect(stage.get("cups") == 3)
  }

  @Test func `a picture has the stage's size and changes with the page`() throws {
    let stage = try Self.order().stage(Size(width: 400, height: 240))
    let before = stage.picture
    #expect(before.width == 400 && before.height == 240)
    #expect(before.pixels.count == 400 * 240)
    #expect(before[400, 0] == nil)
    stage.go(to: "thanks")
    stage.advance(by: 1)
    #expect(stage.picture != before)
    #expect(stage.picture.png.starts(with: [0x89, 0x50, 0x4e, 0x47]))
  }

  @Test func `a thrown error of a closure is a failed event`() throws {
    let kiosk = try Self.order()
    kiosk.on("drink", "selected") { _, kiosk in try kiosk.go(to: "nowhere") }
    let stage = try kiosk.stage()
    stage.tap("drink/tea")
    #expect(
      stage.events.contains {
        $0.name == "failed" && $0["message"]?.text?.contains("nowhere") == true
      })
  }

  @Test func `a file that does not exist is an error`() {
    #expect(throws: KioskError.self) { try Kiosk(file: "/nowhere/kiosk.yaml") }
  }

  /// Runs a kiosk on a thread, as a program's main thread would.
  private static func run(_ kiosk: sending Kiosk) async throws {
    nonisolated(unsafe) let kiosk = kiosk
    try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
      Thread.detachNewThread {
        ended.resume(
          with: Result { try unsafe kiosk.run(on: .headless(Size(width: 200, height: 120))) })
      }
    }
  }

  @Test func `a task sets a value and reads values without polling`() async throws {
    let kiosk = try Self.order()
    let handle = kiosk.handle
    async let seen = Self.first(2, of: handle.values("cups"))
    async let ended: Void = Self.run(kiosk)
    try await handle.set("cups", to: 5)
    #expect(await seen.last == 5)
    handle.post { $0.stop() }
    try await ended
  }

  private static func first(_ count: Int, of stream: AsyncStream<KioskValue?>) async
    -> [KioskValue?]
  {
    var found: [KioskValue?] = []
    for await value in stream {
      found.append(value)
      if value == 5 || found.count == count { break }
    }
    return found
  }

  @Test func `a handle throws once its stage is gone, even if another stage follows`() async throws
  {
    let kiosk = try Self.order()
    let handle = kiosk.handle
    do {
      let stage = try kiosk.stage()
      handle.post { session in try? session.set("cups", to: 4) }
      stage.advance(by: 0)
      #expect(stage.get("cups") == 4)
    }
    await #expect(throws: KioskError.self) { try await handle.set("cups", to: 2) }
    // A later stage takes over from an earlier one, whose end doesn't affect it.
    var earlier: Stage? = try kiosk.stage()
    let later = try kiosk.stage()
    #expect(earlier?.page == "choose")
    earlier = nil
    handle.post { session in try? session.set("cups", to: 6) }
    later.advance(by: 0)
    #expect(later.get("cups") == 6)
  }

  @Test func `a kiosk in Swift looks and behaves like the same file`() throws {
    let own = try Kiosk("order") {
      Screen(size: [800, 480])
      Value("cups", 1, min: 1, max: 8, step: 1)
      Page("choose") {
        Pinwheel("drink", at: [400, 240], radius: 220) {
          Wedge("tea", label: "Tea")
          Wedge("coffee", label: "Coffee")
        }
        Dial("amount", at: [700, 120], radius: 90, min: 1, max: 8, value: "{cups}")
      }
      Page("thanks") { Label("text", at: [400, 240], text: "{cups} × {drink.label}") }
    }
    let stages = try [own, Self.order()].map { try $0.stage(Size(width: 640, height: 384)) }
    var random = SystemRandomNumberGenerator()
    for _ in 0..<40 {
      let point = Point(
        .random(in: 0..<800, using: &random), .random(in: 0..<480, using: &random))
      let distance = Size(
        width: .random(in: -200...200, using: &random),
        height: .random(in: -200...200, using: &random))
      for stage in stages {
        if distance.width < 0 { stage.tap(point) } else { stage.drag(point, by: distance) }
        stage.advance(by: 0.3)
      }
      #expect(stages[0].picture == stages[1].picture, "\(point) \(distance)")
      #expect(stages[0].events == stages[1].events, "\(point) \(distance)")
    }
    for stage in stages { stage.go(to: "thanks") }
    #expect(stages[0].picture == stages[1].picture)
  }

  @Test func `a handle of a kiosk that has ended throws`() async throws {
    let kiosk = try Self.order()
    let handle = kiosk.handle
    handle.post { $0.stop() }
    try await Self.run(kiosk)
    await #expect(throws: KioskError.self) { try await handle.set("cups", to: 2) }
    for await _ in handle.events { Issue.record("the stream of an ended kiosk has an event") }
  }
}
