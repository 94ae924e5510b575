// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import RoundelMotion
import TestSupport
import Testing

private let middle = Point(640, 400)

private func picture(_ dial: Dial, enabled: Bool = true) -> DisplayList {
  var list = DisplayList()
  dial.draw(
    into: &list, in: DrawingContext(now: .zero, font: "sans-serif", isEnabled: enabled))
  return list
}

private func texts(_ list: DisplayList) -> [TextRun] {
  list.items.compactMap { item in
    if case .text(let run) = item.tiles[0].shape { run } else { nil }
  }
}

private func dial(
  _ labels: [String] = Dial.numbers(12), value: Int = 0, background: Dial.Background? = nil,
  pointer: Double = 0
) -> Dial {
  Dial(
    center: middle, radius: 300, labels: labels, value: value, background: background,
    pointer: .degrees(pointer))
}

@Suite struct DialLookTests {
  @Test func `the window around the selected label is one shape, so its edge is uniform`() {
    let list = picture(
      Dial(center: middle, radius: 300, labels: Dial.numbers(6), labelOffset: 40))
    let mark = list.items.compactMap { item -> [Point]? in
      guard case .polygon(let points) = item.tiles[0].shape else { return nil }
      return item.tiles[0].fill == .color(Theme.dark.accent) ? points : nil
    }
    #expect(mark.count == 2)
    let discs = list.items.count { item in
      if case .sector(let sector) = item.tiles[0].shape { sector.outerRadius < 100 } else { false }
    }
    #expect(discs == 0)
  }

  private var labelRadius: Double { 300 - 1.5 * Theme.labelSize(onRadius: 300) }

  @Test func `labels run clockwise from 12 o'clock, each rotated by its own angle`() {
    let runs = texts(picture(dial()))
    #expect(runs.map(\.text) == Dial.numbers(12))
    for (index, run) in runs.enumerated() {
      let angle = Angle.degrees(30 * Double(index))
      #expect(run.anchor.distance(to: middle + angle.unit * labelRadius) < 1e-6)
      #expect(abs(run.angle.turn(from: angle).radians) < 1e-9)
    }
  }

  @Test func `labels are bold, with a size and a distance from the rim that follow the radius`() {
    let run = texts(picture(dial()))[0]
    #expect(run.font.weight == 700 && run.tabularFigures)
    // 22 px and two steps of the type scale, ∛2 each: 5.8 % of the diameter.
    #expect(abs(run.size - 34.9228) < 1e-4)
    #expect(abs(run.anchor.distance(to: middle) - labelRadius) < 1e-9)
  }

  @Test func `labels are at multiples of the stride if the scale contains any`() throws {
    func shown(_ low: Double, _ high: Double, step: Double, stride: Int?) throws -> [Double] {
      let scale = try #require(Scale(from: low, to: high, step: step))
      let dial = Dial(center: middle, radius: 300, scale: scale, labelStride: stride)
      // The selected label is always shown, and is drawn last.
      return texts(picture(dial)).dropLast().compactMap { Double($0.text) }
    }
    #expect(try shown(10, 200, step: 10, stride: 5) == [50, 100, 150])
    #expect(try shown(0, 55, step: 5, stride: 3) == [15, 30, 45])
    #expect(try shown(5, 115, step: 10, stride: 2) == [25, 45, 65, 85, 105])
    let hours = try shown(1, 600, step: 1, stride: nil)
    #expect(hours.count > 3 && hours.allSatisfy { $0.truncatingRemainder(dividingBy: 10) == 0 })
  }

  @Test func `the selected label is under the pointer`() {
    for pointer in [0.0, 90, 215] {
      let runs = texts(picture(dial(value: 7, pointer: pointer)))
      let selected = runs.first { $0.text == "7" }
      let under = middle + Angle.degrees(pointer).unit * labelRadius
      #expect((selected?.anchor.distance(to: under) ?? 1000) < 1e-6)
    }
  }

  @Test func `labels under a pointer below the centre are upright`() {
    let runs = texts(picture(dial(value: 3, pointer: 180)))
    let selected = runs.first { $0.text == "3" }
    #expect(abs((selected?.angle ?? .fullTurn / 2).turn(from: .zero).radians) < 1e-9)
  }

