// SPDX-License-Identifier: MIT

import RoundelBackends
import RoundelControls
import RoundelGeometry
import Kiosk
import LinuxIO
import RoundelMotion
import RoundelPresentation
import RoundelRaster
import RoundelRuntime
import Testing
import RoundelText

@Suite struct ImagePreparerTests {
  /// A pinwheel with a different image on each wedge.
  private func content(_ images: [ImageFile], _ preparation: ImagePreparation) -> Content {
    let names = images.indices.map { "image \($0)" }
    let wheel = Pinwheel(
      center: Point(200, 200), radius: 180,
      wedges: names.map { Pinwheel.Wedge(id: $0, label: $0, image: $0) })
    var content = Content(
      Description(
        name: "wall", screen: Screen(size: Size(400, 400)),
        pages: [Page(name: "only", controls: [PlacedControl(id: "wheel", control: wheel)])]),
      fonts: FontLibrary(),
      images: Dictionary(uniqueKeysWithValues: zip(names, images.map { $0 })))
    content.imagePreparation = preparation
    return content
  }

  private func image(_ side: Int, _ color: UInt32) -> ImageFile {
    ImageFile(
      Bitmap(size: PixelSize(side, side), pixels: Array(repeating: color, count: side * side)))
  }

  private struct Fixture {
    let loop: EventLoop
    let cycle: FrameCycle
    let preparer: ImagePreparer

    init(_ content: Content, threads: Int) throws {
      loop = try EventLoop()
      let backend = HeadlessBackend(size: PixelSize(400, 400), rotation: .none)
      var content = content
      content.threads = ThreadPool(width: threads)
      cycle = FrameCycle(content, on: backend.display, seed: 1) { MonotonicClock.now }
      preparer = ImagePreparer(for: cycle, on: try Worker(on: loop), loop)
      _ = cycle.turn()
    }

    /// The number of images whose preparation hasn't started.
    func waitingCount() -> Int {
      var count = 0
      while cycle.takeImageWork() != nil { count += 1 }
      return count
    }
  }

  private var six: [ImageFile] { (0..<6).map { image(40, 0xff40_4000 + UInt32($0) * 40) } }

  @Test(arguments: [(1, 5), (2, 5), (3, 4), (4, 3)])
  func `one thread is reserved for frames, and each other one prepares an image`(
    threads: Int, waiting: Int
  ) throws {
    let fixture = try Fixture(content(six, .later), threads: threads)
    fixture.preparer.turn()
    #expect(fixture.waitingCount() == waiting)
  }

  @Test func `images that need much memory are prepared one at a time`() throws {
    // Two of 16 MiB aren't too much.
    let large = (0..<6).map { image(2000, 0xff40_4000 + UInt32($0) * 40) }
    let fixture = try Fixture(content(large, .later), threads: 4)
    fixture.preparer.turn()
    // One must wait.
    #expect(fixture.waitingCount() == 3)
    let huge = (0..<3).map { image(3000, 0xff40_4000 + UInt32($0) * 40) }
    let other = try Fixture(content(huge, .later), threads: 4)
    other.preparer.turn()
    #expect(other.waitingCount() == 1)
  }

  @Test(arguments: [1, 2, 4])
  func `the order of preparation doesn't affect the picture`(threads: Int) throws {
    // The first images take longest.
    let images = [700, 500, 300, 60, 50, 40].enumerated().map { number, side in
      image(side, 0xff40_4000 + UInt32(number) * 40)
    }
    let fixture = try Fixture(content(images, .later), threads: threads)
    let end = MonotonicClock.now + 60
    repeat {
      fixture.preparer.turn()
      try fixture.loop.turn(until: MonotonicClock.now + 0.01)
      _ = fixture.cycle.turn()
    } while !fixture.cycle.isStill && MonotonicClock.now < end
    #expect(fixture.cycle.isStill)
    let whole = try Fixture(content(images, .atOnce), threads: threads)
    #expect(
      fixture.cycle.picture.block(PixelRect(size: PixelSize(400, 400))).pixels
        == whole.cycle.picture.block(PixelRect(size: PixelSize(400, 400))).pixels)
  }
}
