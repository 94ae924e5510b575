// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import RoundelMotion
import Testing

@Suite struct ButtonTests {
  private func button(_ shape: Button.Shape = .round) -> Stage<Button> {
    Stage(Button(center: Point(100, 100), size: Size(80, 80), text: "Go", shape: shape))
  }

  @Test func `a tap selects the button`() {
    var stage = button()
    stage.tap(Point(100, 100), at: 0)
    #expect(stage.eventNames == ["pressed", "selected", "confirmed"])
    #expect(stage.events[1].fields == [Field("label", .text("Go"))])
  }

  @Test func `lifting outside the button cancels`() {
    var stage = button()
    stage.touch(.down, Point(100, 100), at: 0)
    stage.touch(.move, Point(300, 100), at: 0.1)
    #expect(!stage.control.isHeld)
    stage.touch(.up, at: 0.2)
    #expect(stage.eventNames == ["pressed", "cancelled"])
  }

  @Test func `a button is hit only inside its painted shape, so not in its round corners`() {
    let corner = Point(63, 63)
    #expect(!button(.round).control.contains(corner, at: .zero))
    #expect(button(.rounded).control.contains(Point(68, 68), at: .zero))
    #expect(!button(.rounded).control.contains(Point(60.5, 60.5), at: .zero))
  }

  @Test func `a held button looks different until it is released`() {
    var stage = button()
    let rest = stage.picture
    stage.touch(.down, Point(100, 100), at: 0)
    #expect(stage.picture != rest)
    stage.touch(.cancel, at: 0.1)
    #expect(stage.picture == rest)
    #expect(stage.eventNames == ["pressed", "cancelled"])
  }

  @Test func `a reset releases the button`() {
    var stage = button()
    let rest = stage.picture
    stage.touch(.down, Point(100, 100), at: 0)
    stage.reset(at: 0.1)
    #expect(stage.picture == rest)
    #expect(stage.eventNames == ["pressed", "cancelled"])
  }
}

@Suite struct LabelTests {
  @Test func `a label draws its current text`() {
    let label = Label(center: .zero, text: "now")
    var list = DisplayList()
    label.draw(into: &list, in: DrawingContext(now: .zero, font: "sans-serif"))
    guard case .text(let run) = list.items[0].tiles[0].shape else {
      Issue.record("a label draws a text")
      return
    }
    #expect(run.text == "now")
  }

  @Test func `a text set at run time is shown literally, including braces`() throws {
    var stage = Stage(Label(center: .zero, text: ""))
    #expect(stage.picture.items.isEmpty)
    try stage.set("text", to: .text("{a.b}"), at: 0)
    #expect(stage.control.text == "{a.b}")
  }

  @Test func `labels and pictures ignore touches`() {
    #expect(!Label(center: .zero, text: "x").contains(.zero, at: .zero))
    #expect(
      !Picture(center: .zero, image: "a.png", size: Size(9, 9)).contains(.zero, at: .zero))
  }
}