  @Test func `a background is round, below the labels, and turns with the face`() throws {
    let list = picture(dial(value: 3, background: .image("face.png")))
    let place = try #require(
      list.items.firstIndex { item in
        if case .image = item.tiles[0].fill { true } else { false }
      })
    let tile = list.items[place].tiles[0]
    #expect(tile.shape == .disc(center: middle, radius: 300))
    guard case .image(let name, let frame, _, let turn, true) = tile.fill else { return }
    #expect(name == "face.png")
    #expect(frame == Rect(center: middle, size: Size(600, 600)))
    #expect(abs(turn.turn(from: .degrees(-90)).radians) < 1e-9)
    let firstText = try #require(
      list.items.firstIndex { if case .text = $0.tiles[0].shape { true } else { false } })
    #expect(place < firstText)
  }

  @Test func `a background doesn't change the labels`() {
    let plain = texts(picture(dial()))
    #expect(texts(picture(dial(background: .image("a.png")))) == plain)
    #expect(texts(picture(dial(background: .color(.white)))) == plain)
  }

  @Test(arguments: [1, 2, 60, 100, 365, 10_000])
  func `only legible labels are drawn, including the selected one`(count: Int) {
    for value in [0, count / 2, count - 1] {
      let runs = texts(picture(dial(Dial.numbers(count), value: value)))
      #expect(runs.contains { $0.text == "\(value)" })
      #expect(runs.count <= min(count, 70))
      for (index, run) in runs.enumerated() {
        for other in runs.dropFirst(index + 1) {
          #expect(run.anchor.distance(to: other.anchor) > 20)
        }
      }
    }
  }

  @Test func `if labels are skipped, the selected one stays still under the pointer`() {
    var stage = Stage(dial(Dial.numbers(60), value: 7))
    let before = stage.picture
    stage.touch(.down, Point(640, 200), at: 0)
    for step in 1...40 {
      let direction = Angle.degrees(-0.7 * Double(step))
      stage.touch(.move, middle + direction.unit * 200, at: Double(step) * 0.01)
      let runs = texts(stage.picture)
      guard case .text(let label)? = stage.value("label") else { continue }
      let selected = runs.first { $0.text == label }
      #expect(selected?.anchor == texts(before).last?.anchor && selected?.angle == .zero)
    }
  }

  @Test func `ten thousand labels draw no more items than sixty`() {
    #expect(picture(dial(Dial.numbers(10_000))).items.count < 100)
  }

  @Test func `a label of 500 characters is fitted into a box`() {
    let runs = texts(picture(dial([String(repeating: "w", count: 500), "b", "c"])))
    for run in runs {
      guard case .box(let box) = run.bounds else {
        Issue.record("a label without a box")
        continue
      }
      #expect(box.width < 600)
    }
  }

  @Test func `a disabled dial looks disabled`() {
    #expect(picture(dial(), enabled: false) != picture(dial()))
  }

  @Test func `a dial at rest neither moves nor schedules a change`() {
    #expect(!dial().isMoving(at: .zero))
    #expect(dial().nextChange(after: .zero) == nil)
  }

  @Test func `a new dial keeps the selected label, or its index if the label is gone`() {
    let old = dial(value: 7)
    var same = dial()
    same.resume(old, at: .zero)
    #expect(same.value(of: "value", at: .zero) == .integer(7))
    var moved = dial(["7", "8", "9"])
    moved.resume(old, at: .zero)
    #expect(moved.value(of: "label", at: .zero) == .text("7"))
    var fewer = dial(["a", "b"])
    fewer.resume(old, at: .zero)
    #expect(fewer.value(of: "label", at: .zero) == .text("b"))
  }
}

@Suite struct DialStormTests {
  @Test(arguments: 0..<20)
  func `after random touches nothing is held or moving`(seed: UInt64) {
    var chance = SeededGenerator(seed: seed &* 7919 &+ 1)
    var stage = Stage(
      Dial(
        center: middle, radius: 200,
        labels: Dial.numbers([1, 2, 12, 60, 400].randomElement(using: &chance) ?? 1),
        drag: Dial.Drag.allCases.randomElement(using: &chance) ?? .relative,
        inertia: Wheel.Inertia.allCases.randomElement(using: &chance) ?? .normal,
        wraps: .random(using: &chance)))
    var time = 0.0
    for _ in 0..<400 {
      time += [0, 0.001, 0.008, 0.05, 0.4, -3].randomElement(using: &chance) ?? 0
      let strange = [Double.nan, .infinity, 1e300, -1e300, 640].randomElement(using: &chance) ?? 0
      let point =
        .random(using: &chance)
        ? Point(.random(in: 300...900, using: &chance), .random(in: 100...700, using: &chance))
        : Point(strange, 400)
      switch Int.random(in: 0..<20, using: &chance) {
      case 0: try? stage.set("value", to: .integer(.random(in: -1...500, using: &chance)), at: time)
      case 1: stage.reset(at: time)
      case 2: time += 86_400
      case 3...5: stage.touch(.down, point, finger: .random(in: 0...2, using: &chance), at: time)
      case 6...8: stage.touch(.up, point, finger: .random(in: 0...2, using: &chance), at: time)
      case 9: stage.touch(.cancel, point, finger: .random(in: 0...2, using: &chance), at: time)
      default: stage.touch(.move, point, finger: .random(in: 0...2, using: &chance), at: time)
      }
      _ = stage.picture
    }
    for finger in 0...2 { stage.touch(.up, finger: finger, at: time) }
    stage.advance(to: stage.now.seconds + 60)
    #expect(!stage.control.isMoving(at: stage.now))
    #expect(stage.control.nextChange(after: stage.now) == nil)
    let rests = stage.eventNames.filter { $0 == "settled" }.count
    #expect(rests > 0 && stage.eventNames.last == "settled")
    // The dial still responds.
    stage.touch(.down, Point(640, 300), at: stage.now.seconds + 1)
    stage.touch(.up, at: stage.now.seconds + 1)
    stage.advance(to: stage.now.seconds + 2)
    #expect(stage.eventNames.filter { $0 == "settled" }.count == rests + 1)
  }
}
