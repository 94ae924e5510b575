// SPDX-License-Identifier: MIT

import AllocationCount
import RoundelDrawing
import RoundelGeometry
import Glibc
import RoundelRaster
import SystemFonts
import TestSupport
import RoundelText

/// `paint-bench WIDTHxHEIGHT [SECONDS [FOLDER [SCENE]]]` repeatedly paints each scene, or a single
/// one, and prints `roundel|scene|size|median µs|least|95 %|frames|memset µs|ratio` and each
/// picture's hash. Writes the pictures to a folder other than `-`.
@main
struct PaintBench {
  let size: PixelSize
  let seconds: Double
  let folder: String?
  let scene: String?
  let fonts = FontLibrary()
  let memory: Canvas

  static func main() throws {
    let arguments = CommandLine.arguments
    let sides = arguments.count > 1 ? arguments[1].split(separator: "x").compactMap { Int($0) } : []
    guard sides.count == 2, sides.allSatisfy({ $0 > 0 && $0 <= 16_384 }) else {
      print("usage: paint-bench WIDTHxHEIGHT [SECONDS [FOLDER [SCENE]]]")
      exit(64)
    }
    try PaintBench(
      size: PixelSize(sides[0], sides[1]),
      seconds: arguments.count > 2 ? Double(arguments[2]) ?? 0.7 : 0.7,
      folder: arguments.count > 3 && arguments[3] != "-" ? arguments[3] : nil,
      scene: arguments.count > 4 ? arguments[4] : nil
    ).run()
  }

  init(size: PixelSize, seconds: Double, folder: String?, scene: String?) throws {
    self.size = size
    self.seconds = seconds
    self.folder = folder
    self.scene = scene
    memory = Canvas(size: size)
    let name = Scenes.font.faces[0]
    let file = try SystemFonts().file(for: name.family)
    try fonts.add(
      name, bytes: try FontFile.read(file.path), faceIndex: file.faceIndex)
  }

  func run() {
    snap("wedges", Scenes.wedges())
    snap("full", Scenes.full())
    snap("dial", Scenes.dial(10))
    snap("dial-at-rest", Scenes.dial(10, isMoving: false))
    snap("face", Scenes.face(10))
    snap("disc", Scenes.face(10, hasLabels: false))
    snap("press", Scenes.art(pressed: 1))
    snap("veil", Scenes.art(veiled: 1))
    snap("icons", Scenes.iconPage(10))
    snap("reels", Scenes.reels(10))
    let sheet = makeSheet()
    var wedges = Scenes.wedges()
    report("wedges") { frame in
      Scenes.recolor(&wedges, frame)
      sheet.show(wedges)
    }
    var full = Scenes.full()
    report("full") { frame in
      Scenes.recolor(&full, frame)
      sheet.show(full)
    }
    for (scene, rest) in [("one", Scenes.full()), ("bare", Scenes.wedges())] {
      let lit = (0..<12).map { Scenes.lighting($0, of: rest) }
      sheet.show(rest)
      report(scene, frames: 24) { _ in
        for list in lit {
          sheet.show(list)
          sheet.show(rest)
        }
      }
    }
    report("dial") { sheet.show(Scenes.dial($0)) }
    report("blur") { sheet.show(Scenes.column($0)) }
    report("face") { sheet.show(Scenes.face($0)) }
    report("disc") { sheet.show(Scenes.face($0, hasLabels: false)) }
    let rest = Scenes.art()
    let pressed = (0..<4).map { Scenes.art(pressed: $0) }
    let veiled = (0..<4).map { Scenes.art(veiled: $0) }
    for (scene, lists) in [("press", pressed), ("veil", veiled)] {
      sheet.show(rest)
      report(scene, frames: 8) { _ in
        for list in lists {
          sheet.show(list)
          sheet.show(rest)
        }
      }
    }
    report("icons") { sheet.show(Scenes.iconPage($0)) }
    report("reels") { sheet.show(Scenes.reels($0)) }
    // New text in each frame: the cost of shaping and layout, and of the whole frame.
    report("set") { frame in
      for item in Scenes.labels(frame).items {
        if case .text(let run)? = item.tiles.first?.shape { _ = fonts.layout(run) }
      }
    }
    report("labels") { sheet.show(Scenes.labels($0)) }
    checkAllocations("turning dial", sheet) { Scenes.dial($0 + 1000) }
    checkAllocations("running column", sheet) { Scenes.column($0) }
    checkAllocations("moving shapes", sheet) { Scenes.shapes($0) }
  }

  /// Ends the program if a moving frame allocates memory after everything was shown.
  private func checkAllocations(
    _ what: String, _ sheet: Sheet, _ list: (Int) -> DisplayList
  ) {
    sheet.show(DisplayList())
    let lists = (0..<40).map(list)
    // Twice, so that the step from the last list to the first is included.
    for list in lists + lists { sheet.show(list) }
    let before = roundel_allocation_count()
    for list in lists { sheet.show(list) }
    let count = roundel_allocation_count() - before
    guard count == 0 else {
      print("#\(count) allocations in 40 frames of a \(what), where there should be none")
      exit(1)
    }
  }

  private func makeSheet() -> Sheet {
    Sheet(
      Painter(
        size: size, viewport: Scenes.viewport(size), fonts: fonts, images: Scenes.images))
  }

  /// - Parameter frames: The number of frames per call of `body`.
  private func report(_ scene: String, frames: Int = 1, _ body: (Int) -> Void) {
    if let only = self.scene, only != scene { return }
    let before = timeMemset()
    let timing = Timing(seconds: seconds, body)
    let memset = min(before, timeMemset())
    func text(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }
    let frames = Double(frames)
    print(
      [
        "roundel", scene, "\(size)", text(timing.median / frames), text(timing.least / frames),
        text(timing.late / frames), "\(timing.count)", text(memset),
        text(timing.median / frames / memset),
      ].joined(separator: "|"))
  }

  private func timeMemset() -> Double {
    Timing(seconds: seconds * 0.2) { frame in
      unsafe memory.withPixels { pixels in
        // The canvas has as many bytes as pixels · 4.
        if let start = pixels.baseAddress {
          unsafe memset(start, CInt(frame & 0xff), pixels.count * 4)
        }
      }
    }.median
  }

  private func snap(_ scene: String, _ list: DisplayList) {
    if let only = self.scene, only != scene { return }
    let sheet = makeSheet()
    sheet.show(list)
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for y in 0..<size.height {
      for x in 0..<size.width {
        hash = (hash ^ UInt64(sheet.canvas[x, y])) &* 0x100_0000_01b3
      }
    }
    print("#\(scene)|\(size)|\(String(hash, radix: 16))")
    guard let folder else { return }
    var bytes = Array("P6 \(size.width) \(size.height) 255\n".utf8)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let pixel = sheet.canvas[x, y]
        for shift in [16, 8, 0] as [UInt32] {
          bytes.append(UInt8(truncatingIfNeeded: pixel >> shift))
        }
      }
    }
    guard let file = unsafe fopen("\(folder)/roundel-\(scene)-\(size).ppm", "wb") else { return }
    // fwrite reads exactly the array's bytes.
    _ = unsafe bytes.withUnsafeBytes { unsafe fwrite($0.baseAddress, 1, $0.count, file) }
    _ = unsafe fclose(file)
  }
}
