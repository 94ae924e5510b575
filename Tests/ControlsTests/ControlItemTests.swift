// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import RoundelMotion
import Testing

/// A touch at the position of an item hits that item.
@Suite struct ControlItemTests {
  @Test(arguments: [1, 2, 3, 7, 24])
  func `a tap on a wedge's position selects that wedge`(_ count: Int) {
    let wheel = Pinwheel(
      center: Point(300, 200), radius: 150, hole: 30, gap: .pixels(6), start: .degrees(20),
      wedges: (0..<count).map { .init(id: "w\($0)", isEnabled: $0 != 1) })
    for item in wheel.items(at: .zero) {
      var stage = Stage(wheel)
      stage.tap(wheel.place(of: item.id, at: .zero) ?? .zero, at: 0)
      #expect(item.isEnabled == (item.id != "w1"))
      #expect(stage.value("item") == .text(item.isEnabled ? item.id : ""))
    }
    #expect(wheel.place(of: nil, at: .zero) == Point(300, 200))
    #expect(wheel.place(of: "nope", at: .zero) == nil)
  }

  @Test func `a leaf has a position while its ring is open, and can be selected there`() {
    let menu = Menu(
      center: Point(40, 40), screen: Size(400, 400),
      items: [
        .init(id: "tea"), .init(id: "no", isEnabled: false),
        .init(id: "more", items: [.init(id: "x"), .init(id: "y")]),
      ])
    var stage = Stage(menu)
    let ids = menu.items(at: .zero).map(\.id)
    #expect(ids == ["tea", "no", "more", "more/x", "more/y"])
    #expect(menu.items(at: .zero).allSatisfy { $0.place == nil })
    func place(_ id: String?) -> Point? { stage.control.place(of: id, at: stage.now) }
    #expect(place(nil) == Point(40, 40))
    stage.tap(Point(40, 40), at: 0)
    stage.advance(to: 2)
    #expect(place("more/x") == nil)
    stage.tap(place("more") ?? .zero, at: 2)
    stage.advance(to: 4)
    stage.tap(place("more/y") ?? .zero, at: 4)
    #expect(stage.value("path") == .list([.text("more"), .text("y")]))
  }

  @Test func `a dial's label positions follow its rotation`() throws {
    let dial = Dial(
      center: Point(200, 200), radius: 100, labels: Dial.numbers(4), value: 1, labelOffset: 20,
      pointer: .degrees(90))
    func isAt(_ id: String, _ x: Double, _ y: Double) -> Bool {
      (dial.place(of: id, at: .zero)?.distance(to: Point(x, y)) ?? 1) < 1e-6
    }
    #expect(isAt("1", 280, 200))
    #expect(isAt("2", 200, 280))
    #expect(isAt("0", 200, 120))
    #expect(dial.place(of: "4", at: .zero) == nil)
  }

  @Test func `a tap on a row's position turns the wheel to it`() {
    let picker = Picker(
      center: Point(200, 150), size: Size(200, 250), rows: 5,
      columns: [
        .init(id: "h", items: (0..<12).map { .init(label: String($0)) }, value: 11),
        .init(id: "m", items: ["x", "y", "z"].map { .init(label: $0) }, wraps: false),
      ])
    let visible = picker.items(at: .zero).filter { $0.place != nil }.map(\.id)
    #expect(visible == ["h", "h/0", "h/1", "h/9", "h/10", "h/11", "m", "m/x", "m/y", "m/z"])
    for id in visible where id.contains("/") {
      var stage = Stage(picker)
      stage.tap(picker.place(of: id, at: .zero) ?? .zero, at: 0)
      stage.advance(to: 3)
      let parts = id.split(separator: "/")
      #expect(stage.value("\(parts[0]).label") == .text(String(parts[1])))
    }
  }

  @Test func `a band's wheel is found by its index`() throws {
    let code = try #require(Resistor.standard(bands: 4))
    let resistor = Resistor(center: Point(200, 200), size: Size(300, 300), code: code)
    let wheels = ["0", "1", "2", "3"].compactMap { resistor.place(of: $0, at: .zero) }
    #expect(wheels.count == 4)
    #expect(wheels.allSatisfy { resistor.contains($0, at: .zero) })
    #expect(zip(wheels, wheels.dropFirst()).allSatisfy { $0.x < $1.x })
  }

  @Test func `a reel's position is in its column`() {
    let slots = Slots(
      center: Point(100, 100), size: Size(90, 60),
      reels: [
        .init(id: "l", items: ["a"], direction: .down),
        .init(id: "r", items: ["a"], direction: .up),
      ])
    #expect(slots.place(of: "l", at: .zero) == Point(77.5, 100))
    #expect(slots.place(of: "r", at: .zero) == Point(122.5, 100))
    #expect(slots.place(of: nil, at: .zero) == Point(100, 100))
  }
}
