// SPDX-License-Identifier: MIT

import RoundelDrawing
import RoundelGeometry
import RoundelRaster
import TestSupport
import Testing
import RoundelText

private let size = PixelSize(101, 40)

private func painter() -> Painter {
  Painter(size: size, viewport: Viewport(scale: 1, offset: .zero), fonts: FontLibrary())
}

private func list(_ background: UInt32, _ disc: UInt32, at x: Double) -> DisplayList {
  var list = DisplayList(background: Color(hex: background))
  list.add(.disc(center: Point(x, 20), radius: 15), Color(hex: disc))
  return list
}

private let old = list(0x204060, 0xffaa33, at: 30)
private let new = list(0xf0e0d0, 0x112233, at: 70)

private func pixels(_ list: DisplayList) -> [UInt32] {
  let painter = painter()
  painter.show(list)
  return painter.canvas().bitmap().pixels
}

private func time(_ transition: DisplayList.Transition) -> DisplayList {
  var list = new
  list.transition = transition
  return list
}

@Suite struct TransitionTests {
  @Test func `a transition starts with the whole old picture and ends with the whole new one`() {
    for forward in [true, false] {
      #expect(
        pixels(time(.slide(from: old, towards: forward ? .left : .right, progress: 0)))
          == pixels(old))
      #expect(
        pixels(time(.slide(from: old, towards: forward ? .left : .right, progress: 1)))
          == pixels(new))
    }
    #expect(pixels(time(.fade(from: old, progress: 0))) == pixels(old))
    #expect(pixels(time(.fade(from: old, progress: 1))) == pixels(new))
    #expect(pixels(time(.fade(from: old, progress: .nan))) == pixels(new))
  }

  @Test(arguments: Direction.allCases, 0...20)
  func `sliding pages are next to each other`(direction: Direction, step: Int) {
    let progress = Double(step) / 20
    let seen = pixels(time(.slide(from: old, towards: direction, progress: progress)))
    let (from, to) = (pixels(old), pixels(new))
    let side = direction.axis == .horizontal ? size.width : size.height
    let rest = side - Int((progress * Double(side)).rounded())
    for y in 0..<size.height {
      for x in 0..<size.width {
        // The position in the new picture, and in the old one next to it.
        let (newX, newY, oldX, oldY) =
          switch direction {
          case .left: (x - rest, y, x - rest + side, y)
          case .right: (x + rest, y, x + rest - side, y)
          case .up: (x, y - rest, x, y - rest + side)
          case .down: (x, y + rest, x, y + rest - side)
          }
        let isNew = (0..<size.width).contains(newX) && (0..<size.height).contains(newY)
        let expected =
          isNew ? to[newY * size.width + newX] : from[oldY * size.width + oldX]
        #expect(seen[y * size.width + x] == expected)
      }
    }
  }

  @Test(arguments: [0, 0.3, 0.5, 1] as [Double])
  func `a bezel covers any moving picture`(progress: Double) {
    let bezel = Sector(center: Point(50.5, 20), innerRadius: 20, outerRadius: 1000)
    for transition in [
      DisplayList.Transition.fade(from: old, progress: progress),
      .slide(from: old, towards: .left, progress: progress),
      .slide(from: old, towards: .down, progress: progress),
    ] {
      var list = time(transition)
      let bare = pixels(list)
      list.bezel = bezel
      // The same bezel over the same resting picture.
      let flat = Painter(
        size: size, viewport: Viewport(scale: 1, offset: .zero), fonts: FontLibrary(),
        images: ["bare": ImageFile(Bitmap(size: size, pixels: bare))])
      var expected = DisplayList()
      let frame = Rect(size: Size(Double(size.width), Double(size.height)))
      expected.add(.rect(frame), .image("bare", frame: frame))
      expected.add(.sector(bezel), .black)
      flat.show(expected)
      let seen = pixels(list)
      #expect(seen == flat.canvas().bitmap().pixels)
      #expect(seen[0] == 0xff00_0000 && seen.last == 0xff00_0000 && seen != bare)
    }
  }

  @Test(arguments: Direction.allCases)
  func `parts of sliding pages add up to the whole picture`(direction: Direction) {
    var random = SeededGenerator(seed: 3)
    let painter = painter()
    let canvas = Canvas(size: size)
    var frame: Int?
    for step in 0..<60 {
      var list = time(.slide(from: old, towards: direction, progress: Double(step / 2) / 30))
      if step % 5 == 0 { list.add(.disc(center: Point(20, 20), radius: 9), .white) }
      if step % 7 == 0 { list.transition = nil }
      painter.show(list)
      if Bool.random(using: &random) {
        painter.paint(painter.damage(since: frame), onto: canvas)
        frame = painter.frame
        #expect(canvas.bitmap().pixels == pixels(list))
      }
    }
  }

  @Test func `showing the same state again isn't a new frame`() {
    let painter = painter()
    painter.show(time(.slide(from: old, towards: .up, progress: 0.4)))
    let frame = painter.frame
    painter.show(time(.slide(from: old, towards: .up, progress: 0.4)))
    #expect(painter.frame == frame)
    painter.show(time(.slide(from: old, towards: .up, progress: 0.5)))
    #expect(painter.frame > frame)
  }

  @Test(arguments: 0...16)
  func `a fade mixes each channel, rounded to the nearest`(step: Int) {
    let (from, to) = (pixels(old), pixels(new))
    let mixed = pixels(time(.fade(from: old, progress: Double(step) / 16)))
    for index in mixed.indices {
      for shift in [0, 8, 16, 24] as [UInt32] {
        let (a, b) = (Int(from[index] >> shift & 255), Int(to[index] >> shift & 255))
        let expected = (a * (256 - 16 * step) + b * 16 * step + 128) / 256
        #expect(Int(mixed[index] >> shift & 255) == expected)
      }
    }
  }

  @Test(arguments: [0.0, 0.01, 0.25, 0.5, 0.77, 0.99, 1], [true, false])
  func `a slide shows both pictures next to each other in whole pixels`(
    progress: Double, forward: Bool
  ) {
    let (from, to) = (pixels(old), pixels(new))
    let seen = pixels(
      time(.slide(from: old, towards: forward ? .left : .right, progress: progress)))
    let width = size.width
    let come = Int((progress * Double(width)).rounded())
    for y in 0..<size.height {
      for x in 0..<width {
        let row = y * width
        let expected =
          forward
          ? (x < width - come ? from[row + x + come] : to[row + x - (width - come)])
          : (x < come ? to[row + x + width - come] : from[row + x - come])
        #expect(seen[row + x] == expected)
      }
    }
  }

  @Test func `parts and bands of a transition equal the whole`() {
    for transition in [
      DisplayList.Transition.fade(from: old, progress: 0.3),
      .slide(from: old, towards: .left, progress: 0.4),
      .slide(from: old, towards: .right, progress: 0.4),
    ] {
      let painter = painter()
      painter.show(time(transition))
      let whole = painter.canvas()
      for rect in [
        PixelRect(x0: 3, y0: 5, x1: 44, y1: 23), PixelRect(x0: 50, y0: 0, x1: 101, y1: 40),
        PixelRect(x0: 38, y0: 7, x1: 65, y1: 9),
      ] {
        let block = painter.block(rect)
        #expect(block.pixels == whole.bitmap(in: rect).pixels)
      }
    }
  }

  @Test func `a transition doesn't depend on earlier pictures, and each step is a new frame`() {
    let sheet = Sheet(painter())
    for list in [new, old] { sheet.show(list) }
    for step in 0...20 {
      let list = time(.slide(from: old, towards: .left, progress: Double(step) / 20))
      sheet.show(list)
      #expect(sheet.canvas.bitmap().pixels == pixels(list))
    }
    sheet.show(new)
    #expect(sheet.canvas.bitmap().pixels == pixels(new))
    #expect(sheet.show(new).isEmpty)
  }

  @Test func `a transition during another starts from the current picture`() {
    let seen = time(.slide(from: old, towards: .left, progress: 0.4))
    var third = list(0x336633, 0xff0000, at: 50)
    third.transition = .fade(from: seen, progress: 0)
    #expect(pixels(third) == pixels(seen))
    let sheet = Sheet(painter())
    sheet.show(old)
    sheet.show(seen)
    for progress in [0.0, 0.2, 0.9] {
      third.transition = .fade(from: seen, progress: progress)
      sheet.show(third)
      #expect(sheet.canvas.bitmap().pixels == pixels(third))
    }
  }

  /// The first groups of four pixels may start up to three pixels before the row, in the first row
  /// outside the memory. Blending an image there would make pixels opaque.
  @Test func `a picture that slides in from the left writes nothing before its first row`() {
    let photo = ImageFile(Bitmap(size: PixelSize(2, 2), pixels: [0x8020_4060, 0, 0, 0x8020_4060]))
    for diameter in stride(from: 3.0, through: 40, by: 0.5) {
      let painter = Painter(
        size: PixelSize(16, 9), viewport: Viewport(scale: 1, offset: .zero), fonts: FontLibrary(),
        images: ["photo": photo])
      let frame = Rect(center: Point(8, 4), size: Size(diameter, diameter))
      var list = DisplayList(background: .black)
      list.add(.disc(center: frame.center, radius: diameter / 2), .image("photo", frame: frame))
      painter.show(list)
      let whole = painter.canvas()
      for come in 1..<16 {
        list.transition = .slide(
          from: DisplayList(background: .black), towards: .right, progress: Double(come) / 16)
        painter.show(list)
        // Each method has its own memory: single rows, sixteen at once, and in place.
        #expect(
          painter.block(PixelRect(size: painter.size)).pixels == painter.canvas().bitmap().pixels)
        let seen = painter.canvas()
        for y in 0..<9 { for x in 0..<come { #expect(seen[x, y] == whole[x + 16 - come, y]) } }
      }
    }
  }
}
