// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelGeometry
import RoundelMotion
import TestSupport
import Testing

@Suite struct InkTests {
  private static let center = Point(200, 200)
  private static let size = Size(300, 300)

  /// The colours of a control's text at rest.
  private func inks(_ control: any Control) -> Set<Color> {
    var list = DisplayList()
    control.draw(into: &list, in: DrawingContext(now: .zero, font: "sans-serif"))
    return Set(
      list.tiles.compactMap { tile in
        guard case .text = tile.shape, case .color(let ink) = tile.fill else { return nil }
        return ink
      })
  }

  @Test func `all controls use the same text colour on the same background`() {
    var random = SeededGenerator(seed: 4)
    var faces = [Color(hex: 0x1f7ae0)]
    for _ in 0..<500 { faces.append(Color(hex: .random(in: 0...0xffffff, using: &random))) }
    for face in faces {
      let color = ThemeColor.fixed(face)
      let button = inks(Button(center: Self.center, size: Self.size, text: "T", color: color))
      let others: [any Control] = [
        Menu(
          center: Self.center, screen: Size(400, 400), label: "T", color: color,
          items: [.init(id: "a", label: "A")]),
        Pinwheel(
          center: Self.center, radius: 150,
          wedges: [.init(id: "a", label: "T", color: color), .init(id: "b", color: color)]),
        List(
          center: Self.center, size: Self.size, rowHeight: 80, items: [.init(label: "T")],
          color: color),
      ]
      for control in others { #expect(inks(control) == button, "\(face) \(type(of: control))") }
    }
  }

  @Test(arguments: [[0x5a78ab, 0x00a5b5], [0x1f7ae0, 0x1f7ae0]])
  func `a ring uses the text colour with the higher minimum contrast`(_ faces: [UInt32]) {
    let wheel = Pinwheel(
      center: Self.center, radius: 150,
      wedges: faces.indices.map { index in
        .init(id: "\(index)", label: "T", color: .fixed(Color(hex: faces[index])))
      })
    #expect(inks(wheel) == [.dark])
  }
}
