// SPDX-License-Identifier: MIT

import RoundelDrawing
import RoundelGeometry
import RoundelMotion
import Testing

@testable import RoundelControls

@Suite struct MirroringTests {
  private static let center = Point(300, 200)
  private static let size = Size(400, 120)

  private static let controls: [any Control] = [
    List(
      center: center, size: size, rowHeight: 60,
      items: [
        List.Item(id: "a", label: "قاعة", detail: "12:30", icon: .sign("★"), section: "أ"),
        List.Item(id: "b", label: "Saal", image: "hall.png"),
      ]),
    Toggle(center: center, size: size, label: "نور"),
    Button(center: center, size: size, text: "حفظ", icon: .sign("★")),
  ]

  /// The horizontal extents of text and boxes, from left to right.
  private func places(_ control: any Control, in language: String) -> [ClosedRange<Double>] {
    var list = DisplayList()
    control.draw(
      into: &list, in: DrawingContext(now: .zero, font: Font("sans-serif", language: language)))
    return list.items.flatMap(\.tiles).compactMap { tile in
      switch tile.shape {
      case .text(let run):
        // The left or right ends of its lines, or their centre.
        let half =
          switch (run.alignment, run.bounds) {
          case (.left, .frame(let room)): -room.width / 2
          case (.right, .frame(let room)): room.width / 2
          default: 0.0
          }
        return run.anchor.x + half...run.anchor.x + half
      case .roundedRect(let outline): return outline.rect.x0...outline.rect.x1
      default: return nil
      }
    }
  }

  @Test(arguments: controls.indices)
  func `controls with items side by side are mirrored in right-to-left languages`(_ index: Int) {
    let control = Self.controls[index]
    let places = places(control, in: "de")
    #expect(places == self.places(control, in: ""))
    let mirrored = self.places(control, in: "ar")
    #expect(mirrored != places)
    #expect(mirrored.count == places.count)
    for (place, mirrored) in zip(places, mirrored) {
      #expect(abs(mirrored.lowerBound - (2 * Self.center.x - place.upperBound)) < 1e-9)
      #expect(abs(mirrored.upperBound - (2 * Self.center.x - place.lowerBound)) < 1e-9)
    }
  }
}
